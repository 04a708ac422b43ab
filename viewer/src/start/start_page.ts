// The first page: scenes to run with a click, and finished runs to look at, alone or side by side.
import { make, seconds } from "../page/dom";
import type { Notices } from "../page/notices";
import type { RunItem, SceneItem, Source } from "../source/source";
import { pictureOf } from "./pictures";
import { SceneDialog } from "./scene_dialog";

export class StartPage {
    readonly element: HTMLElement;
    private scenes = make("div", { class: "cards" });
    private runs = make("div", { class: "runs" });
    private runsSection: HTMLElement;
    private chosen = new Set<string>();
    private together: HTMLButtonElement;

    constructor(private source: Source, private notices: Notices, private openRuns: (ids: string[]) => void) {
        this.together = make("button", { type: "button", class: "primary", hidden: true, onclick: () => openRuns([...this.chosen]) });
        this.runsSection = make("section", { hidden: true }, make("div", { class: "heading" }, make("h2", {}, "Runs"), this.together), this.runs);
        this.element = make("main", { class: "start" },
            make("section", { class: "intro" },
                make("h1", {}, "Bodies that keep their bounce"),
                make("p", {}, "Pick a scene and watch it being simulated. While it runs, pull a body, turn gravity, or let the energy fade.")),
            this.runsSection,
            make("section", {}, make("h2", {}, "Scenes"), this.scenes));
        void this.fill();
    }

    async fill(): Promise<void> {
        try {
            const { scenes, runs } = await this.source.list();
            this.scenes.replaceChildren(...scenes.map((scene) => this.card(scene)));
            this.runs.replaceChildren(...runs.map((run) => this.line(run)));
            this.runsSection.hidden = runs.length === 0;
        } catch (error) {
            this.notices.say(error instanceof Error ? error.message : String(error));
        }
    }

    private card(scene: SceneItem): HTMLElement {
        const picture = pictureOf(scene.name);
        const open = () => void SceneDialog.open(this.source, this.notices, scene, this.element, (run) => this.openRuns([run]));
        const head = picture ? make("img", { src: picture, alt: "" }) : make("div", { class: "no-picture" }, scene.name.slice(0, 1).toUpperCase());
        return make("button", { type: "button", class: "card", onclick: open, "aria-label": `${scene.title}: run it or change it` },
            head, make("strong", {}, scene.title.split(":")[0] ?? scene.title), make("span", { class: "summary" }, scene.summary),
            make("span", { class: "soft" }, `${scene.bodies} ${scene.bodies === 1 ? "body" : "bodies"} · ${seconds(scene.duration)}`));
    }

    private line(run: RunItem): HTMLElement {
        const box = make("input", {
            type: "checkbox", "aria-label": `Choose ${run.name} to look at several side by side`,
            onchange: () => this.choose(run.id, box.checked),
        });
        return make("div", { class: "run" }, box,
            make("button", { type: "button", class: "link", onclick: () => this.openRuns([run.id]) }, run.name),
            make("span", { class: "soft title" }, run.title),
            make("span", { class: "soft" }, `${seconds(run.duration)} · ${run.frames} frames`),
            make("span", { class: "badge", "data-state": run.state }, run.state));
    }

    private choose(id: string, on: boolean): void {
        if (on) this.chosen.add(id);
        else this.chosen.delete(id);
        this.together.hidden = this.chosen.size < 2;
        this.together.textContent = `Open ${this.chosen.size} side by side`;
    }
}
