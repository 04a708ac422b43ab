// The colours of drawn vertices: of their bodies, or of a field.
import { BufferAttribute, Color, DynamicDrawUsage } from "three";
import type { Run } from "../run/run";
import { RAMP_BYTES } from "./colours";
import type { Field } from "./field";
import type { SurfaceShape } from "./surface_shape";

/** sRGB bytes as the light they stand for, in which shaders reckon. */
const LINEAR = Float32Array.from({ length: 256 }, (_, k) => {
    const c = k / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});
const RAMP = Float32Array.from(RAMP_BYTES, (byte) => LINEAR[byte] as number);

export class Paint {
    readonly attribute: BufferAttribute;
    private bodies: Float32Array;
    /** Drawn vertices of obstacles: fields leave them as they are. */
    private still: Uint8Array;

    constructor(run: Run, private shape: SurfaceShape) {
        this.attribute = new BufferAttribute(new Float32Array(3 * shape.count), 3).setUsage(DynamicDrawUsage);
        this.bodies = new Float32Array(3 * shape.count);
        this.still = new Uint8Array(shape.count);
        const colour = new Color();
        const owners = new Uint16Array(run.info.vertices);
        run.info.bodies.forEach((body, k) => owners.fill(k, ...body.vertices));
        shape.vertex.forEach((vertex, k) => {
            const body = run.info.bodies[owners[vertex] as number];
            colour.set(body?.colour ?? "#999999").toArray(this.bodies, 3 * k);
            this.still[k] = body?.kind === "obstacle" ? 1 : 0;
        });
        this.byBody();
    }

    byBody(): void {
        (this.attribute.array as Float32Array).set(this.bodies);
        this.attribute.needsUpdate = true;
    }

    byField(field: Field): void {
        const colours = this.attribute.array as Float32Array;
        const { vertex } = this.shape;
        const scale = 255 / (field.most || 1);
        for (let k = 0; k < vertex.length; k++) {
            if (this.still[k]) continue;
            const at = 3 * Math.min(Math.round(scale * (field.values[vertex[k] as number] as number)), 255);
            colours[3 * k] = RAMP[at] as number;
            colours[3 * k + 1] = RAMP[at + 1] as number;
            colours[3 * k + 2] = RAMP[at + 2] as number;
        }
        this.attribute.needsUpdate = true;
    }
}
