// A body pulled by the mouse or by keys: a spring from one of its vertices to a point, told to the program a few times a second.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, Plane, SphereGeometry, Vector3 } from "three";
import type { RunView } from "./run_view";
import type { Stage } from "./stage";

/** Least time between two messages [ms]. */
const PAUSE = 40;

interface Hold {
    view: RunView;
    vertex: number;
    /** Where the hand is [m]. */
    point: Vector3;
    plane: Plane;
}

export class Grab {
    /** Whether dragging a body pulls it; otherwise it turns the view. */
    on = true;
    private hold: Hold | null = null;
    private timer = 0;
    private told = "";
    private line: Line;
    private hand: Mesh;

    constructor(private stage: Stage, private steer: (ask: string, words: Record<string, unknown>) => void) {
        const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
        this.line = new Line(geometry, new LineBasicMaterial({ color: 0xcc3377, depthTest: false }));
        this.hand = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xcc3377, depthTest: false }));
        this.line.frustumCulled = this.hand.frustumCulled = false;
        this.line.renderOrder = this.hand.renderOrder = 4;
        const { canvas } = stage;
        // Before the controls, which else would turn the view.
        canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
        canvas.addEventListener("pointermove", (event) => this.drag(event));
        for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, () => this.release());
    }

    get holding(): boolean {
        return this.hold !== null;
    }

    private press(event: PointerEvent): void {
        if (!this.on || event.button !== 0 || this.hold) return;
        const under = this.stage.ray(event.clientX, event.clientY);
        if (!under?.pane.view.run.live) return;
        const hit = under.pane.view.pick(under.ray);
        if (!hit) return;
        event.stopImmediatePropagation();
        this.stage.canvas.setPointerCapture(event.pointerId);
        this.take(under.pane.view, hit.vertex, hit.point);
    }

    private drag(event: PointerEvent): void {
        const under = this.hold && this.stage.ray(event.clientX, event.clientY);
        if (under && this.hold && under.ray.ray.intersectPlane(this.hold.plane, this.hold.point)) this.moved();
    }

    /** By keys: takes the uppermost vertex of the next body, or lets go after the last. */
    next(): void {
        const view = this.stage.views.find((each) => each.run.live);
        if (!view) return;
        const bodies = view.run.info.bodies.filter((body) => body.kind !== "obstacle");
        const held = this.hold?.vertex ?? -1;
        const at = bodies.findIndex(({ vertices: [first, end] }) => first <= held && held < end);
        this.release();
        const body = bodies[at + 1];
        if (!body) return;
        let top = body.vertices[0];
        for (let k = top; k < body.vertices[1]; k++) if (view.vertex(k).dot(view.up) > view.vertex(top).dot(view.up)) top = k;
        this.take(view, top, view.vertex(top));
    }

    /** By keys: moves the hand right and up on the screen, by parts of the scene's size. */
    nudge(right: number, up: number): void {
        if (!this.hold) return;
        const step = new Vector3(right, up, 0).applyQuaternion(this.stage.camera.quaternion);
        this.hold.point.addScaledVector(step, this.hold.view.radius);
        this.moved();
    }

    release(): void {
        if (!this.hold) return;
        const { view } = this.hold;
        window.clearTimeout(this.timer);
        this.timer = 0;
        this.told = "";
        this.hold = null;
        view.scene.remove(this.line, this.hand);
        this.steer("release", { run: view.run.id });
        this.stage.redraw();
    }

    /** The spring follows the vertex as it moves. */
    show(): void {
        if (!this.hold) return;
        const places = this.line.geometry.getAttribute("position") as BufferAttribute;
        this.hold.view.vertex(this.hold.vertex).toArray(places.array, 0);
        this.hold.point.toArray(places.array, 3);
        places.needsUpdate = true;
        this.hand.position.copy(this.hold.point);
    }

    private take(view: RunView, vertex: number, point: Vector3): void {
        const normal = this.stage.camera.getWorldDirection(new Vector3());
        this.hold = { view, vertex, point, plane: new Plane().setFromNormalAndCoplanarPoint(normal, point) };
        this.hand.scale.setScalar(0.015 * view.radius);
        view.scene.add(this.line, this.hand);
        this.moved();
    }

    private moved(): void {
        this.show();
        this.stage.redraw();
        if (!this.timer) this.tell();
    }

    private tell(): void {
        this.timer = 0;
        if (!this.hold) return;
        const { view, vertex, point } = this.hold;
        const place = point.toArray();
        if (place.join() === this.told) return;
        this.told = place.join();
        this.steer("grab", { run: view.run.id, vertex, point: place });
        this.timer = window.setTimeout(() => this.tell(), PAUSE);
    }
}
