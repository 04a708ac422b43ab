// What steers a live run: go and pause, the energy that is wanted, gravity, the correction, the method.
import { button, make, readable, row, saveFile, seconds, section } from "../page/dom";
import type { Run } from "../run/run";

/** Decay times on the dial [s]: a slider from 0 to 100 goes through them evenly in their logarithm. */
const [SHORTEST, LONGEST] = [0.05, 20];

const STATES: Record<string, string> = {
    running: "running", paused: "paused", finished: "finished", failed: "failed", interrupted: "stopped",
};

/** Simulated seconds a second at most; 0 for no bound. */
const PACES = [
    { speed: 0, words: "as fast as it goes" },
    { speed: 1, words: "as in life" },
    { speed: 0.5, words: "half as fast" },
    { speed: 0.1, words: "ten times slower" },
];

export interface DialActions {
    steer(ask: string, words: Record<string, unknown>): Promise<Record<string, unknown>>;
    /** Lets the wanted energy be drawn on the chart, or ends it. */
    draw(on: boolean): void;
    drawing(): boolean;
    branch(change: Record<string, unknown>): void;
}

export class Dials {
    readonly element: HTMLElement;
    private state = make("p", { class: "state", "aria-live": "polite" });
    private bar = make("progress", { max: 1, value: 0, "aria-label": "How far the run is" });
    private go: HTMLButtonElement;
    private wish: HTMLSelectElement;
    private decay: HTMLInputElement;
    private decayWords = make("b", {});
    private gravity: HTMLInputElement;
    private gravityWords = make("b", {});
    private least: HTMLInputElement;
    private most: HTMLInputElement;
    private method: HTMLSelectElement;
    private methodInForce = "";

    constructor(private run: Run, private actions: DialActions) {
        this.go = button("Pause", "Pause or go on (G)", () => this.toggle(), { class: "primary" });
        this.wish = make("select", { "aria-label": "What becomes of the energy", onchange: () => this.wishFor(this.wish.value) },
            make("option", { value: "conserve" }, "keep it"),
            make("option", { value: "decay" }, "let it fade"),
            make("option", { value: "curve-joules" }, "draw it below"));
        this.decay = make("input", {
            type: "range", min: 0, max: 100, step: 1, "aria-label": "Fades over", id: "decay",
            oninput: () => this.renewDecay(), onchange: () => this.wishFor("decay"),
        });
        this.gravity = make("input", {
            type: "range", min: 0, max: 20, step: 0.01, "aria-label": "Gravity",
            oninput: () => this.renewGravity(), onchange: () => this.changeGravity(),
        });
        const alpha = (words: string) => make("input", {
            type: "number", step: 0.05, min: 0, max: 3, "aria-label": words, onchange: () => this.changeAlpha(),
        });
        this.least = alpha("Least correction (α)");
        this.most = alpha("Greatest correction (α)");
        const methods = run.info.integrators.map((name) => make("option", { value: name }, name));
        this.method = make("select", { "aria-label": "Method", "data-after-end": true }, ...methods);
        this.element = make("div", {}, this.runSection(), this.steerSection());
        run.listen((news) => {
            if (news === "state") this.renewState();
            if (news === "changes") this.renewDials();
        });
        this.decay.value = String(dialOf(run.now.energy.tau ?? 2));
        this.renewState();
        this.renewDials();
    }

    private runSection(): HTMLElement {
        const ask = (what: string, more = {}) => () => void this.actions.steer(what, { run: this.run.id, ...more });
        const pace = make("select", { "aria-label": "How fast it is simulated", onchange: () => {
            const speed = Number(pace.value) || null;
            void this.actions.steer("pace", { run: this.run.id, speed });
        } }, ...PACES.map(({ speed, words }) => make("option", { value: speed }, words)));
        const paced = row("Pace", pace, "Small scenes are simulated faster than you can watch");
        return section("Live", this.state, this.bar, paced, make("div", { class: "pair" }, this.go,
            button("Step", "Simulate one step and pause (N)", ask("step", { count: 1 })),
            button("Stop", "End the run here; what was simulated stays", ask("stop")),
            button("Save", "Save the scene with all changes so far, as a file (Ctrl S)", () => void this.save(), { "data-after-end": true })));
    }

    private steerSection(): HTMLElement {
        const [low, high] = [row("least", this.least), row("at most", this.most)];
        return section("Dials",
            row("The energy", this.wish, "What should become of the energy of all bodies (E draws it)"),
            row("Fades over", make("span", { class: "pair" }, this.decay, this.decayWords), "After this time, the decay time τ, 37 % of the energy are left"),
            row("Gravity", make("span", { class: "pair" }, this.gravity, this.gravityWords), "How strongly everything is pulled down: 9.8 on Earth, 1.6 on the Moon"),
            make("div", { class: "row tall", title: "The interval of α: how much the velocities may be corrected to meet the energy" },
                make("span", {}, "How hard the correction may work (α)"), make("span", { class: "pair" }, low, high)),
            row("Method", this.method, "How each next moment is computed: a-search meets the wanted energy, the others do what they do with it"),
            make("div", { class: "pair" },
                button("Switch here", "Go on with this method from now on", () => this.change({ integrator: this.method.value })),
                button("Branch", "Start a second run with this method from the time that is shown, beside this one",
                    () => this.actions.branch({ integrator: this.method.value }), { "data-after-end": true })));
    }

    private renewState(): void {
        const { run } = this;
        const { progress, state } = run;
        const left = state === "running" && progress?.remaining ? ` · ${seconds(progress.remaining)} left` : "";
        const words = state === "failed" && progress?.words ? `failed: ${progress.words}` : STATES[state] ?? state;
        this.state.textContent = `${words} · ${readable(progress?.t ?? run.end)} of ${readable(run.info.duration)} s${left}`;
        this.state.dataset["state"] = state;
        this.bar.value = (progress?.t ?? run.end) / (run.info.duration || 1);
        this.go.textContent = state === "paused" ? "Go on" : "Pause";
        // What makes no sense after the end; branches and scenes do.
        this.element.querySelectorAll<HTMLInputElement>("button, input, select").forEach((each) => {
            each.disabled = !run.live && !each.hasAttribute("data-after-end");
        });
    }

    /** Dials stand where the program says, but for the one in someone's hand. */
    private renewDials(): void {
        const { run } = this;
        const active = document.activeElement;
        if (active !== this.wish && !this.actions.drawing()) this.wish.value = ["decay", "curve-joules"].includes(run.now.energy.target) ? run.now.energy.target : "conserve";
        if (active !== this.decay && run.now.energy.tau) this.decay.value = String(dialOf(run.now.energy.tau));
        if (active !== this.gravity) this.gravity.value = String(Math.hypot(...run.now.gravity));
        if (active !== this.least && active !== this.most) this.renewAlpha();
        const method = run.now.integrator.split(":")[0] ?? "";
        // What was chosen and not yet switched to stays chosen.
        if (method !== this.methodInForce) this.method.value = this.methodInForce = method;
        this.renewDecay();
        this.renewGravity();
    }

    toggle(): void {
        void this.actions.steer(this.run.state === "paused" ? "go" : "pause", { run: this.run.id });
    }

    step(): void {
        void this.actions.steer("step", { run: this.run.id, count: 1 });
    }

    async save(): Promise<void> {
        const { toml } = await this.actions.steer("save", { run: this.run.id });
        if (typeof toml === "string") saveFile(`${this.run.info.name}.toml`, new Blob([toml], { type: "application/toml" }));
    }

    wishFor(target: string): void {
        this.wish.value = target;
        this.actions.draw(target === "curve-joules");
        if (target === "decay") this.change({ energy: { target, tau: this.tau } });
        else if (target === "conserve") this.change({ energy: { target } });
    }

    private get tau(): number {
        return Number((SHORTEST * (LONGEST / SHORTEST) ** (Number(this.decay.value) / 100)).toPrecision(2));
    }

    private change(change: Record<string, unknown>): void {
        void this.actions.steer("change", { run: this.run.id, change });
    }

    private changeGravity(): void {
        const pull = Number(this.gravity.value);
        const now = this.run.now.gravity;
        const size = Math.hypot(...now);
        const down = size > 0 ? now.map((part) => part / size) : this.run.info.up.map((part) => -part);
        this.change({ gravity: down.map((part) => pull * part) });
    }

    private changeAlpha(): void {
        const name = this.run.now.integrator.split(":")[0];
        const kept = parameters(this.run.now.integrator).filter(([key]) => key !== "min" && key !== "max").map(([key, value]) => `${key}=${value}`);
        this.change({ integrator: `${name}:${[...kept, `min=${this.least.value}`, `max=${this.most.value}`].join(",")}` });
    }

    private renewAlpha(): void {
        const given = Object.fromEntries(parameters(this.run.now.integrator));
        this.least.value = given["min"] ?? "0";
        this.most.value = given["max"] ?? "1.1";
    }

    private renewDecay(): void {
        this.decayWords.textContent = `${readable(this.tau)} s`;
    }

    private renewGravity(): void {
        this.gravityWords.textContent = `${Number(Number(this.gravity.value).toFixed(2))} m/s²`;
    }
}

function dialOf(tau: number): number {
    return Math.round((100 * Math.log(tau / SHORTEST)) / Math.log(LONGEST / SHORTEST));
}

/** Of `a-search:min=0,max=1.1`. */
function parameters(integrator: string): [string, string][] {
    const pairs = integrator.split(":")[1]?.split(",") ?? [];
    return pairs.map((pair) => pair.split("=") as [string, string]);
}
