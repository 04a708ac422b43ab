// Of closed bodies the triangles that face the eye: those that face away are never seen, and where the processor makes the pictures it spends a
// quarter of its time to find that out, vertex by vertex.
import { BufferAttribute, type BufferGeometry, DynamicDrawUsage, type Vector3 } from "three";
import type { Patch } from "./skin";
import { STRIDE } from "./surface";

export class Facing {
    private whole: BufferAttribute;
    private part: BufferAttribute;

    /** The geometry has a group for each patch. */
    constructor(private geometry: BufferGeometry, private patches: Patch[]) {
        this.whole = geometry.index as BufferAttribute;
        this.part = new BufferAttribute(this.whole.array.slice(), 1).setUsage(DynamicDrawUsage);
    }

    /** `x`: places of vertices, and the eye in the same measure; corners of the triangles to choose from, patch by patch. */
    choose(x: Uint16Array, eye: Vector3, corners: Uint32Array[]): void {
        this.part.clearUpdateRanges();
        this.patches.forEach(({ triangles: [first], closed }, k) => {
            if (!closed) return;
            const count = this.gather(x, eye, corners[k] as Uint32Array, 3 * first);
            this.geometry.groups[k]!.count = count;
            this.part.addUpdateRange(3 * first, count);
        });
        this.part.needsUpdate = true;
        this.geometry.setIndex(this.part);
    }

    all(): void {
        this.patches.forEach(({ triangles: [first, end] }, k) => (this.geometry.groups[k]!.count = 3 * (end - first)));
        this.geometry.setIndex(this.whole);
    }

    private gather(x: Uint16Array, eye: Vector3, from: Uint32Array, first: number): number {
        const to = this.part.array;
        const { x: ex, y: ey, z: ez } = eye;
        let at = first;
        for (let k = 0; k < from.length; k += 3) {
            const i = from[k] as number, j = from[k + 1] as number, l = from[k + 2] as number;
            const a = STRIDE * i, b = STRIDE * j, c = STRIDE * l;
            const ax = x[a] as number, ay = x[a + 1] as number, az = x[a + 2] as number;
            const ux = (x[b] as number) - ax, uy = (x[b + 1] as number) - ay, uz = (x[b + 2] as number) - az;
            const vx = (x[c] as number) - ax, vy = (x[c + 1] as number) - ay, vz = (x[c + 2] as number) - az;
            const toward = (uy * vz - uz * vy) * (ex - ax) + (uz * vx - ux * vz) * (ey - ay) + (ux * vy - uy * vx) * (ez - az);
            if (toward <= 0) continue;
            to[at++] = i;
            to[at++] = j;
            to[at++] = l;
        }
        return at - first;
    }
}
