// How fast a large run is shown and what it costs in memory: `VISVIVA_MEASURE=RUN scripts/test-viewer measure` prints it.
import { execFileSync } from "node:child_process";
import { open, shown, test } from "./page";
import { serve } from "./program";

const run = process.env["VISVIVA_MEASURE"];
/** For how long it is watched [s]. */
const SPAN = Number(process.env["VISVIVA_MEASURE_SECONDS"] ?? 60);

/** Memory of the browser's pages together [MiB]. */
function pageMemory(): number {
    const lines = execFileSync("ps", ["-eo", "rss,args"], { encoding: "utf8" }).split("\n").filter((line) => line.includes("--type=renderer"));
    return Math.max(...lines.map((line) => Number(line.trim().split(/\s+/)[0]) / 1024));
}

test("figures of a run", async ({ page }) => {
    test.skip(!run, "VISVIVA_MEASURE names no run folder");
    test.setTimeout(1000 * (SPAN + 300));
    const served = await serve(".", "view", run!);
    await open(page, served.address);
    await shown(page);
    await page.keyboard.press("Space");
    if (process.env["VISVIVA_MEASURE_SPEED"]) await page.getByLabel("Speed", { exact: true }).selectOption(process.env["VISVIVA_MEASURE_SPEED"]);
    const look = () => page.evaluate(() => ({ now: performance.now(), t: window.visviva!.time(), ...window.visviva!.measures() }));
    await page.waitForTimeout(5000);
    let before = await look();
    for (let spent = 0; spent < SPAN; spent += SPAN / 6) {
        await page.waitForTimeout((1000 * SPAN) / 6);
        const now = await look();
        const [seconds, pictures] = [(now.now - before.now) / 1000, now.drawn - before.drawn];
        console.log([
            `${(pictures / seconds).toFixed(1)} pictures/s`,
            `${((now.work - before.work) / pictures).toFixed(1)} ms a picture of the page's own work`,
            `${(now.bytes / now.frames / 1000).toFixed(0)} kB a frame`,
            `${now.frames} frames pulled, ${(now.kept / 1e6).toFixed(0)} MB kept`,
            `page ${pageMemory().toFixed(0)} MiB`,
            `at t = ${now.t.toFixed(0)} s`,
        ].join(", "));
        before = now;
    }
    await served.end();
});
