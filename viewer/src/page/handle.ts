// `window.visviva`: what tests and curious people may ask of the page.
import { changeWords } from "../run/change_words";
import type { Workbench } from "./workbench";

export interface Handle {
    /** The frame that is shown of a run, −1 before the first. */
    frame(run?: number): number;
    /** [s] */
    time(): number;
    /** Where a shown vertex is now [m]. */
    vertex(vertex: number, run?: number): number[];
    /** Where it is seen on the page [px]. */
    screen(vertex: number, run?: number): number[];
    /** What the charts hold: labels, and columns with the times first. */
    charts(): { title: string; labels: string[]; data: (number | null | undefined)[][] }[];
    seek(t: number): void;
    state(run?: number): { state: string; frames: number; rows: number; changes: string[] };
    /** Pictures drawn, the time of their making in all and at worst [ms], triangles of the last one, frames and bytes that came, bytes of frames kept,
     * buffers of the graphics card, triangles of cut faces. */
    measures(): {
        drawn: number; work: number; worst: number; triangles: number; frames: number; bytes: number; kept: number; geometries: number; textures: number;
        cut: number;
    };
}

declare global {
    interface Window {
        visviva?: Handle;
    }
}

export function handle(bench: Workbench): Handle {
    const { stage, player, charts, runs } = bench;
    return {
        frame: (run = 0) => stage.views[run]?.index ?? -1,
        time: () => player.t,
        vertex: (vertex, run = 0) => stage.views[run]?.vertex(vertex).toArray() ?? [],
        screen: (vertex, run = 0) => stage.screen(vertex, run),
        charts: () => [charts.energy.rows(), charts.alpha.rows()].map((rows) => ({ ...rows, data: rows.data.map((column) => Array.from(column)) })),
        seek: (t) => player.seek(t),
        state: (index = 0) => {
            const run = runs[index];
            return {
                state: run?.state ?? "none", frames: run?.times.length ?? 0, rows: run?.statistics.rows ?? 0,
                changes: run?.changes.map(changeWords) ?? [],
            };
        },
        measures: () => ({
            drawn: stage.drawn,
            work: stage.work,
            worst: stage.worst,
            triangles: stage.renderer.info.render.triangles,
            frames: runs.reduce((sum, run) => sum + run.frames.received.frames, 0),
            bytes: runs.reduce((sum, run) => sum + run.frames.received.bytes, 0),
            kept: runs.reduce((sum, run) => sum + run.frames.bytes + run.inner.bytes, 0),
            ...stage.renderer.info.memory,
            cut: stage.views.reduce((sum, view) => sum + view.cut.faces, 0),
        }),
    };
}
