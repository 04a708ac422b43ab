// Superimposed moments: the same bodies at even times of the run, fainter the further back.
import { DoubleSide, FrontSide, Group, Mesh, MeshStandardMaterial, type Plane } from "three";
import type { Run } from "../run/run";
import type { Field } from "./field";
import { Paint } from "./paint";
import { Surface, type SurfaceShape } from "./surface";

interface Moment {
    paint: Paint;
    surface: Surface;
    mesh: Mesh<Surface["geometry"], MeshStandardMaterial>;
    /** Of the frame it shows. */
    index: number;
    /** What its colours count as the most. */
    most: number;
}

export class Moments {
    readonly group = new Group();
    private moments: Moment[] = [];
    private field: Field | null = null;

    constructor(private run: Run, private shape: SurfaceShape) {}

    get count(): number {
        return this.moments.length;
    }

    setCount(count: number): void {
        while (this.moments.length > count) {
            const gone = this.moments.pop();
            if (!gone) break;
            this.group.remove(gone.mesh);
            gone.surface.dispose();
            gone.mesh.material.dispose();
        }
        while (this.moments.length < count) {
            const paint = new Paint(this.run, this.shape);
            const surface = new Surface(this.shape, this.run.movingVertices, paint.attribute);
            // Far sides would shine through; only sheets have two that are seen.
            const side = this.run.info.bodies.some((body) => body.kind === "shell") ? DoubleSide : FrontSide;
            const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, side, transparent: true });
            const mesh = new Mesh(surface.geometry, material);
            mesh.frustumCulled = false;
            mesh.visible = false;
            this.group.add(mesh);
            this.moments.push({ paint, surface, mesh, index: -1, most: 0 });
        }
        this.moments.forEach(({ mesh }, k) => (mesh.material.opacity = 0.2 + (0.5 * (k + 1)) / count));
    }

    clip(planes: Plane[]): void {
        for (const { mesh } of this.moments) mesh.material.clippingPlanes = planes;
    }

    colourBy(field: Field | null): void {
        this.field = field;
        for (const moment of this.moments) {
            moment.index = -1;
            moment.paint.byBody();
        }
    }

    /** Pulls and shows what is missing; says whether something new is seen. */
    show(): boolean {
        let news = false;
        const last = this.run.times.length - 1;
        this.moments.forEach((moment, k) => {
            const index = Math.round((k * last) / Math.max(this.moments.length - 1, 1));
            if (moment.index === index && moment.most === (this.field?.most ?? 0)) return;
            const frame = this.run.frames.get(index);
            if (!frame) return this.run.frames.want(index, 0, last + 1);
            if (this.field?.show(frame)) moment.paint.byField(this.field);
            else if (this.field) return;
            moment.surface.show(frame);
            moment.mesh.visible = true;
            moment.index = index;
            moment.most = this.field?.most ?? 0;
            news = true;
        });
        return news;
    }
}
