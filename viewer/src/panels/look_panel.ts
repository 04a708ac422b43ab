// How the runs are seen: colours, wireframe, contacts, cuts, moments; pictures and films of it.
import { Vector3 } from "three";
import { button, check, make, readable, row, section } from "../page/dom";
import { fieldColour } from "../stage/colours";
import { type ColourBy, COLOURINGS } from "../stage/field";
import type { Stage } from "../stage/stage";

const AXES: { words: string; normal: [number, number, number] }[] = [
    { words: "from the front", normal: [0, 1, 0] },
    { words: "from the side", normal: [-1, 0, 0] },
    { words: "from above", normal: [0, 0, -1] },
];

const STOPS = Array.from({ length: 9 }, (_, k) => `rgb(${fieldColour(k / 8).join(" ")})`);
const RAMP = `linear-gradient(90deg, ${STOPS.join(", ")})`;

export class LookPanel {
    readonly element: HTMLElement;
    colouring: ColourBy = "body";
    private axis = 0;
    private boxes: Record<"wireframe" | "contacts" | "forces" | "cut" | "shadows", HTMLInputElement>;
    private select: HTMLSelectElement;
    private legend = make("div", { class: "legend", hidden: true });
    private place: HTMLInputElement;
    private axisSelect: HTMLSelectElement;
    private moments: HTMLInputElement;
    private momentsWords = make("b", {}, "1");

    constructor(private stage: Stage, picture: () => void, film: HTMLButtonElement) {
        const { views } = stage;
        const contacts = views.some((view) => view.run.info.has.contacts);
        const tets = views.some((view) => view.cut.possible);
        const energy = views.every((view) => view.run.info.has.energy !== false);
        const colourings = COLOURINGS.filter(({ by }) => by !== "energy" || energy);
        this.select = make("select", { onchange: () => this.colourBy(this.select.value as ColourBy) },
            ...colourings.map(({ by, words }) => make("option", { value: by }, words)));
        const wireframe = check("Wireframe", false, () => this.apply(), "The edges of the surface (W)");
        const points = check("Contacts as points", false, () => this.apply(), "Where bodies touch (C)");
        const forces = check("Forces as arrows", false, () => this.apply(), "Orange: what presses; blue: what rubs (F)");
        const cut = check("Cut open", false, () => this.apply(), "See the inside, made of little tetrahedra (X)");
        const shadows = check("Shadows", stage.hasGraphicsCard, () => this.apply(), "Slow without a graphics card (S)");
        this.boxes = { wireframe: wireframe.box, contacts: points.box, forces: forces.box, cut: cut.box, shadows: shadows.box };
        const slider = (words: string, min: number, max: number, step: number, value: number) =>
            make("input", { type: "range", min, max, step, value, "aria-label": words, oninput: () => this.apply() });
        this.place = slider("Where it is cut", -1, 1, 0.01, 0);
        this.axisSelect = make("select", { "aria-label": "From where it is cut", onchange: () => this.turnCut(Number(this.axisSelect.value)) },
            ...AXES.map(({ words }, k) => make("option", { value: k }, words)));
        this.moments = slider("Moments in one picture", 1, 24, 1, 1);
        const why = "This run did not write its contacts. Run the scene with --set run.contacts=true to see them.";
        for (const each of [points, forces]) if (!contacts) unavailable(each.row, each.box, why);
        if (!tets) unavailable(cut.row, cut.box, "There is nothing inside to see: no solids here, or a saved page without them.");
        this.element = section("Look",
            row("Colour", this.select, "What colours mean (B)"), this.legend,
            wireframe.row, points.row, forces.row, shadows.row, cut.row,
            make("div", { class: "pair cut" }, this.axisSelect, this.place),
            row("Moments in one picture", make("span", { class: "pair" }, this.moments, this.momentsWords), "Superimposed moments of the run (M)"),
            make("div", { class: "pair" }, button("Picture", "Save what is seen as PNG (P)", picture), film));
    }

    toggle(name: keyof LookPanel["boxes"]): void {
        const box = this.boxes[name];
        if (box.disabled) return;
        box.checked = !box.checked;
        this.apply();
    }

    nextColouring(): void {
        const choices = [...this.select.options].map((option) => option.value as ColourBy);
        this.colourBy(choices[(choices.indexOf(this.colouring) + 1) % choices.length] ?? "body");
    }

    colourBy(by: ColourBy): void {
        this.colouring = by;
        this.select.value = by;
        this.stage.views.forEach((view) => view.colourBy(by));
        this.renewLegend();
    }

    moveCut(by: number): void {
        this.place.value = String(Number(this.place.value) + by);
        this.apply();
    }

    turnCut(axis = (this.axis + 1) % AXES.length): void {
        this.axis = axis;
        this.axisSelect.value = String(axis);
        this.apply();
    }

    nextMoments(): void {
        const choices = [1, 6, 12, 24];
        this.moments.value = String(choices.find((count) => count > Number(this.moments.value)) ?? 1);
        this.apply();
    }

    /** The greatest value grows while a run is watched. */
    renewLegend(): void {
        const field = COLOURINGS.find(({ by }) => by === this.colouring);
        this.legend.hidden = this.colouring === "body";
        if (!field || this.legend.hidden) return;
        const most = this.most();
        const words = `${field.words}: 0 to ${readable(most)} ${field.unit}`;
        if (this.legend.title === words) return;
        this.legend.title = words;
        this.legend.replaceChildren(
            make("div", { class: "ramp", style: `background: ${RAMP}` }),
            make("div", { class: "ends" }, make("span", {}, "0"), make("span", {}, `${readable(most)} ${field.unit}`)));
    }

    /** Words and greatest value of the colours, for pictures. */
    caption(): { words: string; most: string } | null {
        const field = COLOURINGS.find(({ by }) => by === this.colouring);
        return field && this.colouring !== "body" ? { words: field.words, most: `${readable(this.most())} ${field.unit}` } : null;
    }

    private most(): number {
        // Runs side by side share their colours.
        const most = Math.max(...this.stage.views.map((view) => view.field?.most ?? 0));
        for (const view of this.stage.views) {
            if (view.field && view.field.most !== most) {
                view.field.most = most;
                view.renew();
            }
        }
        return most;
    }

    private apply(): void {
        const { stage, boxes } = this;
        const count = Number(this.moments.value);
        this.momentsWords.textContent = String(count);
        const normal = new Vector3(...(AXES[this.axis]?.normal ?? [0, 1, 0]));
        const first = stage.views[0];
        const cut = first?.centre.clone().addScaledVector(normal, Number(this.place.value) * first.radius);
        if (cut) stage.plane.setFromNormalAndCoplanarPoint(normal, cut);
        for (const view of stage.views) {
            view.setWireframe(boxes.wireframe.checked, stage.isDark);
            view.contacts.showsPoints = boxes.contacts.checked;
            view.contacts.showsForces = boxes.forces.checked;
            view.castShadows(boxes.shadows.checked);
            view.setMoments(count > 1 ? count : 0);
            view.setCutting(boxes.cut.checked);
        }
        this.element.classList.toggle("cutting", boxes.cut.checked);
    }
}

function unavailable(row: HTMLElement, box: HTMLInputElement, why: string): void {
    box.disabled = true;
    row.title = why;
    row.classList.add("off");
}
