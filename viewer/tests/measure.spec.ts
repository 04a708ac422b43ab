// What a large run costs page and program: `scripts/measure-viewer` prints it.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page } from "@playwright/test";
import { open, shown, test } from "./page";
import { call, place, serve } from "./program";

const SCENE = join(import.meta.dirname, "large.toml");
/** For how long replay and live run are watched [min]; none, and nothing is measured. */
const MINUTES = Number(process.env["VISVIVA_MEASURE"] ?? 0);
/** Between two looks at the memory [s]. */
const LOOK = 10;
/** Pictures a second are counted for so long [s]. */
const COUNTED = 20;

test.skip(MINUTES <= 0, "VISVIVA_MEASURE names no minutes");
test.setTimeout(1000 * (60 * MINUTES + 400));

interface Sample {
    minutes: number;
    page: number;
    heap: number;
    program: number;
}

/** Of a process [MiB]. */
function resident(pid: number): number {
    const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(line?.[1] ?? NaN) / 1024;
}

async function rendererOf(page: Page): Promise<number> {
    const session = await page.context().browser()!.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer");
    await session.detach();
    return renderers.reduce((most, each) => (each.cpuTime > most.cpuTime ? each : most)).id;
}

async function metrics(session: CDPSession): Promise<Record<string, number>> {
    const { metrics: all } = await session.send("Performance.getMetrics");
    return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

/** Makes the window so large that the picture itself has this size [px]. */
async function stageSize(page: Page, width: number, height: number): Promise<void> {
    const window = page.viewportSize()!;
    const box = (await page.locator(".stage").boundingBox())!;
    await page.setViewportSize({ width: Math.round(window.width + width - box.width), height: Math.round(window.height + height - box.height) });
}

/** MiB a minute over the second half, by least squares: by then the page keeps as many frames as it will. */
function slope(samples: Sample[], of: (sample: Sample) => number): string {
    const late = samples.filter(({ minutes }) => minutes > MINUTES / 2);
    const mean = (value: (sample: Sample) => number) => late.reduce((sum, each) => sum + value(each), 0) / late.length;
    const [t, y] = [mean((each) => each.minutes), mean(of)];
    const top = late.reduce((sum, each) => sum + (each.minutes - t) * (of(each) - y), 0);
    return (top / late.reduce((sum, each) => sum + (each.minutes - t) ** 2, 0)).toFixed(2);
}

/** Looks at the memory of page and program until the time is up. */
async function watch(page: Page, program: number, what: string): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const [renderer, samples, begun] = [await rendererOf(page), [] as Sample[], Date.now()];
    while (Date.now() - begun < 60_000 * MINUTES) {
        await page.waitForTimeout(1000 * LOOK);
        const heap = (await metrics(session))["JSHeapUsedSize"]! / 2 ** 20;
        samples.push({ minutes: (Date.now() - begun) / 60_000, page: resident(renderer), heap, program: resident(program) });
        if (samples.length % 6 !== 0) continue;
        const { minutes, page: pages, program: server } = samples.at(-1)!;
        const { t, kept, frames } = await page.evaluate(() => ({ t: window.visviva!.time(), ...window.visviva!.measures() }));
        console.log(`${what}: ${minutes.toFixed(1)} min, t = ${t.toFixed(0)} s, page ${pages.toFixed(0)} MiB (scripts ${heap.toFixed(1)} MiB,`
            + ` frames kept ${(kept / 2 ** 20).toFixed(0)} MiB, ${frames} pulled), program ${server.toFixed(1)} MiB`);
    }
    console.log(`${what}: MiB a minute over the second half: page ${slope(samples, (each) => each.page)}, its scripts `
        + `${slope(samples, (each) => each.heap)}, program ${slope(samples, (each) => each.program)}; ${samples.length} looks`);
}

/** Pictures a second, and what the page's own thread computes for one. */
async function count(page: Page, what: string): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const look = async () => ({ ...(await metrics(session)), ...(await page.evaluate(() => ({ now: performance.now(), ...window.visviva!.measures() }))) });
    await page.waitForTimeout(4000);
    const before = await look() as Record<string, number>;
    await page.waitForTimeout(1000 * COUNTED);
    const after = await look() as Record<string, number>;
    const more = (name: string) => after[name]! - before[name]!;
    const pictures = more("drawn");
    console.log([
        `${what}: ${(1000 * pictures / more("now")).toFixed(1)} pictures a second`,
        `${(1000 * more("TaskDuration") / pictures).toFixed(1)} ms of its thread a picture, everything counted`,
        `${(more("work") / pictures).toFixed(1)} ms by the clock from frame to graphics card, ${after["worst"]!.toFixed(0)} at worst`,
        `${(after["bytes"]! / after["frames"]! / 1000).toFixed(0)} kB a frame`,
    ].join(", "));
    await session.detach();
}

test("a replay", async ({ page }) => {
    const at = place();
    const run = process.env["VISVIVA_MEASURE_RUN"] ?? join(at.folder, "large");
    if (!existsSync(run)) call("run", SCENE, "--quiet", "--out", run);
    const served = await serve(at.folder, "view", run);
    await open(page, served.address);
    await shown(page);
    await page.keyboard.press("Space");
    for (const [width, height] of [[640, 360], [984, 440]] as const) {
        await stageSize(page, width, height);
        await count(page, `a picture of ${width} × ${height}`);
    }
    await stageSize(page, 320, 180);
    await page.keyboard.press("Home");
    await watch(page, served.pid, "replay");
    await served.end();
    rmSync(at.folder, { recursive: true });
});

test("a live run", async ({ page }) => {
    const at = place();
    const served = await serve(at.folder, "run", SCENE, "--out", "live", "--view", "--paused", "--duration", String(60 * MINUTES + 60));
    await open(page, served.address);
    await shown(page);
    await stageSize(page, 320, 180);
    await page.getByLabel("How fast it is simulated").selectOption("1");
    await page.keyboard.press("g");
    await watch(page, served.pid, "live");
    await served.end();
    rmSync(at.folder, { recursive: true });
});
