// A chart over the time of the run, with the cursor at the frame that is shown; dragging on it moves in time.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { make, readable } from "../page/dom";

export interface Curve {
    label: string;
    colour: string;
    width: number;
    dash?: number[];
    /** Of one run, as they are now. */
    times: () => (number | null)[];
    values: () => (number | null)[];
}

export interface ChartColours {
    ink: string;
    grid: string;
}

export class TimeChart {
    readonly element: HTMLElement;
    plot: uPlot | null = null;
    /** Values that must be seen beside the curves: what a person drags. */
    include: () => number[] = () => [];
    private cursor = make("div", { class: "time-cursor" });
    private curves: Curve[] = [];
    /** After each drawing: places on the chart have changed. */
    drawn: () => void = () => undefined;
    private t = 0;
    private span: [number, number] = [0, 1];

    constructor(private title: string, private height: number, private named: boolean, private seek: (t: number) => void) {
        this.element = make("div", { class: "chart", role: "img", "aria-label": title });
    }

    /** Draws anew, with other curves or colours. */
    setCurves(curves: Curve[], span: [number, number], colours: ChartColours): void {
        this.curves = curves;
        this.span = span;
        const width = this.element.clientWidth || 600;
        this.plot?.destroy();
        const axis = { stroke: colours.ink, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid, width: 1, size: 4 } };
        const font = "11px Ubuntu, system-ui, sans-serif";
        this.plot = new uPlot({
            width,
            height: this.height,
            legend: { show: false },
            cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
            padding: [8, 20, 0, 0],
            scales: { x: { time: false, range: () => this.span }, y: { range: (_u, low, high) => this.range(low, high) } },
            axes: [
                { ...axis, font, size: this.named ? 22 : 6, gap: 2, values: (_u, ticks) => ticks.map((t) => (this.named ? `${readable(t, between(ticks))} s` : "")) },
                { ...axis, font, size: 56, gap: 4, values: (_u, ticks) => ticks.map((t) => readable(t, between(ticks))) },
            ],
            hooks: { draw: [() => {
                this.setTime(this.t);
                this.drawn();
            }] },
            series: [{}, ...curves.map((curve) => ({
                label: curve.label, stroke: curve.colour, width: curve.width, dash: curve.dash ?? [], spanGaps: true, points: { show: false },
            }))],
        }, this.data(), this.element);
        this.plot.over.append(this.cursor);
        this.plot.over.addEventListener("pointerdown", (event) => this.scrub(event));
    }

    /** The same curves with more rows. */
    renew(span: [number, number]): void {
        this.span = span;
        this.plot?.setData(this.data());
    }

    resize(): void {
        if (!this.element.clientWidth) return;
        this.plot?.setSize({ width: this.element.clientWidth, height: this.height });
    }

    setTime(t: number): void {
        this.t = t;
        if (this.plot) this.cursor.style.transform = `translateX(${this.plot.valToPos(t, "x")}px)`;
    }

    /** What the chart holds, for tests. */
    rows(): { title: string; labels: string[]; data: uPlot.AlignedData } {
        return { title: this.title, labels: this.curves.map((curve) => curve.label), data: this.plot?.data ?? [[]] };
    }

    private data(): uPlot.AlignedData {
        const times = this.curves.map((curve) => curve.times());
        const values = this.curves.map((curve) => curve.values());
        // Runs with steps of their own have their own times.
        if (times.some((each) => each !== times[0])) return uPlot.join(times.map((each, k) => [each, values[k]] as uPlot.AlignedData));
        return [times[0] ?? [], ...values] as uPlot.AlignedData;
    }

    private range(low: number | null, high: number | null): [number, number] {
        const values = [low, high, ...this.include()].filter((value): value is number => value !== null && Number.isFinite(value));
        if (!values.length) return [0, 1];
        const [least, most] = [Math.min(...values), Math.max(...values)];
        const room = 0.06 * (most - least || Math.abs(most) || 1);
        return [least - room, most + room];
    }

    private scrub(event: PointerEvent): void {
        if (event.button !== 0 || !this.plot || (event.target as Element).closest(".handle")) return;
        const { over } = this.plot;
        const move = (at: PointerEvent) => {
            const x = at.clientX - over.getBoundingClientRect().left;
            if (this.plot) this.seek(this.plot.posToVal(x, "x"));
        };
        over.setPointerCapture(event.pointerId);
        over.addEventListener("pointermove", move);
        over.addEventListener("pointerup", () => over.removeEventListener("pointermove", move), { once: true });
        move(event);
    }
}

/** From tick to tick. */
function between(ticks: number[]): number {
    return ticks.length > 1 ? Math.abs((ticks[1] as number) - (ticks[0] as number)) : Infinity;
}
