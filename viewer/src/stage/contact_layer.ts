// Contacts of a frame: a point each, and arrows for the force that presses and for friction.
import {
    BufferAttribute, BufferGeometry, ConeGeometry, DynamicDrawUsage, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4,
    MeshBasicMaterial, Points, PointsMaterial, Quaternion, Vector3,
} from "three";
import type { Run } from "../run/run";
import { CONTACT_SIZE } from "../source/source";

/** The longest arrow against the size of what is seen. */
const LONGEST = 0.35;
const PRESSES = 0xd55e00;
const RUBS = 0x0072b2;

export class ContactLayer {
    readonly group = new Group();
    showsPoints = false;
    showsForces = false;
    count = 0;
    /** Greatest force seen so far [N]: arrows mean the same in all frames. */
    most = 0;
    private points: Points;
    private presses = new Arrows(PRESSES, 3);
    private rubs = new Arrows(RUBS, 6);
    private shown = -1;
    private asked = -1;

    constructor(private run: Run, private size: number, private arrived: () => void) {
        const look = new PointsMaterial({ color: 0xcc3377, size: 6, sizeAttenuation: false, depthTest: false, transparent: true });
        this.points = new Points(new BufferGeometry(), look);
        this.points.frustumCulled = false;
        this.points.renderOrder = 3;
        this.group.add(this.points, this.presses.group, this.rubs.group);
    }

    get wanted(): boolean {
        return (this.showsPoints || this.showsForces) && this.run.info.has.contacts;
    }

    show(index: number): void {
        this.group.visible = this.wanted;
        this.points.visible = this.showsPoints;
        this.presses.group.visible = this.rubs.group.visible = this.showsForces;
        if (this.wanted && this.shown !== index && this.asked !== index) void this.pull(index);
    }

    private async pull(index: number): Promise<void> {
        this.asked = index;
        try {
            const contacts = await this.run.source.contacts(this.run.id, index);
            if (this.asked === index) this.set(index, contacts);
        } catch {
            this.set(index, new Float32Array());
        }
    }

    private set(index: number, contacts: Float32Array): void {
        this.shown = index;
        this.count = contacts.length / CONTACT_SIZE;
        const places = grown(this.points.geometry, this.count);
        for (let k = 0; k < this.count; k++) {
            const at = CONTACT_SIZE * k;
            for (let axis = 0; axis < 3; axis++) places.array[3 * k + axis] = contacts[at + axis] as number;
            this.most = Math.max(this.most, Math.hypot(contacts[at + 3]!, contacts[at + 4]!, contacts[at + 5]!));
        }
        places.needsUpdate = true;
        this.points.geometry.setDrawRange(0, this.count);
        const scale = (LONGEST * this.size) / (this.most || 1);
        this.presses.set(contacts, scale, 0.02 * this.size);
        this.rubs.set(contacts, scale, 0.02 * this.size);
        this.arrived();
    }
}

/** The geometry's positions, with room for so many. */
function grown(geometry: BufferGeometry, count: number): BufferAttribute {
    const old = geometry.getAttribute("position") as BufferAttribute | undefined;
    if (old && old.count >= count) return old;
    geometry.dispose();
    const places = new BufferAttribute(new Float32Array(6 * Math.max(count, 64)), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", places);
    return places;
}

class Arrows {
    readonly group = new Group();
    private shafts: LineSegments;
    private heads: InstancedMesh | null = null;
    private cone = new ConeGeometry(0.35, 1, 12);

    /** `column`: where the force stands among a contact's numbers. */
    constructor(private colour: number, private column: number) {
        this.shafts = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: colour }));
        this.shafts.frustumCulled = false;
        this.group.add(this.shafts);
    }

    set(contacts: Float32Array, scale: number, head: number): void {
        const count = contacts.length / CONTACT_SIZE;
        const places = grown(this.shafts.geometry, 2 * count);
        const heads = this.headsFor(count);
        const [from, force, matrix, turn, y] = [new Vector3(), new Vector3(), new Matrix4(), new Quaternion(), new Vector3(0, 1, 0)];
        const size = new Vector3();
        for (let k = 0; k < count; k++) {
            from.fromArray(contacts, CONTACT_SIZE * k);
            force.fromArray(contacts, CONTACT_SIZE * k + this.column).multiplyScalar(scale);
            const length = force.length();
            from.toArray(places.array, 6 * k);
            from.add(force).toArray(places.array, 6 * k + 3);
            turn.setFromUnitVectors(y, force.normalize());
            matrix.compose(from, turn, size.setScalar(length > 0 ? Math.min(head, 0.5 * length) : 0));
            heads.setMatrixAt(k, matrix);
        }
        places.needsUpdate = true;
        heads.instanceMatrix.needsUpdate = true;
        heads.count = count;
        this.shafts.geometry.setDrawRange(0, 2 * count);
    }

    private headsFor(count: number): InstancedMesh {
        const room = this.heads?.instanceMatrix.count ?? 0;
        if (this.heads && room >= count) return this.heads;
        if (this.heads) {
            this.group.remove(this.heads);
            this.heads.dispose();
        }
        this.heads = new InstancedMesh(this.cone, new MeshBasicMaterial({ color: this.colour }), 2 * Math.max(count, 32));
        this.heads.frustumCulled = false;
        this.group.add(this.heads);
        return this.heads;
    }
}
