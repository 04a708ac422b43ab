// What may colour the bodies: a number at every shown vertex of a frame, and the greatest seen so far.
import type { Run } from "../run/run";
import type { Frame } from "../source/source";

export type ColourBy = "body" | "speed" | "displacement" | "energy";

export const COLOURINGS: { by: ColourBy; words: string; unit: string }[] = [
    { by: "body", words: "Each body its own", unit: "" },
    { by: "speed", words: "Speed", unit: "m/s" },
    { by: "displacement", words: "Way from the start", unit: "m" },
    { by: "energy", words: "Elastic energy", unit: "J/m³" },
];

/** Energies of frames kept: some seconds of back and forth. */
const KEPT = 48;

export class Field {
    readonly values: Float32Array;
    /** Greatest value seen so far: colours mean the same in all frames. */
    most = 0;
    private energies = new Map<number, Float32Array>();
    private asked = new Set<number>();

    constructor(private run: Run, readonly by: ColourBy, private arrived: () => void) {
        this.values = new Float32Array(run.info.vertices);
    }

    /** Whether the values are those of the frame; if not, they are on the way. */
    show(frame: Frame): boolean {
        const ready = this.by === "energy" ? this.showEnergy(frame) : this.by === "speed" ? this.showSpeed(frame) : this.showWay(frame);
        if (!ready) return false;
        for (let k = 0; k < this.run.movingVertices; k++) if (this.values[k]! > this.most) this.most = this.values[k]!;
        return true;
    }

    private showEnergy(frame: Frame): boolean {
        const energy = this.energies.get(frame.index);
        if (energy) this.values.set(energy.subarray(0, this.values.length));
        else if (frame.index < this.run.times.length) void this.pull(frame.index);
        return energy !== undefined;
    }

    private async pull(index: number): Promise<void> {
        if (this.asked.has(index)) return;
        this.asked.add(index);
        try {
            this.energies.set(index, await this.run.source.field(this.run.id, index, "energy"));
        } catch {
            // The panel offers it only where there is one; a frame without is shown in the last colours.
            return;
        }
        this.asked.delete(index);
        const oldest = this.energies.keys().next().value;
        if (this.energies.size > KEPT && oldest !== undefined) this.energies.delete(oldest);
        this.arrived();
    }

    private showSpeed(frame: Frame): boolean {
        const { frames, times } = this.run;
        const beside = frame.index > 0 ? frame.index - 1 : 1;
        if (beside >= times.length) return false;
        const other = frames.get(beside);
        if (!other) {
            frames.want(beside, 0, times.length);
            return false;
        }
        const { values } = this;
        const dt = Math.abs(frame.t - other.t) || 1;
        for (let k = 0; k < values.length; k++) {
            let square = 0;
            for (let axis = 0; axis < 3; axis++) square += (place(frame, k, axis) - place(other, k, axis)) ** 2;
            values[k] = Math.sqrt(square) / dt;
        }
        return true;
    }

    private showWay(frame: Frame): boolean {
        const { rest } = this.run.mesh;
        const { values } = this;
        for (let k = 0; k < values.length; k++) {
            let square = 0;
            for (let axis = 0; axis < 3; axis++) square += (place(frame, k, axis) - (rest[3 * k + axis] as number)) ** 2;
            values[k] = Math.sqrt(square);
        }
        return true;
    }
}

/** A coordinate of a shown vertex [m]. */
export function place(frame: Frame, vertex: number, axis: number): number {
    return (frame.origin[axis] as number) + frame.scale * (frame.q[3 * vertex + axis] as number);
}
