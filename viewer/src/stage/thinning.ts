// Closed surfaces with as little as a quarter of their triangles, for pictures in which these are hardly larger than pixels: vertices are drawn
// into a neighbour where that turns no triangle by more than a little, so smooth places become thin and rough ones stay as they are. What is left
// are vertices of the surface itself: it goes where the surface goes.
import type { Patch } from "./skin";
import type { SurfaceShape } from "./surface_shape";

/** No less is left. */
const PART = 0.25;
/** A round leaves three quarters at best. */
const ROUNDS = 8;
/** By so much a triangle may turn in a round: cosine of 3°, which light hardly shows. */
const TURN = 0.9986;
/** No triangle becomes narrower than this, where 1 has even sides. */
const NARROW = 0.3;

/** The corners of what is left of each patch; open ones stay as they are. */
export function thin(shape: SurfaceShape, rest: Float32Array, patches: Patch[]): Uint32Array[] {
    const thinning = new Thinning(shape, rest);
    return shape.corners(patches).map((corners, k) => (patches[k]?.closed ? thinning.thin(corners) : corners));
}

class Thinning {
    private x: Float32Array;
    /** Vertices along sharp edges stay where they are. */
    private sharp: Uint8Array;
    /** Those whose triangles were changed in this round, and their neighbours. */
    private done: Uint8Array;
    /** Where each vertex' triangles begin in `around`. */
    private first: Uint32Array;
    private around = new Uint32Array(0);

    constructor(shape: SurfaceShape, rest: Float32Array) {
        this.x = new Float32Array(3 * shape.count);
        this.sharp = new Uint8Array(shape.count);
        this.done = new Uint8Array(shape.count);
        this.first = new Uint32Array(shape.count + 1);
        const sides = new Uint8Array(rest.length / 3);
        for (const vertex of shape.vertex) sides[vertex] = Math.min((sides[vertex] as number) + 1, 2);
        shape.vertex.forEach((vertex, k) => {
            this.x.set(rest.subarray(3 * vertex, 3 * vertex + 3), 3 * k);
            this.sharp[k] = sides[vertex] === 1 ? 0 : 1;
        });
    }

    thin(corners: Uint32Array): Uint32Array {
        let left: Uint32Array = corners.slice();
        for (let round = 0; round < ROUNDS && left.length > PART * corners.length; round++) left = this.round(left, PART * corners.length);
        return left;
    }

    /** Draws vertices in that are no neighbours of each other, until so many corners are left. */
    private round(corners: Uint32Array, enough: number): Uint32Array {
        this.gather(corners);
        this.done.set(this.sharp);
        let count = corners.length;
        for (let v = 0; v < this.done.length && count > enough; v++) {
            if (this.done[v] || this.first[v] === this.first[v + 1]) continue;
            const into = this.neighbourFor(v, corners);
            if (into < 0) continue;
            for (let k = this.first[v] as number; k < (this.first[v + 1] as number); k++) {
                const at = this.around[k] as number;
                for (let i = at; i < at + 3; i++) {
                    this.done[corners[i] as number] = 1;
                    if (corners[i] === v) corners[i] = into;
                }
            }
            count -= 6;
        }
        return withArea(corners);
    }

    /** Which triangles each vertex has. */
    private gather(corners: Uint32Array): void {
        const { first } = this;
        first.fill(0);
        for (const v of corners) first[v]!++;
        for (let v = 1; v < first.length; v++) first[v]! += first[v - 1] as number;
        this.around = new Uint32Array(corners.length);
        for (let k = corners.length - 1; k >= 0; k--) this.around[--first[corners[k] as number]!] = k - (k % 3);
    }

    /** The nearest neighbour into which a vertex can be drawn; −1 where there is none. */
    private neighbourFor(v: number, corners: Uint32Array): number {
        const near: { u: number; away: number }[] = [];
        for (let k = this.first[v] as number; k < (this.first[v + 1] as number); k++) {
            const at = this.around[k] as number;
            const u = corners[at] === v ? corners[at + 1] : corners[at + 1] === v ? corners[at + 2] : corners[at];
            near.push({ u: u as number, away: this.away(u as number, v) });
        }
        near.sort((a, b) => a.away - b.away);
        return near.find(({ u }) => this.canBeDrawn(v, u, corners))?.u ?? -1;
    }

    private canBeDrawn(v: number, into: number, corners: Uint32Array): boolean {
        let both = 0;
        for (let k = this.first[v] as number; k < (this.first[v + 1] as number); k++) {
            const at = this.around[k] as number;
            const [a, b, c] = [corners[at] as number, corners[at + 1] as number, corners[at + 2] as number];
            if (a === into || b === into || c === into) both++;
            else if (!this.staysAlike(a, b, c, a === v ? into : a, b === v ? into : b, c === v ? into : c)) return false;
        }
        return both === 2;
    }

    /** Whether a triangle and what becomes of it look the same way, and the new one is no needle. */
    private staysAlike(a: number, b: number, c: number, p: number, q: number, r: number): boolean {
        const [old, now] = [this.normal(a, b, c), this.normal(p, q, r)];
        const [area, size] = [Math.hypot(...old), Math.hypot(...now)];
        const along = old[0] * now[0] + old[1] * now[1] + old[2] * now[2];
        const sides = this.away(p, q) + this.away(q, r) + this.away(r, p);
        return along > TURN * area * size && 2 * Math.sqrt(3) * size > NARROW * sides;
    }

    /** As long as twice the area. */
    private normal(a: number, b: number, c: number): [number, number, number] {
        const { x } = this;
        const ax = x[3 * a] as number, ay = x[3 * a + 1] as number, az = x[3 * a + 2] as number;
        const ux = (x[3 * b] as number) - ax, uy = (x[3 * b + 1] as number) - ay, uz = (x[3 * b + 2] as number) - az;
        const vx = (x[3 * c] as number) - ax, vy = (x[3 * c + 1] as number) - ay, vz = (x[3 * c + 2] as number) - az;
        return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    }

    /** Square of the distance. */
    private away(a: number, b: number): number {
        const { x } = this;
        const dx = (x[3 * a] as number) - (x[3 * b] as number), dy = (x[3 * a + 1] as number) - (x[3 * b + 1] as number);
        const dz = (x[3 * a + 2] as number) - (x[3 * b + 2] as number);
        return dx * dx + dy * dy + dz * dz;
    }
}

/** Without triangles of which two corners have become one. */
function withArea(corners: Uint32Array): Uint32Array {
    let to = 0;
    for (let k = 0; k < corners.length; k += 3) {
        const a = corners[k] as number, b = corners[k + 1] as number, c = corners[k + 2] as number;
        if (a === b || b === c || c === a) continue;
        corners[to++] = a;
        corners[to++] = b;
        corners[to++] = c;
    }
    return corners.subarray(0, to);
}
