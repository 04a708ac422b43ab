// A surface at one moment, as the graphics card gets it: positions in the steps of the frame's own grid, and normals in 16 bits.
import {
    type BufferAttribute, BufferGeometry, DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute, type Matrix4, Sphere, Vector3,
} from "three";
import type { Frame } from "../source/source";
import type { SurfaceShape } from "./surface_shape";

/** Numbers a vertex, of which three count: four of 16 bits, as parts of the greatest, are what cards and processors read as they are. */
export const STRIDE = 4;
/** Steps of a frame's grid from end to end. */
const STEPS = 65535;

export class Surface {
    readonly geometry = new BufferGeometry();
    readonly steps: Uint16Array;
    private place: InterleavedBuffer;
    private turns: Int16Array;
    private normal: InterleavedBuffer;
    /** Sums over the facets round a vertex, which are then made of length one. */
    private sums: Float32Array;

    constructor(private shape: SurfaceShape, colours: BufferAttribute) {
        this.steps = new Uint16Array(STRIDE * shape.count);
        this.turns = new Int16Array(STRIDE * shape.count);
        this.sums = new Float32Array(3 * shape.count);
        this.place = new InterleavedBuffer(this.steps, STRIDE).setUsage(DynamicDrawUsage);
        this.normal = new InterleavedBuffer(this.turns, STRIDE).setUsage(DynamicDrawUsage);
        this.geometry.setAttribute("position", new InterleavedBufferAttribute(this.place, STRIDE, 0, true));
        this.geometry.setAttribute("normal", new InterleavedBufferAttribute(this.normal, STRIDE, 0, true));
        this.geometry.setAttribute("color", colours);
        this.geometry.setIndex(shape.index);
        this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    }

    /** Puts a frame in, without its normals; `to` becomes what takes parts of the frame's grid to metres. */
    show(frame: Frame, to: Matrix4): void {
        const { origin: [x, y, z], scale } = frame;
        const size = STEPS * scale;
        to.makeScale(size, size, size).setPosition(x, y, z);
        this.copy(frame.q);
        this.place.needsUpdate = true;
    }

    private copy(q: Uint16Array): void {
        const { steps } = this;
        const { vertex } = this.shape;
        for (let k = 0, at = 0; k < vertex.length; k++, at += STRIDE) {
            const from = 3 * (vertex[k] as number);
            steps[at] = q[from] as number;
            steps[at + 1] = q[from + 1] as number;
            steps[at + 2] = q[from + 2] as number;
        }
    }

    /** Normals of the triangles with these corners, which are all that will be drawn. */
    turn(corners: Uint32Array[]): void {
        this.sums.fill(0);
        for (const index of corners) this.add(index);
        this.shorten();
        this.normal.needsUpdate = true;
    }

    /** Normals weighted by area. */
    private add(index: Uint32Array): void {
        const { steps: x, sums: n } = this;
        for (let k = 0; k < index.length; k += 3) {
            const i = index[k] as number, j = index[k + 1] as number, l = index[k + 2] as number;
            const a = STRIDE * i, b = STRIDE * j, c = STRIDE * l;
            const ax = x[a] as number, ay = x[a + 1] as number, az = x[a + 2] as number;
            const ux = (x[b] as number) - ax, uy = (x[b + 1] as number) - ay, uz = (x[b + 2] as number) - az;
            const vx = (x[c] as number) - ax, vy = (x[c + 1] as number) - ay, vz = (x[c + 2] as number) - az;
            const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
            n[3 * i]! += nx; n[3 * i + 1]! += ny; n[3 * i + 2]! += nz;
            n[3 * j]! += nx; n[3 * j + 1]! += ny; n[3 * j + 2]! += nz;
            n[3 * l]! += nx; n[3 * l + 1]! += ny; n[3 * l + 2]! += nz;
        }
    }

    private shorten(): void {
        const { sums: n, turns } = this;
        for (let from = 0, at = 0; from < n.length; from += 3, at += STRIDE) {
            const x = n[from] as number, y = n[from + 1] as number, z = n[from + 2] as number;
            const scale = 32767 / Math.sqrt(x * x + y * y + z * z || 1);
            turns[at] = scale * x;
            turns[at + 1] = scale * y;
            turns[at + 2] = scale * z;
        }
    }

    dispose(): void {
        this.geometry.dispose();
    }
}
