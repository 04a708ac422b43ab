// What the runs are, in a few lines.
import { make, readable, section } from "../page/dom";
import { energyWords } from "../run/change_words";
import type { Run } from "../run/run";

export class Facts {
    readonly element: HTMLElement;

    constructor(runs: Run[]) {
        this.element = section(runs.length > 1 ? "These runs" : "This run", ...runs.map((run) => facts(run)));
    }
}

/** What it is, its value, and what hovering over it tells. */
type Line = [string, string, string];

function facts(run: Run): HTMLElement {
    const { info } = run;
    const bodies = info.bodies.filter((body) => body.kind !== "obstacle");
    const names = bodies.slice(0, 5).map((body) => body.name).join(", ") + (bodies.length > 5 ? " …" : "");
    const step = info.h < 1 ? `1/${Number((1 / info.h).toPrecision(4))} s` : `${info.h} s`;
    const lines: Line[] = [
        ["Method", `${info.integrator}, steps of ${step}`, "How each next moment is computed, and how much later it is"],
        ["Energy", energyWords(info.energy), "What the method is to do with the energy of all bodies"],
        ["Bodies", `${bodies.length} (${names})`, ""],
        ["Surface", `${info.triangles.toLocaleString("en")} triangles`, "What is drawn of all bodies"],
        ["Time", `${readable(run.end)} s, ${run.times.length} frames`, "Simulated time, and pictures of it"],
    ];
    const line = ([name, value, title]: Line) => [make("dt", { title }, name), make("dd", { title }, value)];
    return make("div", {}, make("p", { class: "fact-title" }, info.title), make("dl", { class: "facts" }, ...lines.flatMap(line)));
}
