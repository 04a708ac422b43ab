// What each key does while runs are open.
import type { Key } from "./keys";
import type { Workbench } from "./workbench";

/** A press turns by this [rad], and shifts or pulls by this part of the view. */
const [TURN, SHIFT, PULL] = [0.1, 0.06, 0.05];

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function arrow(key: string): [number, number] {
    return ARROWS[key.split("+").at(-1) ?? ""] ?? [0, 0];
}

function arrows(before: string): string[] {
    return Object.keys(ARROWS).map((name) => before + name);
}

export function workbenchKeys(bench: Workbench): Key[] {
    const { player, stage, look, grab } = bench;
    const time = (keys: string[], words: string, does: (key: string) => void): Key => ({ keys, words, does, group: "Time" });
    const view = (keys: string[], words: string, does: (key: string) => void): Key => ({ keys, words, does, group: "View" });
    const seen = (keys: string[], words: string, does: (key: string) => void): Key => ({ keys, words, does, group: "Look" });
    const live = (keys: string[], words: string, does: (key: string) => void): Key => ({ keys, words, does, group: "Live" });
    const table = [
        time([" "], "play, pause", () => player.toggle()),
        time(["ArrowLeft", "ArrowRight"], "one frame back, on", (key) => player.step(arrow(key)[0])),
        time([",", "."], "ten frames back, on", (key) => player.step(key === "," ? -10 : 10)),
        time(["Home", "End"], "start, end", (key) => player.seek(key === "Home" ? 0 : player.end)),
        time(["ArrowDown", "ArrowUp"], "slower, faster", (key) => player.faster(arrow(key)[1])),
        view(arrows("Shift+"), "turn", (key) => stage.turn(TURN * arrow(key)[0], TURN * arrow(key)[1])),
        view(arrows("Ctrl+"), "shift", (key) => stage.pan(SHIFT * arrow(key)[0], SHIFT * arrow(key)[1])),
        view(["+", "-", "="], "nearer, farther", (key) => stage.zoom(key === "-" ? 1.1 : 1 / 1.1)),
        view(["v"], "all of the motion", () => stage.fit()),
        view(["r"], "as at first", () => stage.reset()),
        view(["t"], "light or dark", () => bench.theme.toggle()),
        view(["?"], "this help", () => bench.keys.help()),
        seen(["b"], "next colouring", () => look.nextColouring()),
        seen(["w"], "wireframe", () => look.toggle("wireframe")),
        seen(["c"], "contacts as points", () => look.toggle("contacts")),
        seen(["f"], "forces as arrows", () => look.toggle("forces")),
        seen(["x"], "cut open", () => look.toggle("cut")),
        seen(["[", "]"], "move the cut", (key) => look.moveCut(key === "[" ? -0.04 : 0.04)),
        seen(["y"], "turn the cut", () => look.turnCut()),
        seen(["m"], "moments in one picture", () => look.nextMoments()),
        seen(["s"], "shadows", () => look.toggle("shadows")),
        seen(["p"], "picture (PNG)", () => bench.capture.picture()),
        seen(["o"], "film (WebM): begin, end", () => bench.toggleFilm()),
    ];
    const { dials } = bench;
    if (!dials) return table;
    return [
        // First: while a body is held, arrows pull it.
        live(["i", "j", "k", "l"], "pull the held body up, left, down, right", (key) => {
            const [right, up] = { i: [0, 1], j: [-1, 0], k: [0, -1], l: [1, 0] }[key] as [number, number];
            grab.nudge(PULL * right, PULL * up);
        }),
        live(["h"], "hold the next body, let go after the last", () => grab.next()),
        live(["Escape"], "let go", () => grab.release()),
        live(["u"], "the mouse pulls bodies, or turns the view", () => (grab.on = !grab.on)),
        live(["g"], "pause the run, go on", () => dials.toggle()),
        live(["n"], "one step of the run", () => dials.step()),
        live(["q"], "follow the run", () => player.setFollow(!player.follow)),
        live(["e"], "draw the wanted energy; Tab to its points", () => dials.wishFor(bench.charts.drawing ? "conserve" : "curve-joules")),
        live(["Ctrl+s"], "save the scene", () => void dials.save()),
        ...table,
    ];
}
