// The page around everything: the bar at the top and what is open below it.
import { Run } from "../run/run";
import type { Source, SourceEvent } from "../source/source";
import { StartPage } from "../start/start_page";
import { button, make } from "./dom";
import { handle } from "./handle";
import { icon } from "./icons";
import { Notices } from "./notices";
import { Theme } from "./theme";
import { Workbench } from "./workbench";

/** Where the address keeps what is open, so that a reload opens it again. */
const OPEN = "#runs=";

export class PageFrame {
    private theme = new Theme();
    private notices = new Notices();
    private title = make("span", { class: "title" });
    private home: HTMLButtonElement;
    private help: HTMLButtonElement;
    private bench: Workbench | null = null;
    private start: StartPage | null = null;
    private opening = 0;

    constructor(private source: Source, private host: HTMLElement) {
        this.home = button("Scenes and runs", "All scenes and runs", () => this.openRuns([]), { class: "quiet" });
        this.help = button("?", "All keys (?)", () => this.bench?.keys.help(), { class: "quiet" });
        host.append(
            make("header", {}, make("span", { class: "mark", "aria-hidden": "true" }), make("b", {}, "visviva"), this.title, this.home,
                button(icon("theme"), "Light or dark (T)", () => this.theme.toggle(), { class: "quiet" }),
                this.help),
            this.notices.element);
        source.listen((event) => this.hear(event));
        window.addEventListener("hashchange", () => void this.show(this.addressed()));
        void this.begin();
    }

    private async begin(): Promise<void> {
        try {
            const hello = await this.source.hello();
            const asked = this.addressed();
            await this.show(asked.length ? asked : hello.runs);
        } catch (error) {
            this.notices.keep(error instanceof Error ? error.message : String(error));
        }
    }

    private addressed(): string[] {
        const { hash } = window.location;
        return hash.startsWith(OPEN) ? decodeURIComponent(hash.slice(OPEN.length)).split(",").filter(Boolean) : [];
    }

    private openRuns(ids: string[]): void {
        const hash = OPEN + encodeURIComponent(ids.join(","));
        if (window.location.hash === hash) void this.show(ids);
        else window.location.hash = hash;
    }

    private async show(ids: string[]): Promise<void> {
        const turn = ++this.opening;
        try {
            const runs = await Promise.all(ids.map((id) => Run.open(this.source, id, ids.length)));
            if (turn !== this.opening) return;
            this.clear();
            if (runs.length) this.showRuns(runs);
            else this.showStart();
        } catch (error) {
            if (turn !== this.opening) return;
            this.notices.say(error instanceof Error ? error.message : String(error));
            // What the address names may be of yesterday.
            if (!this.bench && !this.start && this.source.steers) this.showStart();
        }
    }

    private showRuns(runs: Run[]): void {
        this.bench = new Workbench(this.source, runs, this.theme, this.notices, (ids) => this.openRuns(ids));
        this.host.append(this.bench.element);
        this.home.hidden = !this.source.steers;
        this.help.hidden = false;
        this.title.textContent = runs.length > 1 ? `${runs.length} runs side by side` : runs[0]?.info.title ?? "";
        document.title = `${runs.map((run) => run.info.name).join(", ")} · visviva`;
        window.visviva = handle(this.bench);
    }

    private showStart(): void {
        this.start = new StartPage(this.source, this.notices, (ids) => this.openRuns(ids));
        this.host.append(this.start.element);
        this.title.textContent = "";
        this.home.hidden = this.help.hidden = true;
        document.title = "visviva";
    }

    private clear(): void {
        this.bench?.dispose();
        this.start?.element.remove();
        this.bench = this.start = null;
        delete window.visviva;
    }

    private hear(event: SourceEvent): void {
        if (event.event === "connection" && !this.bench) this.notices.keep(event.words);
        if (event.event === "listed") void this.start?.fill();
        this.bench?.hear(event);
    }
}
