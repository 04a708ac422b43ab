// What never changes about a surface that is drawn: shown vertices, doubled along sharp edges so that each side has its own normal.
import { BufferAttribute, Vector3 } from "three";
import type { Mesh } from "../source/source";
import type { Patch } from "./skin";

/** Facets that meet at more than this are seen as an edge: cosine of 40°. */
const SHARP = 0.766;

/** All moments of a run share it. */
export class SurfaceShape {
    /** The shown vertex of each drawn one. */
    readonly vertex: Uint32Array;
    /** A drawn vertex of each shown one. */
    readonly drawn: Uint32Array;
    readonly index: BufferAttribute;
    private lines: BufferAttribute | null = null;

    constructor(private mesh: Mesh) {
        const corners = Uint32Array.from(mesh.triangles);
        const vertex = split(mesh, corners);
        this.vertex = Uint32Array.from(vertex);
        this.drawn = new Uint32Array(mesh.rest.length / 3);
        for (let k = vertex.length - 1; k >= 0; k--) this.drawn[vertex[k] as number] = k;
        this.index = new BufferAttribute(corners, 1);
    }

    get count(): number {
        return this.vertex.length;
    }

    /** Of the triangles of each patch. */
    corners(patches: Patch[]): Uint32Array[] {
        return patches.map(({ triangles: [first, end] }) => (this.index.array as Uint32Array).subarray(3 * first, 3 * end));
    }

    /** Pairs of drawn vertices: the polygons' edges where these are known, else those of the triangles. */
    edges(): BufferAttribute {
        return (this.lines ??= new BufferAttribute(this.mesh.edges.length ? this.over(this.mesh.edges) : this.triangleEdges(), 1));
    }

    wires(): BufferAttribute {
        return new BufferAttribute(this.over(this.mesh.wires), 1);
    }

    private over(pairs: Uint32Array): Uint32Array {
        return pairs.map((vertex) => this.drawn[vertex] as number);
    }

    private triangleEdges(): Uint32Array {
        const { triangles } = this.mesh;
        const pairs = new Set<number>();
        const count = this.mesh.rest.length / 3;
        for (let k = 0; k < triangles.length; k++) {
            const a = triangles[k] as number;
            const b = triangles[k % 3 === 2 ? k - 2 : k + 1] as number;
            pairs.add(a < b ? a * count + b : b * count + a);
        }
        const edges = new Uint32Array(2 * pairs.size);
        let at = 0;
        for (const pair of pairs) {
            edges[at++] = this.drawn[Math.floor(pair / count)] as number;
            edges[at++] = this.drawn[pair % count] as number;
        }
        return edges;
    }
}

/** Rewrites corners to drawn vertices; gives the shown vertex of each. */
function split(mesh: Mesh, corners: Uint32Array): number[] {
    const { rest } = mesh;
    const vertex = Array.from({ length: rest.length / 3 }, (_, k) => k);
    // By shown vertex: the first drawn vertex with a normal, and for each drawn vertex the next one at the same place.
    const first = new Int32Array(rest.length / 3).fill(-1);
    const next: number[] = new Array<number>(vertex.length).fill(-1);
    const normals: number[] = new Array<number>(rest.length).fill(0);
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    for (let k = 0; k < corners.length; k += 3) {
        a.fromArray(rest, 3 * (corners[k] as number));
        b.fromArray(rest, 3 * (corners[k + 1] as number)).sub(a);
        c.fromArray(rest, 3 * (corners[k + 2] as number)).sub(a);
        const n = b.cross(c).normalize();
        for (let i = k; i < k + 3; i++) {
            const shown = corners[i] as number;
            let at = first[shown] as number;
            if (at < 0) {
                first[shown] = at = shown;
                n.toArray(normals, 3 * at);
            }
            while (dot(normals, at, n) < SHARP) {
                if ((next[at] as number) < 0) {
                    next[at] = vertex.length;
                    vertex.push(shown);
                    next.push(-1);
                    normals.push(n.x, n.y, n.z);
                }
                at = next[at] as number;
            }
            corners[i] = at;
        }
    }
    return vertex;
}

function dot(normals: number[], at: number, n: Vector3): number {
    const d = (normals[3 * at] as number) * n.x + (normals[3 * at + 1] as number) * n.y + (normals[3 * at + 2] as number) * n.z;
    // A facet without area has no side.
    return n.lengthSq() < 0.5 || Number.isNaN(d) ? 1 : d;
}
