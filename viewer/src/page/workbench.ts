// Runs that are open, on one screen: the picture, the time, the charts, what steers and what is seen.
import { Charts } from "../chart/charts";
import { ChangeList } from "../panels/change_list";
import { Dials } from "../panels/dials";
import { Facts } from "../panels/facts";
import { LookPanel } from "../panels/look_panel";
import { Transport } from "../panels/transport";
import { Player } from "../run/player";
import type { Run } from "../run/run";
import type { Change, Source, SourceEvent } from "../source/source";
import { Capture } from "../stage/capture";
import { Grab } from "../stage/grab";
import { Stage } from "../stage/stage";
import { button, make } from "./dom";
import type { Notices } from "./notices";
import type { Theme } from "./theme";
import { Keys } from "./keys";
import { workbenchKeys } from "./workbench_keys";

/** Statistics are pulled no more often [ms]. */
const PAUSE = 200;

export class Workbench {
    readonly element: HTMLElement;
    readonly player: Player;
    readonly stage: Stage;
    readonly charts: Charts;
    readonly look: LookPanel;
    readonly dials: Dials | null = null;
    readonly capture: Capture;
    readonly grab: Grab;
    readonly keys: Keys;
    private transport: Transport;
    private labels = make("div", { class: "labels" });
    private film: HTMLButtonElement;
    private last = 0;
    private pulled = 0;
    private closed = false;

    constructor(
        readonly source: Source,
        readonly runs: Run[],
        readonly theme: Theme,
        private notices: Notices,
        private openRuns: (ids: string[]) => void,
    ) {
        this.player = new Player(runs);
        this.stage = new Stage(runs);
        this.charts = new Charts(this.player);
        this.transport = new Transport(this.player);
        this.capture = new Capture(this.stage, () => this.caption(), (words) => notices.say(words));
        this.film = button("Film", "Record what is seen as a WebM film (O)", () => this.toggleFilm());
        this.look = new LookPanel(this.stage, () => this.capture.picture(), this.film);
        this.grab = new Grab(this.stage, (ask, words) => void this.steer(ask, words));
        const first = runs[0];
        if (first?.info.live) this.dials = this.makeDials(first);
        const pictures = make("div", { class: "stage" }, this.stage.canvas, this.labels);
        const side = make("aside", { class: "side", "aria-label": "Controls" },
            this.dials?.element, this.dials && first ? new ChangeList(first).element : null, this.look.element,
            first ? new Facts(runs).element : null);
        this.stage.canvas.tabIndex = 0;
        this.stage.canvas.setAttribute("role", "img");
        this.stage.canvas.setAttribute("aria-label", `Picture of ${runs.map((run) => run.info.title).join(", ")}`);
        const below = make("div", { class: "below" }, this.transport.element, this.charts.element);
        this.element = make("main", { class: "workbench" }, pictures, side, below);
        this.keys = new Keys(workbenchKeys(this), this.element);
        new ResizeObserver(() => this.resize(pictures)).observe(pictures);
        theme.listen((dark) => {
            this.stage.wear(dark);
            this.charts.wear(dark);
        });
        runs.forEach((run) => run.listen((news) => {
            if (news === "stats") this.charts.renew();
            if (news === "state") this.transport.renew();
            if (news === "trouble") notices.say(run.trouble);
        }));
        if (runs.some((run) => run.live)) this.player.setFollow(true);
        requestAnimationFrame((now) => this.tick(now));
    }

    /** Nothing goes on after this. */
    dispose(): void {
        this.closed = true;
        this.keys.dispose();
        this.theme.forget();
        this.stage.controls.dispose();
        this.stage.renderer.dispose();
        // Browsers give a page few of them.
        this.stage.renderer.forceContextLoss();
        this.element.remove();
    }

    hear(event: SourceEvent): void {
        if (event.event === "connection") {
            this.notices.keep(event.words);
            if (event.up) this.runs.forEach((run) => void run.renew().catch((error: Error) => this.notices.say(error.message)));
            return;
        }
        if (event.event === "listed") return;
        const run = this.runs.find((each) => each.id === event.run);
        if (event.event === "progress") run?.hearProgress(event);
        else run?.hearChanges(event.changes);
    }

    toggleFilm(): void {
        this.capture.film();
        this.film.textContent = this.capture.filming ? "■ End film" : "Film";
        this.film.setAttribute("aria-pressed", String(this.capture.filming));
    }

    /** Whether a person draws the wanted energy on the chart. */
    draw(on: boolean): void {
        const run = this.runs[0];
        const wish = (curve: [number, number][]) => ({ run: run?.id, change: { energy: { target: "curve-joules", curve } } });
        if (on && run) this.charts.startDrawing((curve) => void this.steer("change", wish(curve)));
        else if (this.charts.drawing) this.charts.stopDrawing();
    }

    private makeDials(run: Run): Dials {
        return new Dials(run, {
            steer: (ask, words) => this.steer(ask, words),
            draw: (on) => this.draw(on),
            drawing: () => this.charts.drawing,
            branch: (change) => void this.branch(run, change),
        });
    }

    private async branch(run: Run, change: Record<string, unknown>): Promise<void> {
        const answer = await this.steer("branch", { run: run.id, t: this.player.t, change });
        if (typeof answer["run"] === "string") this.openRuns([answer["run"], ...this.runs.map((each) => each.id)]);
    }

    private async steer(ask: string, words: Record<string, unknown>): Promise<Record<string, unknown>> {
        try {
            const answer = await this.source.steer(ask, words);
            // The answer tells of the change before the event does.
            const run = this.runs.find((each) => each.id === words["run"]);
            if (run && Array.isArray(answer["changes"])) run.hearChanges(answer["changes"] as Change[]);
            return answer;
        } catch (error) {
            this.notices.say(error instanceof Error ? error.message : String(error));
            return {};
        }
    }

    private resize(pictures: HTMLElement): void {
        const { clientWidth: width, clientHeight: height } = pictures;
        if (!width || !height) return;
        const first = this.stage.panes.length === 0;
        this.stage.resize(width, height);
        if (first) this.stage.reset();
        const several = this.runs.length > 1;
        this.labels.replaceChildren(...this.stage.panes.map((pane) => make("div", {
            style: `left: ${pane.x}px; top: ${pane.y}px; width: ${pane.width}px; height: ${pane.height}px`,
        }, make("span", {}, several ? pane.view.run.info.name : ""))));
    }

    private tick(now: number): void {
        if (this.closed) return;
        const seconds = Math.min((now - this.last) / 1000, 0.25);
        this.last = now;
        this.grab.show();
        if (this.stage.show(this.player.t, this.player.playing || this.player.follow, this.player.follow)) {
            this.capture.drawn();
            this.look.renewLegend();
        }
        // After the picture: a frame that was waited for is seen before the clock goes on.
        this.player.tick(seconds);
        if (now - this.pulled > PAUSE) {
            this.pulled = now;
            for (const run of this.runs) {
                // Rows of a live run come by and by; once more after its end.
                if ((run.progress?.rows ?? 0) > run.pulledRows) void run.pullStatistics().catch(() => undefined);
            }
        }
        requestAnimationFrame((next) => this.tick(next));
    }

    private caption() {
        const several = this.runs.length > 1;
        return {
            time: `t = ${this.player.t.toFixed(2)} s`,
            names: this.runs.map((run) => (several ? run.info.name : "")),
            legend: this.look.caption(),
        };
    }
}
