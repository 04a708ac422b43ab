// Energy against what is wanted, and how hard the correction works, over the time of all runs that are shown.
import { make, readable, setText } from "../page/dom";
import type { Player } from "../run/player";
import type { Run } from "../run/run";
import { runColours } from "../stage/colours";
import { CurveDrag } from "./curve_drag";
import { type Curve, TimeChart } from "./time_chart";

/** Columns of the statistics in words, with the colours they have in our plots: on paper, by night. */
const TERMS: { column: string; words: string; colours: [string, string] }[] = [
    { column: "kinetic", words: "of motion", colours: ["#0072b2", "#56b4e9"] },
    { column: "elastic", words: "elastic", colours: ["#009e73", "#1fbf94"] },
    { column: "gravity", words: "of height", colours: ["#cc79a7", "#cc79a7"] },
];

/** What hovering over a name tells. */
const MEANINGS = {
    total: "All energy there is: of motion, elastic and of height",
    target: "The energy that the method is to keep or to reach",
    alpha: "Velocities are corrected so that the energy is as wanted. 1: not at all; above: upwards; below: downwards; at its bounds it can do no more",
};

export class Charts {
    readonly element: HTMLElement;
    readonly energy: TimeChart;
    readonly alpha: TimeChart;
    private legend = make("div", { class: "chart-legend" });
    private shown = new Set<string>();
    private dark = false;
    private drag: CurveDrag | null = null;
    private values: (() => void)[] = [];

    constructor(private player: Player) {
        const seek = (t: number) => player.seek(t);
        this.energy = new TimeChart("Energy over time [J]", 128, false, seek);
        this.alpha = new TimeChart("How hard the correction works (α) over time", 76, true, seek);
        this.element = make("section", { class: "charts", "aria-label": "Charts" }, this.legend, this.energy.element, this.alpha.element);
        new ResizeObserver(() => [this.energy, this.alpha].forEach((chart) => chart.resize())).observe(this.element);
        this.energy.drawn = () => this.drag?.draw();
        player.listen(() => this.setTime());
    }

    wear(dark: boolean): void {
        this.dark = dark;
        this.rebuild();
    }

    private get span(): [number, number] {
        return [0, this.player.duration || 1];
    }

    /** Curves, legend and colours anew. */
    rebuild(): void {
        const { runs } = this.player;
        const colours = { ink: this.dark ? "#9aa1ab" : "#55595f", grid: this.dark ? "#2a3038" : "#e9e9e9" };
        const own = runColours(runs.map((run) => run.info.integrator), this.dark);
        const energy = runs.map((run, k) => curve(run, "total", runs.length > 1 ? run.info.name : "energy", own[k] ?? "#888", 2));
        const wanted = this.dark ? "#c9ced6" : "#3a3a3a";
        if (runs[0]) energy.push({ ...curve(runs[0], "target", "wanted", wanted, 1.25), dash: [5, 4] });
        for (const { column, words, colours: [light, dark] } of runs.length === 1 ? TERMS : []) {
            if (this.shown.has(column) && runs[0]) energy.push(curve(runs[0], column, words, this.dark ? dark : light, 1.25));
        }
        const alpha = runs.map((run, k) => curve(run, "alpha", runs.length > 1 ? run.info.name : "α", own[k] ?? "#888", 1.5));
        this.energy.setCurves(energy, this.span, colours);
        this.alpha.setCurves(alpha, this.span, colours);
        if (this.drag && this.energy.plot) this.drag.attach(this.energy.plot);
        this.fillLegend(own, wanted);
        this.setTime();
    }

    /** More rows have come. */
    renew(): void {
        [this.energy, this.alpha].forEach((chart) => chart.renew(this.span));
        this.setTime();
    }

    /** Lets a person drag the wanted energy of the first run. */
    startDrawing(done: (points: [number, number][]) => void): void {
        const run = this.player.runs[0];
        if (!run) return;
        this.stopDrawing();
        const now = () => run.progress?.t ?? run.end;
        this.drag = new CurveDrag(now, done, () => this.renew());
        this.energy.include = () => this.drag?.points.map((point) => point[1]) ?? [];
        this.drag.start(firstCurve(run, now()));
        this.rebuild();
    }

    stopDrawing(): void {
        this.drag?.stop();
        this.drag = null;
        this.energy.include = () => [];
        this.rebuild();
    }

    get drawing(): boolean {
        return this.drag !== null;
    }

    private setTime(): void {
        this.energy.setTime(this.player.t);
        this.alpha.setTime(this.player.t);
        this.values.forEach((renew) => renew());
    }

    private fillLegend(own: string[], wanted: string): void {
        const { runs } = this.player;
        this.values = [];
        this.legend.replaceChildren();
        runs.forEach((run, k) => {
            this.chip(runs.length > 1 ? run.info.name : "energy", own[k] ?? "#888", run, "total", " J");
        });
        const first = runs[0];
        if (!first) return;
        this.chip("wanted", wanted, first, "target", " J", "dashed");
        if (runs.length === 1) {
            for (const { column, words, colours } of TERMS) this.toggle(column, words, colours[this.dark ? 1 : 0], first);
            this.chip("how hard the correction works (α)", own[0] ?? "#888", first, "alpha", "");
        }
    }

    private chip(words: string, colour: string, run: Run, column: keyof typeof MEANINGS, unit: string, look = ""): void {
        const value = make("b", {});
        const swatch = make("i", { class: `swatch ${look}`, style: `--colour: ${colour}` });
        this.legend.append(make("span", { class: "chip", title: MEANINGS[column] }, swatch, words, value));
        this.values.push(() => setText(value, readable(run.statistics.at(column, this.player.t)) + unit));
    }

    private toggle(column: string, words: string, colour: string, run: Run): void {
        const on = this.shown.has(column);
        const value = make("b", {});
        const click = () => {
            if (on) this.shown.delete(column);
            else this.shown.add(column);
            this.rebuild();
        };
        const swatch = make("i", { class: "swatch", style: `--colour: ${on ? colour : "transparent"}` });
        const title = on ? `Hide the energy ${words}` : `Show the energy ${words}`;
        const look = { class: "chip", type: "button", "aria-pressed": String(on), title, onclick: click };
        this.legend.append(make("button", look, swatch, words, value));
        if (on) this.values.push(() => setText(value, `${readable(run.statistics.at(column, this.player.t))} J`));
    }
}

function curve(run: Run, column: string, label: string, colour: string, width: number): Curve {
    const { statistics } = run;
    return { label, colour, width, times: () => statistics.column("t"), values: () => statistics.column(column) };
}

/** What is wanted now as a few points: the run's own curve, or the present level held to the end. */
function firstCurve(run: Run, now: number): [number, number][] {
    const { energy } = run.now;
    if (energy.target === "curve-joules" && energy.curve?.length) return energy.curve.map(([t, value]) => [t, value]);
    const level = run.statistics.at("target", now) ?? run.statistics.at("total", now) ?? 0;
    const end = Math.max(run.info.duration, now + run.info.h);
    const times = [now, ...[0.25, 0.5, 0.75, 1].map((part) => now + part * (end - now))];
    const before: [number, number][] = now > 0 ? [[0, run.statistics.at("target", 0) ?? level]] : [];
    return [...before, ...times.map((t): [number, number] => [t, level])];
}
