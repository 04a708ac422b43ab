// Superimposed moments: the same bodies at even times of the run, fainter the further back.
import { Group, Mesh, type Plane } from "three";
import type { Run } from "../run/run";
import type { Field } from "./field";
import { Paint } from "./paint";
import { type Patch, Skin } from "./skin";
import { Surface } from "./surface";
import type { SurfaceShape } from "./surface_shape";

interface Moment {
    paint: Paint;
    surface: Surface;
    mesh: Mesh;
    skin: Skin;
    /** Of the frame it shows. */
    index: number;
    /** What its colours count as the most. */
    most: number;
}

export class Moments {
    readonly group = new Group();
    private moments: Moment[] = [];
    private field: Field | null = null;

    constructor(private run: Run, private shape: SurfaceShape, private patches: Patch[]) {}

    get count(): number {
        return this.moments.length;
    }

    setCount(count: number): void {
        while (this.moments.length > count) {
            const gone = this.moments.pop();
            if (!gone) break;
            this.group.remove(gone.mesh);
            gone.surface.dispose();
            gone.skin.dispose();
        }
        while (this.moments.length < count) {
            const paint = new Paint(this.run, this.shape);
            const surface = new Surface(this.shape, paint.attribute);
            const skin = new Skin(this.patches, surface.geometry, { roughness: 0.6, transparent: true });
            const mesh = new Mesh(surface.geometry, skin.materials);
            mesh.frustumCulled = mesh.matrixAutoUpdate = mesh.visible = false;
            this.group.add(mesh);
            this.moments.push({ paint, surface, mesh, skin, index: -1, most: 0 });
        }
        this.moments.forEach(({ skin }, k) => skin.fade(0.2 + (0.5 * (k + 1)) / count));
    }

    clip(planes: Plane[]): void {
        for (const { skin } of this.moments) skin.clip(planes);
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
            moment.surface.show(frame, moment.mesh.matrix);
            moment.surface.turn([this.shape.index.array as Uint32Array]);
            moment.mesh.matrixWorldNeedsUpdate = true;
            moment.mesh.visible = true;
            moment.index = index;
            moment.most = this.field?.most ?? 0;
            news = true;
        });
        return news;
    }
}
