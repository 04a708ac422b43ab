// One run as it is seen at a time: its bodies, and what is drawn over them.
import {
    Box3, BufferGeometry, Group, type Intersection, LineBasicMaterial, LineSegments, Mesh, Plane, type Raycaster, Scene, Vector3,
} from "three";
import type { Run } from "../run/run";
import type { Frame, Mesh as SourceMesh } from "../source/source";
import { ContactLayer } from "./contact_layer";
import { CutLayer } from "./cut_layer";
import { type ColourBy, Field, place } from "./field";
import { Facing } from "./facing";
import { Moments } from "./moments";
import { Paint } from "./paint";
import { type Patch, patchesOf, Skin } from "./skin";
import { Studio } from "./studio";
import { Surface } from "./surface";
import { SurfaceShape } from "./surface_shape";
import { thin } from "./thinning";

/** How far ahead frames are pulled while playing. */
const AHEAD = 24;
/** Where triangles four times as large take no more of the picture, a quarter of them is drawn while it moves [px²]. */
const SMALL = 16;

export class RunView {
    readonly scene = new Scene();
    readonly contacts: ContactLayer;
    readonly moments: Moments;
    readonly cut: CutLayer;
    readonly up: Vector3;
    readonly centre = new Vector3();
    /** All that was seen to move so far. */
    readonly box = new Box3();
    radius = 1;
    field: Field | null = null;
    /** Of the frame that is shown; −1 before the first. */
    index = -1;
    cutting = false;
    private studio: Studio;
    private still = new Box3();
    private shape: SurfaceShape;
    private patches: Patch[];
    private paint: Paint;
    private surface: Surface;
    /** Takes parts of the frame's grid to metres. */
    private grid = new Group();
    private body: Mesh;
    private skin: Skin;
    private facing: Facing | null;
    /** Corners of all triangles, and of fewer, patch by patch. */
    private all: Uint32Array[];
    private few: Uint32Array[] | null = null;
    /** The mean area of triangles of closed bodies at rest [m²]. */
    private area: number;
    /** The frame and the triangles for which normals were made. */
    private turned = { frame: null as Frame | null, corners: [] as Uint32Array[] };
    /** The frame, the triangles and the eye for which those that face it were chosen. */
    private faced = { frame: null as Frame | null, corners: [] as Uint32Array[], eye: new Vector3() };
    private wireframe: LineSegments<BufferGeometry, LineBasicMaterial> | null = null;
    private wires: LineSegments<BufferGeometry, LineBasicMaterial> | null = null;
    private shown: Frame | null = null;
    private painted: Frame | null = null;

    constructor(readonly run: Run, readonly plane: Plane, private changed: () => void) {
        this.up = new Vector3(...run.info.up);
        this.studio = new Studio(this.scene, this.up);
        this.shape = new SurfaceShape(run.mesh);
        this.paint = new Paint(run, this.shape);
        this.surface = new Surface(this.shape, this.paint.attribute);
        this.patches = patchesOf(run.info.bodies, run.mesh);
        const { patches } = this;
        this.all = this.shape.corners(patches);
        this.area = meanArea(run.mesh, patches);
        const look = { roughness: 0.55, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
        this.skin = new Skin(patches, this.surface.geometry, look);
        this.facing = this.skin.canBePlain ? new Facing(this.surface.geometry, patches) : null;
        this.body = new Mesh(this.surface.geometry, this.skin.materials);
        this.body.frustumCulled = this.grid.matrixAutoUpdate = false;
        this.body.castShadow = this.body.receiveShadow = true;
        this.grid.add(this.body);
        this.moments = new Moments(run, this.shape, patches);
        this.box.set(new Vector3(...run.info.bounds[0]), new Vector3(...run.info.bounds[1]));
        this.includeGround();
        this.still = this.obstacles();
        this.surround();
        this.contacts = new ContactLayer(run, this.radius, changed);
        this.cut = new CutLayer(run, plane, () => this.renew());
        this.scene.add(this.grid, this.moments.group, this.contacts.group, this.cut.group);
        if (run.mesh.wires.length) this.addWires();
        run.listen((news) => news === "frame" && this.cut.waiting && this.renew());
    }

    /** Where obstacles are, which throw shadows too; those much larger than the motion count for nothing. */
    private obstacles(): Box3 {
        const { rest } = this.run.mesh;
        const box = new Box3();
        for (let k = this.run.movingVertices; k < rest.length / 3; k++) box.expandByPoint(new Vector3().fromArray(rest, 3 * k));
        const reach = this.box.min.distanceTo(this.box.max);
        return box.isEmpty() || box.min.distanceTo(box.max) > 8 * reach ? new Box3() : box;
    }

    /** What is dropped will meet the ground, where that is in sight. */
    private includeGround(): void {
        const { ground } = this.run;
        if (ground === null) return;
        const below = this.box.getCenter(new Vector3());
        const height = below.dot(this.up) - ground;
        if (height < 20 * this.box.min.distanceTo(this.box.max)) this.box.expandByPoint(below.addScaledVector(this.up, -height));
    }

    private addWires(): void {
        this.wires = this.lines(new LineBasicMaterial({ vertexColors: true }));
        this.wires.geometry.setIndex(this.shape.wires());
        this.wires.geometry.setAttribute("color", this.paint.attribute);
    }

    private lines(material: LineBasicMaterial): LineSegments<BufferGeometry, LineBasicMaterial> {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", this.surface.geometry.getAttribute("position"));
        const lines = new LineSegments(geometry, material);
        lines.frustumCulled = false;
        this.grid.add(lines);
        return lines;
    }

    /** Light and ground about the motion, with room for what leaves the bounds known so far. */
    private surround(): void {
        this.box.getCenter(this.centre);
        this.radius = Math.max(0.5 * this.box.min.distanceTo(this.box.max), 1e-6);
        const lit = this.still.clone().union(this.box);
        this.studio.surround(lit.getCenter(new Vector3()), 0.5 * lit.min.distanceTo(lit.max), this.run.ground);
    }

    wear(dark: boolean): void {
        this.studio.wear(dark);
        this.wireframe?.material.color.set(dark ? 0xffffff : 0x101418);
    }

    castShadows(on: boolean): void {
        this.studio.castShadows(on);
        this.skin.setShadows(on);
    }

    setWireframe(on: boolean, dark: boolean): void {
        if (on && !this.wireframe) {
            this.wireframe = this.lines(new LineBasicMaterial({ transparent: true, opacity: 0.45 }));
            this.wireframe.geometry.setIndex(this.shape.edges());
            this.wireframe.material.color.set(dark ? 0xffffff : 0x101418);
            this.setCutting(this.cutting);
        }
        if (this.wireframe) this.wireframe.visible = on;
    }

    colourBy(by: ColourBy): void {
        this.field = by === "body" ? null : new Field(this.run, by, () => this.renew());
        if (!this.field) this.paint.byBody();
        this.moments.colourBy(this.field);
        this.renew();
    }

    setCutting(on: boolean): void {
        this.cutting = on;
        const planes = on ? [this.plane] : [];
        this.skin.clip(planes);
        for (const each of [this.wireframe, this.wires]) if (each) each.material.clippingPlanes = planes;
        this.moments.clip(planes);
        this.renew();
    }

    setMoments(count: number): void {
        this.moments.setCount(count);
        this.moments.clip(this.cutting ? [this.plane] : []);
        this.renew();
    }

    /** Shows everything of the present frame anew. */
    renew(): void {
        this.painted = null;
        this.changed();
    }

    /** Shows a time; says whether the picture changed. */
    show(t: number, playing: boolean, newest: boolean): boolean {
        const { frames, times } = this.run;
        const index = this.run.frameAt(t);
        let news = this.moments.show();
        const frame = (newest && this.run.standing) || frames.get(index);
        frames.want(index, playing ? AHEAD : 1, times.length);
        if (!frame) return news;
        if (frame !== this.shown) {
            this.shown = frame;
            this.index = index;
            this.surface.show(frame, this.grid.matrix);
            this.grid.matrixWorldNeedsUpdate = true;
            this.keepInLight(frame);
            this.painted = null;
            news = true;
        }
        return this.dress(frame) || news;
    }

    /**
     * Makes what is drawn ready for an eye [m], and leaves away what it cannot see where that saves work.
     * `focus`: how large something of its own distance is seen [px].
     */
    face(eye: Vector3, focus: number): void {
        const { facing, faced, turned, shown } = this;
        if (!shown) return;
        const corners = this.choose(shown, eye, focus);
        if (turned.frame !== shown || turned.corners !== corners) {
            this.surface.turn(corners);
            this.turned = { frame: shown, corners };
        }
        if (!facing) return;
        if (!this.skin.isPlain) {
            if (faced.frame) facing.all();
            faced.frame = null;
        } else if (faced.frame !== shown || faced.corners !== corners || !faced.eye.equals(eye)) {
            facing.choose(this.surface.steps, eye.clone().sub(new Vector3(...shown.origin)).divideScalar(shown.scale), corners);
            this.faced = { frame: shown, corners, eye: eye.clone() };
        }
    }

    /** All triangles, or fewer where the processor draws them and they are about as small as pixels. */
    private choose(frame: Frame, eye: Vector3, focus: number): Uint32Array[] {
        if (!this.skin.isPlain || this.wireframe?.visible || !Number.isFinite(focus)) return this.all;
        if (4 * this.area * (focus / this.nearest(frame, eye)) ** 2 > SMALL) return this.all;
        return (this.few ??= thin(this.shape, this.run.mesh.rest, this.patches));
    }

    /** How far what moves is from the eye: that of some of its vertices which comes nearest [m]. */
    private nearest(frame: Frame, eye: Vector3): number {
        const stride = Math.ceil(this.run.movingVertices / 512);
        let square = Infinity;
        for (let k = 0; k < this.run.movingVertices; k += stride) {
            square = Math.min(square, (place(frame, k, 0) - eye.x) ** 2 + (place(frame, k, 1) - eye.y) ** 2 + (place(frame, k, 2) - eye.z) ** 2);
        }
        return Math.sqrt(square);
    }

    /** Colours the frame and draws over it; says whether the picture changed. */
    private dress(frame: Frame): boolean {
        if (this.painted === frame) return false;
        this.contacts.show(this.index);
        this.cut.show(this.index, this.cutting);
        // Values that are on the way come with another look.
        if (this.field && !this.field.show(frame)) return false;
        if (this.field) this.paint.byField(this.field);
        this.painted = frame;
        return true;
    }

    /** A run that is simulated may go where nobody knew. */
    private keepInLight(frame: Frame): void {
        if (!this.run.info.live) return;
        const [low, high] = boundsOf(frame, this.run.movingVertices);
        if (this.box.containsPoint(low) && this.box.containsPoint(high)) return;
        this.box.expandByPoint(low).expandByPoint(high);
        this.surround();
    }

    /** The shown vertex nearest to where a ray meets a body that can move. */
    pick(ray: Raycaster): { vertex: number; point: Vector3 } | null {
        const hits: Intersection[] = [];
        this.body.raycast(ray, hits);
        hits.sort((a, b) => a.distance - b.distance);
        const hit = hits.find(({ point }) => !this.cutting || this.plane.distanceToPoint(point) >= 0);
        if (!hit?.face) return null;
        const corners = [hit.face.a, hit.face.b, hit.face.c];
        const away = corners.map((corner) => this.vertex(this.shape.vertex[corner] as number).distanceToSquared(hit.point));
        const nearest = corners[away.indexOf(Math.min(...away))] as number;
        const vertex = this.shape.vertex[nearest] as number;
        return this.isFixed(vertex) ? null : { vertex, point: this.vertex(vertex) };
    }

    private isFixed(vertex: number): boolean {
        const body = this.run.info.bodies.find(({ vertices: [first, end] }) => first <= vertex && vertex < end);
        return body?.kind === "obstacle";
    }

    /** Where a shown vertex is in the frame that is shown [m]. */
    vertex(vertex: number): Vector3 {
        const { shown } = this;
        return shown ? new Vector3(place(shown, vertex, 0), place(shown, vertex, 1), place(shown, vertex, 2)) : new Vector3();
    }
}

/** The least and the greatest corner of the first vertices [m]. */
function boundsOf(frame: Frame, count: number): [Vector3, Vector3] {
    const { q } = frame;
    const [low, high] = [[65535, 65535, 65535], [0, 0, 0]];
    for (let at = 0; at < 3 * count; at++) {
        const value = q[at] as number;
        if (value < low[at % 3]!) low[at % 3] = value;
        if (value > high[at % 3]!) high[at % 3] = value;
    }
    const corner = (steps: number[]) => new Vector3(...frame.origin).addScaledVector(new Vector3().fromArray(steps), frame.scale);
    return [corner(low), corner(high)];
}

/** Of the triangles of closed patches at rest [m²]. */
function meanArea({ rest, triangles }: SourceMesh, patches: Patch[]): number {
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    let [area, count] = [0, 0];
    for (const { triangles: [first, end] } of patches.filter(({ closed }) => closed)) {
        for (let k = 3 * first; k < 3 * end; k += 3) {
            a.fromArray(rest, 3 * (triangles[k] as number));
            b.fromArray(rest, 3 * (triangles[k + 1] as number)).sub(a);
            c.fromArray(rest, 3 * (triangles[k + 2] as number)).sub(a);
            area += 0.5 * b.cross(c).length();
        }
        count += end - first;
    }
    return area / Math.max(count, 1);
}
