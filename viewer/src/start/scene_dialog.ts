// A scene before it is run: its main parameters with what they mean, the file itself, and the button that starts it.
import { make } from "../page/dom";
import type { Notices } from "../page/notices";
import type { MainParameter, SceneForm, SceneItem, Source } from "../source/source";

export class SceneDialog {
    private fields: { parameter: MainParameter; field: HTMLInputElement | HTMLSelectElement }[];
    private dialog: HTMLDialogElement;
    private wrong = make("p", { class: "wrong", role: "alert" });
    private run = make("button", { type: "submit", class: "primary" }, "Run it");

    static async open(source: Source, notices: Notices, scene: SceneItem, host: HTMLElement, started: (run: string) => void): Promise<void> {
        try {
            const form = await source.scene(scene.name);
            new SceneDialog(source, scene, form, host, started);
        } catch (error) {
            notices.say(error instanceof Error ? error.message : String(error));
        }
    }

    private constructor(
        private source: Source,
        private scene: SceneItem,
        form: SceneForm,
        host: HTMLElement,
        private started: (run: string) => void,
    ) {
        this.fields = form.main.map((parameter) => ({ parameter, field: fieldOf(parameter) }));
        const rows = this.fields.map(({ parameter, field }) => make("label", { class: "parameter" },
            make("span", {}, nameOf(parameter.path), make("code", {}, parameter.path)), field,
            make("small", {}, parameter.words.replaceAll("`", ""))));
        this.dialog = make("dialog", { class: "scene", "aria-label": scene.title, onclose: () => this.dialog.remove() },
            make("form", { method: "dialog", onsubmit: (event: SubmitEvent) => void this.submit(event) },
                make("h2", {}, scene.title), make("p", {}, scene.summary),
                make("div", { class: "parameters" }, ...rows),
                make("details", {}, make("summary", {}, "The scene's file"), make("pre", {}, form.toml)),
                this.wrong,
                make("div", { class: "pair end" }, make("button", { type: "button", onclick: () => this.dialog.close() }, "Back"), this.run)));
        host.append(this.dialog);
        this.dialog.showModal();
        this.run.focus();
    }

    private async submit(event: SubmitEvent): Promise<void> {
        event.preventDefault();
        const changed = this.fields.filter(({ parameter, field }) => field.value !== written(parameter.value));
        const set = Object.fromEntries(changed.map(({ parameter, field }) => [parameter.path, field.value]));
        this.run.disabled = true;
        this.wrong.textContent = "";
        try {
            const { run } = await this.source.steer("start", { scene: this.scene.name, set });
            this.dialog.close();
            this.started(String(run));
        } catch (error) {
            this.wrong.textContent = error instanceof Error ? error.message : String(error);
        }
        this.run.disabled = false;
    }
}

function fieldOf({ value, path, choices }: MainParameter): HTMLInputElement | HTMLSelectElement {
    const now = written(value);
    if (!choices.length) return make("input", { value: now, name: path, spellcheck: "false", placeholder: "not set", title: path });
    // What the scene has now may be none of the list: a method with parameters, or nothing.
    const all = choices.includes(now) ? choices : [now, ...choices];
    const options = all.map((choice) => make("option", { value: choice }, choice || "not set"));
    const field = make("select", { name: path, title: path }, ...options);
    field.value = now;
    return field;
}

/** Keys of the scene's file in words. */
const NAMES: Record<string, string> = {
    "run.h": "Time step", "run.duration": "Simulated time", "run.integrator": "Method", "run.frame_rate": "Frames a second",
    "run.contacts": "Contacts and forces", "energy.target": "The energy", "energy.tau": "It fades over", "gravity": "Gravity",
    "material.youngs_modulus": "Stiffness", "material.density": "Density", "material.friction": "Friction", "height": "Height",
    "velocity.linear": "Speed at the start",
};

/** `body.1.height` is the height of body 2. */
function nameOf(path: string): string {
    const [, body, key] = /^body\.(\d+)\.(.+)$/.exec(path) ?? [];
    return body !== undefined && key !== undefined ? `${NAMES[key] ?? key}, body ${Number(body) + 1}` : NAMES[path] ?? path;
}

/** A value as the scene's file has it. */
function written(value: unknown): string {
    if (value === null || value === undefined) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
}
