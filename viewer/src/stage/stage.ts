// The canvas: runs side by side, all seen by one camera, drawn only when something changed.
import { Box3, MathUtils, PCFShadowMap, PerspectiveCamera, Plane, Quaternion, Raycaster, Spherical, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Run } from "../run/run";
import type { Vec3 } from "../source/source";
import { hasGraphicsCard } from "./graphics";
import { RunView } from "./run_view";

/** A part of the canvas that one run has, in pixels of the page. */
export interface Pane {
    view: RunView;
    x: number;
    y: number;
    width: number;
    height: number;
}

/** What rests for so long is drawn again, finely, where there is no graphics card to smooth edges [ms]. */
const REST = 250;

export class Stage {
    readonly canvas: HTMLCanvasElement;
    readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
    readonly controls: OrbitControls;
    readonly views: RunView[];
    readonly renderer: WebGLRenderer;
    readonly plane = new Plane(new Vector3(0, 1, 0), 0);
    readonly hasGraphicsCard = hasGraphicsCard();
    panes: Pane[] = [];
    /** Pictures drawn so far and what their making took on this side of the graphics card, in all and at worst [ms], for those that measure. */
    drawn = 0;
    work = 0;
    worst = 0;
    /** Of one size while it is filmed. */
    filmed = false;
    private dirty = true;
    private dark = false;
    private last = 0;
    private fine = false;

    constructor(runs: Run[]) {
        this.canvas = document.createElement("canvas");
        this.renderer = new WebGLRenderer({ canvas: this.canvas, context: opaqueContext(this.canvas, this.hasGraphicsCard) });
        this.renderer.setPixelRatio(this.hasGraphicsCard ? Math.min(window.devicePixelRatio, 2) : 1);
        this.renderer.setScissorTest(true);
        this.renderer.localClippingEnabled = true;
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.views = runs.map((run) => new RunView(run, this.plane, () => this.redraw()));
        this.views.forEach((view) => view.castShadows(this.hasGraphicsCard));
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = false;
        this.controls.addEventListener("change", () => this.redraw());
        this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
        this.canvas.addEventListener("webglcontextrestored", () => this.views.forEach((view) => view.renew()));
        this.reset();
    }

    redraw(): void {
        this.dirty = true;
    }

    wear(dark: boolean): void {
        this.dark = dark;
        this.views.forEach((view) => view.wear(dark));
        this.redraw();
    }

    get isDark(): boolean {
        return this.dark;
    }

    /** From where the scene's file says, or from where all of the motion is seen. */
    reset(): void {
        const first = this.views[0];
        if (!first) return;
        const given = first.run.info.camera;
        this.camera.up.copy(first.up);
        this.camera.fov = MathUtils.radToDeg(given?.field_of_view ?? 0.6);
        if (given) {
            this.controls.target.set(...given.target);
            this.camera.position.set(...given.eye);
            this.span(first.radius);
        } else {
            this.fit();
        }
    }

    /** Moves the camera back until all of the motion is seen. */
    fit(): void {
        const box = this.views.reduce((all, view) => all.union(view.box), new Box3());
        const centre = box.getCenter(new Vector3());
        const away = this.camera.position.clone().sub(this.controls.target);
        if (away.lengthSq() < 1e-12) away.set(0.45, -1, 0.3);
        const pane = this.panes[0];
        const height = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
        const width = height * (pane ? pane.width / pane.height : 1);
        this.camera.position.copy(centre).add(away.normalize());
        this.camera.lookAt(centre);
        const across = new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion);
        const upward = new Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion);
        let distance = 0;
        for (let k = 0; k < 8; k++) {
            const corner = new Vector3(...([1, 2, 4].map((bit, axis) => (k & bit ? box.max : box.min).getComponent(axis)) as Vec3)).sub(centre);
            const needed = Math.max(Math.abs(corner.dot(across)) / width, Math.abs(corner.dot(upward)) / height);
            distance = Math.max(distance, corner.dot(away) + 1.12 * needed);
        }
        this.controls.target.copy(centre);
        this.camera.position.copy(centre).addScaledVector(away, distance);
        this.span(box.getSize(new Vector3()).length());
    }

    private span(radius: number): void {
        const distance = this.camera.position.distanceTo(this.controls.target);
        [this.camera.near, this.camera.far] = [0.005 * distance, 20 * (distance + radius)];
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.redraw();
    }

    /** Turns about the target [rad]. */
    turn(across: number, upward: number): void {
        const z = new Vector3(0, 1, 0);
        const away = this.camera.position.clone().sub(this.controls.target);
        const place = new Spherical().setFromVector3(away.applyQuaternion(quaternionTo(this.camera.up, z)));
        place.theta += across;
        place.phi = MathUtils.clamp(place.phi - upward, 0.02, Math.PI - 0.02);
        away.setFromSpherical(place).applyQuaternion(quaternionTo(this.camera.up, z).invert());
        this.camera.position.copy(this.controls.target).add(away);
        this.controls.update();
    }

    zoom(factor: number): void {
        const away = this.camera.position.clone().sub(this.controls.target);
        this.camera.position.copy(this.controls.target).addScaledVector(away, factor);
        this.span(this.views[0]?.radius ?? 1);
    }

    /** Shifts the view by parts of its height. */
    pan(right: number, up: number): void {
        const height = this.camera.position.distanceTo(this.controls.target) * Math.tan(MathUtils.degToRad(this.camera.fov / 2));
        const shift = new Vector3(right, up, 0).multiplyScalar(height).applyQuaternion(this.camera.quaternion);
        this.camera.position.add(shift);
        this.controls.target.add(shift);
        this.controls.update();
        this.redraw();
    }

    resize(width: number, height: number): void {
        const columns = this.views.length <= 3 ? this.views.length : Math.ceil(Math.sqrt(this.views.length));
        const rows = Math.ceil(this.views.length / columns);
        this.renderer.setSize(width, height, false);
        this.panes = this.views.map((view, k) => {
            const [column, row] = [k % columns, Math.floor(k / columns)];
            const [x, y] = [Math.round((column * width) / columns), Math.round((row * height) / rows)];
            return { view, x, y, width: Math.round(((column + 1) * width) / columns) - x, height: Math.round(((row + 1) * height) / rows) - y };
        });
        this.redraw();
    }

    /** Shows a time in all panes, and draws where something changed; says whether it did. */
    show(t: number, playing: boolean, newest: boolean): boolean {
        const begin = performance.now();
        for (const view of this.views) this.dirty = view.show(t, playing, newest) || this.dirty;
        if (!this.dirty) {
            if (!this.fine && !this.filmed && begin - this.last > REST) this.drawFinely();
            return false;
        }
        this.setRatio(1);
        this.draw();
        this.last = performance.now();
        const took = this.last - begin;
        this.work += took;
        this.worst = Math.max(this.worst, took);
        return true;
    }

    /** With smooth edges, whatever it costs. */
    drawFinely(): void {
        this.setRatio(2);
        this.fine = true;
        this.draw();
    }

    /** Pixels of the picture for one of the page, where the processor draws them; a graphics card smooths edges by itself. */
    private setRatio(ratio: number): void {
        this.fine = false;
        if (!this.hasGraphicsCard && !this.filmed && this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    }

    draw(): void {
        this.dirty = false;
        this.drawn++;
        const height = this.canvas.height / this.renderer.getPixelRatio();
        for (const pane of this.panes) {
            const bottom = height - pane.y - pane.height;
            this.renderer.setViewport(pane.x, bottom, pane.width, pane.height);
            this.renderer.setScissor(pane.x, bottom, pane.width, pane.height);
            this.camera.aspect = pane.width / pane.height;
            this.camera.updateProjectionMatrix();
            // What is drawn finely, or kept in a film, has all its triangles.
            const side = this.fine || this.filmed ? Infinity : (0.5 * pane.height) / Math.tan(MathUtils.degToRad(this.camera.fov / 2));
            pane.view.face(this.camera.position, side);
            this.renderer.render(pane.view.scene, this.camera);
        }
    }

    /** Where a shown vertex is seen on the page [px]. */
    screen(vertex: number, run: number): number[] {
        const pane = this.panes[run];
        if (!pane) return [];
        const box = this.canvas.getBoundingClientRect();
        this.camera.aspect = pane.width / pane.height;
        this.camera.updateProjectionMatrix();
        const { x, y } = pane.view.vertex(vertex).project(this.camera);
        return [box.left + pane.x + (0.5 + 0.5 * x) * pane.width, box.top + pane.y + (0.5 - 0.5 * y) * pane.height];
    }

    /** The ray under a place of the page, and the pane it lies in. */
    ray(x: number, y: number): { pane: Pane; ray: Raycaster } | null {
        const box = this.canvas.getBoundingClientRect();
        const [px, py] = [x - box.left, y - box.top];
        const pane = this.panes.find((each) => px >= each.x && px < each.x + each.width && py >= each.y && py < each.y + each.height);
        if (!pane) return null;
        const ray = new Raycaster();
        this.camera.aspect = pane.width / pane.height;
        this.camera.updateProjectionMatrix();
        const place = new Vector2((2 * (px - pane.x)) / pane.width - 1, 1 - (2 * (py - pane.y)) / pane.height);
        ray.setFromCamera(place, this.camera);
        return { pane, ray };
    }
}

/** The page lays it over nothing: what is behind need not be blended in. */
function opaqueContext(canvas: HTMLCanvasElement, antialias: boolean): WebGL2RenderingContext {
    const context = canvas.getContext("webgl2", { alpha: false, antialias, powerPreference: "high-performance" });
    if (!context) throw new Error("this browser shows no 3D pictures (WebGL 2)");
    return context;
}

function quaternionTo(from: Vector3, to: Vector3): Quaternion {
    return new Quaternion().setFromUnitVectors(from, to);
}
