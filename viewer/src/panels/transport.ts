// The bar under the picture: play, pause, scrub, speed, step by step.
import { button, make, setText } from "../page/dom";
import { icon } from "../page/icons";
import { type Player, SPEEDS } from "../run/player";

export class Transport {
    readonly element: HTMLElement;
    private play: HTMLButtonElement;
    private slider: HTMLInputElement;
    private clock = make("output", { class: "clock", "aria-label": "Time that is shown" });
    private speed: HTMLSelectElement;
    private follow: HTMLButtonElement;
    private loop: HTMLButtonElement;
    /** What the buttons show. */
    private state = "";

    constructor(private player: Player) {
        this.play = button(icon("play"), "Play (Space)", () => player.toggle(), { class: "primary" });
        this.slider = make("input", {
            type: "range", min: 0, max: 1, step: "any", value: 0, class: "scrub", "aria-label": "Time",
            oninput: () => player.seek(Number(this.slider.value)),
        });
        const options = SPEEDS.map((speed) => make("option", { value: speed }, `${speed}×`));
        const choose = () => player.setSpeed(Number(this.speed.value));
        this.speed = make("select", { "aria-label": "Speed", title: "Speed (↑ ↓)", onchange: choose }, ...options);
        this.follow = button("● now", "Follow the run as it is simulated (Q)", () => player.setFollow(!player.follow), { class: "follow" });
        this.loop = button(icon("loop"), "Begin again at the end", () => {
            player.loop = !player.loop;
            this.renew();
        });
        this.element = make("div", { class: "transport", role: "toolbar", "aria-label": "Time" },
            button(icon("start"), "To the start (Home)", () => player.seek(0)),
            button(icon("back"), "One frame back (←)", () => player.step(-1)),
            this.play,
            button(icon("on"), "One frame on (→)", () => player.step(1)),
            button(icon("end"), "To the end (End)", () => player.seek(player.end)),
            this.slider, this.clock, this.speed, this.loop, this.follow);
        player.listen(() => this.renew());
        this.renew();
    }

    renew(): void {
        const { player } = this;
        const run = player.runs[0];
        const words = player.playing ? "Pause (Space)" : "Play (Space)";
        if (this.play.title !== words) {
            this.play.replaceChildren(icon(player.playing ? "pause" : "play"));
            this.play.title = words;
            this.play.setAttribute("aria-label", words);
        }
        const end = String(player.end || 1);
        if (this.slider.max !== end) this.slider.max = end;
        this.slider.value = String(player.t);
        const index = run?.frameAt(player.t) ?? 0;
        setText(this.clock, `${player.t.toFixed(2)} / ${player.end.toFixed(2)} s · frame ${index}`);
        const state = `${player.speed} ${player.loop} ${player.follow} ${player.runs.some((each) => each.live)}`;
        if (state === this.state) return;
        this.state = state;
        this.speed.value = String(player.speed);
        this.loop.setAttribute("aria-pressed", String(player.loop));
        this.follow.setAttribute("aria-pressed", String(player.follow));
        this.follow.hidden = !player.runs.some((each) => each.live);
    }
}
