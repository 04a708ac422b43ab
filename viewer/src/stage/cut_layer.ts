// Bodies cut open by a plane: the surface is clipped, and the tets that the plane meets are shown as the polygons it makes of them.
import {
    BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial,
    type Plane,
} from "three";
import type { Run } from "../run/run";
import type { Frame } from "../source/source";

const CORNERS = [0, 1, 2, 3];

export class CutLayer {
    readonly group = new Group();
    /** Triangles of the faces that the cut has made. */
    faces = 0;
    /** Whether positions are on their way. */
    waiting = false;
    private tets: Uint32Array | null = null;
    private asked = false;
    /** The frame and plane that are shown. */
    private shown = "";
    private face: Mesh;
    private lines: LineSegments;
    private room = 0;
    private colours: Float32Array;
    private places = new Float32Array();
    private paints = new Float32Array();
    private edges = new Float32Array();

    constructor(private run: Run, private plane: Plane, private arrived: () => void) {
        const look = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide });
        this.face = new Mesh(new BufferGeometry(), look);
        this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x222222, transparent: true, opacity: 0.55 }));
        this.face.frustumCulled = this.lines.frustumCulled = false;
        this.group.add(this.face, this.lines);
        this.colours = new Float32Array(3 * run.info.mesh_vertices).fill(0.6);
        const colour = new Color();
        for (const body of run.info.bodies) {
            colour.set(body.colour).lerp(new Color(0xffffff), 0.35);
            const [first, end] = body.mesh ?? [0, 0];
            for (let k = first; k < end; k++) colour.toArray(this.colours, 3 * k);
        }
    }

    get possible(): boolean {
        return this.run.info.has.tets;
    }

    show(index: number, on: boolean): void {
        this.group.visible = on && this.possible;
        if (!this.group.visible) return;
        if (!this.tets) return void this.pull();
        const frame = this.run.inner.get(index);
        const cut = `${index} ${this.plane.normal.toArray().join()} ${this.plane.constant}`;
        if (frame && cut !== this.shown) this.cut(frame, this.tets);
        this.waiting = !frame;
        if (frame) this.shown = cut;
        else this.run.inner.want(index, 2, this.run.times.length);
    }

    private async pull(): Promise<void> {
        if (this.asked) return;
        this.asked = true;
        this.tets = await this.run.source.tets(this.run.id).catch(() => null);
        this.arrived();
    }

    private cut(frame: Frame, tets: Uint32Array): void {
        const { q, origin, scale } = frame;
        const { normal, constant } = this.plane;
        // Height above the plane of a vertex, in steps of the frame's grid.
        const base = (normal.x * origin[0] + normal.y * origin[1] + normal.z * origin[2] + constant) / scale;
        const height = (v: number) => base + normal.x * q[3 * v]! + normal.y * q[3 * v + 1]! + normal.z * q[3 * v + 2]!;
        let [faces, lines] = [0, 0];
        const [above, below]: number[][] = [[], []];
        const heights = [0, 0, 0, 0];
        for (let k = 0; k < tets.length; k += 4) {
            above!.length = below!.length = 0;
            for (const i of CORNERS) {
                heights[i] = height(tets[k + i]!);
                (heights[i]! > 0 ? above! : below!).push(i);
            }
            if (!above!.length || !below!.length) continue;
            this.reserve(faces + 2, lines + 4);
            const corner = (i: number, j: number, at: number) => {
                const [a, b] = [tets[k + i]!, tets[k + j]!];
                const s = heights[i]! / (heights[i]! - heights[j]!);
                for (let axis = 0; axis < 3; axis++) {
                    const x = q[3 * a + axis]! + s * (q[3 * b + axis]! - q[3 * a + axis]!);
                    this.places[at + axis] = origin[axis]! + scale * x;
                    this.paints[at + axis] = this.colours[3 * a + axis]!;
                }
            };
            const lone = above!.length === 1 ? above! : below!;
            if (lone.length === 1) {
                const others = lone === above ? below! : above!;
                others.forEach((j, n) => corner(lone[0]!, j, 9 * faces + 3 * n));
                lines = this.outline(9 * faces, [0, 1, 2], lines);
                faces += 1;
            } else {
                const [a, b] = above as [number, number];
                const [c, d] = below as [number, number];
                const round: [number, number][] = [[a, c], [a, d], [b, d], [a, c], [b, d], [b, c]];
                round.forEach(([i, j], n) => corner(i, j, 9 * faces + 3 * n));
                lines = this.outline(9 * faces, [0, 1, 2, 5], lines);
                faces += 2;
            }
        }
        this.finish(faces, lines);
    }

    /** Lines round the corners of a polygon; gives the count of lines. */
    private outline(at: number, corners: number[], lines: number): number {
        corners.forEach((corner, n) => {
            const next = corners[(n + 1) % corners.length]!;
            for (let axis = 0; axis < 3; axis++) {
                this.edges[6 * lines + axis] = this.places[at + 3 * corner + axis]!;
                this.edges[6 * lines + 3 + axis] = this.places[at + 3 * next + axis]!;
            }
            lines++;
        });
        return lines;
    }

    private reserve(faces: number, lines: number): void {
        if (faces <= this.room && lines <= 2 * this.room) return;
        this.room = Math.max(2 * this.room, 1024);
        const grow = (old: Float32Array, size: number) => {
            const grown = new Float32Array(size);
            grown.set(old);
            return grown;
        };
        this.places = grow(this.places, 9 * this.room);
        this.paints = grow(this.paints, 9 * this.room);
        this.edges = grow(this.edges, 12 * this.room);
        this.face.geometry.dispose();
        this.lines.geometry.dispose();
        const attribute = (array: Float32Array) => new BufferAttribute(array, 3).setUsage(DynamicDrawUsage);
        this.face.geometry.setAttribute("position", attribute(this.places));
        this.face.geometry.setAttribute("color", attribute(this.paints));
        this.lines.geometry.setAttribute("position", attribute(this.edges));
    }

    private finish(faces: number, lines: number): void {
        this.faces = faces;
        this.face.geometry.setDrawRange(0, 3 * faces);
        this.lines.geometry.setDrawRange(0, 2 * lines);
        for (const geometry of [this.face.geometry, this.lines.geometry]) {
            for (const attribute of Object.values(geometry.attributes)) attribute.needsUpdate = true;
        }
    }
}
