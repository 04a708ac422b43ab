// What surfaces are drawn with: closed ones from outside alone, which halves the work; sheets, obstacles and what is cut from both sides.
import {
    type BufferGeometry, DoubleSide, FrontSide, type Material, MeshLambertMaterial, MeshStandardMaterial, type MeshStandardMaterialParameters,
    type Plane, type Side, Vector3,
} from "three";
import type { BodyInfo, Mesh } from "../source/source";
import { hasGraphicsCard } from "./graphics";
import { PlainMaterial } from "./plain_material";

/** Places in the list of materials. */
const [CLOSED, OPEN] = [0, 1];

/** Triangles one after the other that are drawn alike: first, and one past the last. */
export interface Patch {
    triangles: [number, number];
    closed: boolean;
}

/** Closed bodies of as many triangles have vertices so close that light at them is enough. */
const MANY = 20_000;

export class Skin {
    readonly materials: Material[];
    private usual: MeshStandardMaterial | MeshLambertMaterial;
    /** In its place, where the processor draws many triangles: without shadows, and not cut. */
    private plain: Material | null = null;
    private shadows = false;
    private cut = false;

    constructor(patches: Patch[], geometry: BufferGeometry, look: MeshStandardMaterialParameters) {
        this.usual = material(FrontSide, look);
        this.materials = [this.usual, material(DoubleSide, look)];
        let many = 0;
        for (const { triangles: [first, end], closed } of patches) {
            geometry.addGroup(3 * first, 3 * (end - first), closed ? CLOSED : OPEN);
            if (closed) many += end - first;
        }
        if (many >= MANY && !look.transparent && !hasGraphicsCard()) this.plain = new PlainMaterial(look);
        this.choose();
    }

    get canBePlain(): boolean {
        return this.plain !== null;
    }

    /** Whether closed bodies are drawn from outside, lit at their vertices and without shadows. */
    get isPlain(): boolean {
        return this.materials[CLOSED] === this.plain;
    }

    private choose(): void {
        this.materials[CLOSED] = this.plain && !this.shadows && !this.cut ? this.plain : this.usual;
    }

    fade(opacity: number): void {
        for (const material of this.materials) material.opacity = opacity;
    }

    setShadows(on: boolean): void {
        this.shadows = on;
        this.choose();
    }

    /** What is cut shows its far sides. */
    clip(planes: Plane[]): void {
        this.cut = planes.length > 0;
        this.choose();
        for (const material of this.materials) material.clippingPlanes = planes;
        const side = this.cut ? DoubleSide : FrontSide;
        if (this.usual.side === side) return;
        this.usual.side = side;
        this.usual.needsUpdate = true;
    }

    dispose(): void {
        for (const material of [...this.materials, this.usual, this.plain]) material?.dispose();
    }
}

/** Without gloss where the processor makes the pictures: a third of its work was that. */
function material(side: Side, { roughness = 1, ...look }: MeshStandardMaterialParameters): MeshStandardMaterial | MeshLambertMaterial {
    const plain = { vertexColors: true, side, ...look };
    return hasGraphicsCard() ? new MeshStandardMaterial({ ...plain, roughness }) : new MeshLambertMaterial(plain);
}

/** Bodies in their order, as few patches as can be; the far side of a closed surface that looks outward is never seen. */
export function patchesOf(bodies: BodyInfo[], mesh: Mesh): Patch[] {
    const patches: Patch[] = [];
    for (const body of bodies) {
        const [first, end] = body.triangles;
        const closed = (body.kind === "solid" || body.kind === "affine") && isClosed(body, mesh);
        const last = patches.at(-1);
        if (last?.closed === closed && last.triangles[1] === first) last.triangles[1] = end;
        else if (end > first) patches.push({ triangles: [first, end], closed });
    }
    return patches;
}

/** The facets of a closed surface, as vectors as long as their areas, add up to nothing; those that look outward hold a volume. */
function isClosed(body: BodyInfo, { rest, triangles }: Mesh): boolean {
    const [a, b, c, sum] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    let [area, volume] = [0, 0];
    const base = new Vector3().fromArray(rest, 3 * body.vertices[0]);
    for (let k = 3 * body.triangles[0]; k < 3 * body.triangles[1]; k += 3) {
        a.fromArray(rest, 3 * (triangles[k] as number)).sub(base);
        b.fromArray(rest, 3 * (triangles[k + 1] as number)).sub(base);
        c.fromArray(rest, 3 * (triangles[k + 2] as number)).sub(base);
        const facet = b.sub(a).cross(c.sub(a));
        sum.add(facet);
        area += facet.length();
        volume += facet.dot(a);
    }
    return volume > 0 && sum.length() < 1e-3 * area;
}
