// The wanted energy as a curve one drags: handles over the chart, each a slider for those who use keys.
import type uPlot from "uplot";
import { make, readable } from "../page/dom";

type Point = [number, number];

const SVG = "http://www.w3.org/2000/svg";

export class CurveDrag {
    points: Point[] = [];
    private layer = make("div", { class: "curve-drag" });
    private line = document.createElementNS(SVG, "polyline");
    private plot: uPlot | null = null;

    /** `now`: before it nothing can be changed; `done`: the person let go. */
    constructor(private now: () => number, private done: (points: Point[]) => void, private changed: () => void) {
        const svg = document.createElementNS(SVG, "svg");
        svg.append(this.line);
        this.layer.append(svg);
        this.layer.addEventListener("dblclick", (event) => this.addUnder(event));
    }

    attach(plot: uPlot): void {
        this.plot = plot;
        plot.over.append(this.layer);
    }

    start(points: Point[]): void {
        this.points = points;
    }

    stop(): void {
        this.points = [];
        this.plot = null;
        this.layer.remove();
    }

    draw(): void {
        const { plot } = this;
        // Before the first row there are no scales.
        if (!plot || !Number.isFinite(plot.valToPos(0, "y"))) return;
        this.layer.querySelectorAll(".handle").forEach((handle) => {
            if (handle !== document.activeElement) handle.remove();
        });
        const place = ([t, value]: Point): [number, number] => [plot.valToPos(t, "x"), plot.valToPos(value, "y")];
        this.line.setAttribute("points", this.ahead().map((point) => place(point).join(",")).join(" "));
        this.points.forEach((point, k) => {
            const [x, y] = place(point);
            const kept = this.layer.querySelector<HTMLElement>(`.handle[data-point="${k}"]`);
            const handle = kept ?? this.handle(k);
            handle.style.transform = `translate(${x - 7}px, ${y - 7}px)`;
            handle.setAttribute("aria-valuenow", String(point[1]));
            handle.setAttribute("aria-valuetext", `${readable(point[1])} J at ${readable(point[0])} s`);
            handle.hidden = point[0] < this.now() - 1e-9;
        });
    }

    /** From now on: what was is on the chart already. */
    private ahead(): Point[] {
        const now = this.now();
        const first = this.points.findIndex(([t]) => t >= now);
        const [from, to] = [this.points[first - 1], this.points[first]];
        if (!from || !to) return first < 0 ? [] : this.points;
        const value = from[1] + ((now - from[0]) / (to[0] - from[0] || 1)) * (to[1] - from[1]);
        return [[now, value], ...this.points.slice(first)];
    }

    private handle(k: number): HTMLElement {
        const words = "Wanted energy: drag it, or move it with the arrow keys; Insert adds a point after it, Delete takes it away";
        const handle = make("div", {
            class: "handle", role: "slider", tabindex: 0, title: words, "aria-label": `Wanted energy, point ${k + 1}`, "data-point": k,
            onpointerdown: (event: PointerEvent) => this.drag(event, k),
            onkeydown: (event: KeyboardEvent) => this.key(event, k),
        });
        this.layer.append(handle);
        return handle;
    }

    private drag(event: PointerEvent, k: number): void {
        const handle = event.currentTarget as HTMLElement;
        const { plot } = this;
        if (!plot) return;
        event.preventDefault();
        event.stopPropagation();
        handle.focus();
        handle.setPointerCapture(event.pointerId);
        const move = (at: PointerEvent) => {
            const box = plot.over.getBoundingClientRect();
            this.move(k, plot.posToVal(at.clientX - box.left, "x"), plot.posToVal(at.clientY - box.top, "y"));
        };
        const up = () => {
            handle.removeEventListener("pointermove", move);
            this.changed();
            this.done(this.points);
        };
        handle.addEventListener("pointermove", move);
        handle.addEventListener("pointerup", up, { once: true });
    }

    private key(event: KeyboardEvent, k: number): void {
        const point = this.points[k];
        const { plot } = this;
        if (!point || !plot) return;
        const rise = ((plot.scales["y"]?.max ?? 1) - (plot.scales["y"]?.min ?? 0)) / 40;
        const late = ((plot.scales["x"]?.max ?? 1) - (plot.scales["x"]?.min ?? 0)) / 80;
        const moves: Record<string, Point> = { ArrowUp: [0, rise], ArrowDown: [0, -rise], ArrowLeft: [-late, 0], ArrowRight: [late, 0] };
        const move = moves[event.key];
        const next = this.points[k + 1] ?? this.points[k - 1];
        if (move) this.move(k, point[0] + move[0], point[1] + move[1]);
        else if (event.key === "Insert" && next) this.add([(point[0] + next[0]) / 2, (point[1] + next[1]) / 2]);
        else if (event.key === "Delete" && this.points.length > 2) {
            this.points.splice(k, 1);
            (event.currentTarget as HTMLElement).blur();
        } else return;
        event.preventDefault();
        event.stopPropagation();
        this.changed();
        this.done(this.points);
    }

    private move(k: number, t: number, value: number): void {
        const point = this.points[k];
        if (!point) return;
        const least = (this.points[k - 1]?.[0] ?? -1e-3) + 1e-3;
        const most = (this.points[k + 1]?.[0] ?? Infinity) - 1e-3;
        // The first and the last keep their times, so that all of the run is spoken of.
        const free = k > 0 && k < this.points.length - 1;
        point[0] = free ? Math.min(Math.max(t, least), most) : point[0];
        point[1] = value;
        this.draw();
    }

    private addUnder(event: MouseEvent): void {
        const { plot } = this;
        if (!plot) return;
        const box = plot.over.getBoundingClientRect();
        this.add([plot.posToVal(event.clientX - box.left, "x"), plot.posToVal(event.clientY - box.top, "y")]);
        this.changed();
        this.done(this.points);
    }

    private add(point: Point): void {
        this.points.push(point);
        this.points.sort((a, b) => a[0] - b[0]);
    }
}
