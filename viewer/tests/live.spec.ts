// Live runs: they start, dials turn, the energy follows, and what was recorded repeats to the same bits.
import type { Page } from "@playwright/test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ask, expect, open, shown, test } from "./page";
import { call, type Place, place, readColumn, serve, type Served } from "./program";

let at: Place;
let served: Served | null = null;

test.beforeEach(() => {
    at = place();
});

test.afterEach(async () => {
    await served?.end();
    served = null;
    rmSync(at.folder, { recursive: true });
});

/** Longer than any test looks on [s], however fast the program is: tests end it. */
const LONG = "200";

async function run(duration = LONG): Promise<string> {
    const out = join(at.folder, "live");
    served = await serve(at.folder, "run", at.scene, "--out", out, "--duration", duration, "--view");
    return out;
}

function finished(): boolean {
    const state = window.visviva?.state().state;
    return state === "finished" || state === "failed";
}

async function pace(page: Page, speed: string): Promise<void> {
    await page.getByLabel("How fast it is simulated").selectOption(speed);
}

async function pause(page: Page): Promise<void> {
    await page.keyboard.press("g");
    await page.waitForFunction(() => window.visviva?.state().state === "paused");
}

/** Waits for so many frames more. */
async function watch(page: Page, frames: number): Promise<void> {
    const before = (await ask(page, "state")).frames;
    await page.waitForFunction((count) => (window.visviva?.state().frames ?? 0) >= count, before + frames);
}

async function stop(page: Page): Promise<void> {
    await page.getByRole("button", { name: "End the run here" }).click();
    await page.waitForFunction(finished);
}

/** Runs the recorded scene without a page, as far as it went, and compares every frame. */
function expectTheSameBits(out: string): void {
    const frames = readdirSync(join(out, "frames")).filter((name) => name.endsWith(".npy")).sort();
    const again = join(at.folder, "again");
    call("run", join(out, "run.toml"), "--duration", String((frames.length - 1) / 30), "--out", again);
    for (const name of frames) expect(readFileSync(join(again, "frames", name)).equals(readFileSync(join(out, "frames", name))), name).toBe(true);
}

test("the decay dial turns, the energy follows, and the run repeats to the same bits", async ({ page }) => {
    const out = await run();
    await open(page, served!.address);
    await shown(page);
    await pace(page, "1");
    await page.locator("#decay").fill("10");
    await page.waitForFunction(() => (window.visviva?.state().changes.length ?? 0) > 0);
    expect((await ask(page, "state")).changes[0]).toContain("fades over 0.091 s");
    await expect(page.locator(".changes li").first()).toContainText("fades over 0.091 s");
    await watch(page, 40);
    await stop(page);
    const [target, total] = [readColumn(out, "target"), readColumn(out, "total")];
    // So many times the e-folding of a tenth of a second later nothing of what was wanted is left, and little of what there was.
    expect(target.at(-1)!).toBeLessThan(0.2 * target[0]!);
    expect(total.at(-1)!).toBeLessThan(0.5 * total[0]!);
    const last = readColumn(out, "t").at(-1)!;
    await page.waitForFunction((t) => (window.visviva?.charts()[0]?.data[0]?.at(-1) ?? 0) >= t - 1e-6, last);
    const [energy] = await ask(page, "charts");
    expect(energy!.data[1]!.at(-1)!).toBeCloseTo(total.at(-1)!, 6);
    expectTheSameBits(out);
});

test("a grabbed ball comes along, and the hand repeats to the same bits", async ({ page }) => {
    const out = await run();
    await open(page, served!.address);
    await shown(page);
    await pause(page);
    await pace(page, "1");
    const before = await ask(page, "vertex", 0);
    // By mouse: the middle of some vertices lies on the ball.
    const seen = await Promise.all([0, 10, 20, 30, 40].map((vertex) => ask(page, "screen", vertex)));
    const [x, y] = [0, 1].map((axis) => seen.reduce((sum, place) => sum + place[axis]! / seen.length, 0)) as [number, number];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 150, y, { steps: 5 });
    await page.keyboard.press("g");
    await page.waitForFunction((start) => (window.visviva?.vertex(0)[0] ?? 0) - start > 0.02, before[0]!);
    await page.mouse.up();
    // And by keys.
    await page.keyboard.press("h");
    for (let k = 0; k < 8; k++) await page.keyboard.press("i");
    await watch(page, 5);
    await page.keyboard.press("Escape");
    await watch(page, 5);
    await stop(page);
    expect(readFileSync(join(out, "run.toml"), "utf8")).toContain("grab");
    expectTheSameBits(out);
});

test("a reload and a second page find the run where it is", async ({ page, context }) => {
    await run();
    await open(page, served!.address);
    await shown(page);
    await pace(page, "0.1");
    const second = await context.newPage();
    await open(second, served!.address);
    await shown(second);
    await pause(page);
    await second.waitForFunction(() => window.visviva?.state().state === "paused");
    const { frames } = await ask(page, "state");
    await page.reload();
    await shown(page);
    await page.waitForFunction(() => window.visviva?.state().state === "paused");
    expect((await ask(page, "state")).frames).toBe(frames);
    await second.getByRole("button", { name: "Simulate one step" }).click();
    await second.getByRole("button", { name: "Pause or go on" }).click();
    await page.waitForFunction((before) => (window.visviva?.state().frames ?? 0) > before, frames);
    await second.close();
    await stop(page);
});

test("the wanted energy is dragged on the chart", async ({ page }) => {
    const out = await run();
    await open(page, served!.address);
    await shown(page);
    await pause(page);
    await pace(page, "1");
    await page.waitForFunction(() => (window.visviva?.state().rows ?? 0) > 1);
    await page.keyboard.press("e");
    // The first stands at the start, the second at now.
    const now = page.locator(".handle").nth(1);
    const from = (await now.boundingBox())!;
    await page.mouse.move(from.x + 7, from.y + 7);
    await page.mouse.down();
    await page.mouse.move(from.x + 7, from.y + 67, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => window.visviva?.state().changes.some((words) => words.includes("follows a curve")));
    const rows = readColumn(out, "target").length;
    await page.keyboard.press("g");
    await watch(page, 5);
    await stop(page);
    const target = readColumn(out, "target");
    expect(target[rows + 5]!).toBeLessThan(0.99 * target[rows - 1]!);
});

test("a branch with another method runs beside the first", async ({ page }) => {
    await run("1");
    await open(page, served!.address);
    await shown(page);
    await page.waitForFunction(finished);
    await page.evaluate(() => window.visviva!.seek(0.5));
    await page.getByLabel("Method", { exact: true }).selectOption("implicit-euler");
    await page.getByRole("button", { name: "Start a second run" }).click();
    await expect(page.locator(".labels span")).toHaveCount(2);
    await page.waitForFunction(finished);
    expect((await ask(page, "state")).changes).toEqual(["method implicit-euler"]);
    const energies = (await ask(page, "charts"))[0]!.data;
    // The same up to the branch; then implicit Euler loses what A-search keeps.
    expect(energies[1]![50]).toBeCloseTo(energies[2]![50]!, 6);
    expect(energies[1]!.at(-1)!).toBeLessThan(0.9 * energies[2]!.at(-1)!);
});

test("dials for gravity, correction and method are recorded, and the scene is saved with them", async ({ page }) => {
    await run();
    await open(page, served!.address);
    await shown(page);
    await pace(page, "0.1");
    await page.getByLabel("Gravity", { exact: true }).fill("3");
    await page.getByLabel("Greatest correction").fill("1.3");
    await page.getByLabel("Greatest correction").press("Enter");
    await page.getByLabel("Method", { exact: true }).selectOption("bdf2");
    await page.getByRole("button", { name: "Go on with this method" }).click();
    await page.waitForFunction(() => window.visviva?.state().changes.length === 3);
    expect((await ask(page, "state")).changes).toEqual(["gravity 3 m/s²", "method a-search:min=0,max=1.3", "method bdf2"]);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the scene" }).click();
    const text = readFileSync(await (await saved).path(), "utf8");
    expect(text).toContain("[[change]]");
    expect(text).toContain("a-search:min=0,max=1.3");
    await stop(page);
});
