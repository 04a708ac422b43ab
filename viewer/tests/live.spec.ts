// Live runs: they start, dials turn, the energy follows, and what was recorded repeats to the same bits.
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

/** A live run into a folder, paused until the page lets it go: it takes less time than a page to open. */
async function run(...more: string[]): Promise<string> {
    const out = join(at.folder, "live");
    served = await serve(at.folder, "run", at.scene, "--out", out, "--view", "--paused", ...more);
    return out;
}

function finished(): boolean {
    const state = window.visviva?.state().state;
    return state === "finished" || state === "failed";
}

test("the decay dial turns, the energy follows, and the run repeats to the same bits", async ({ page }) => {
    const out = await run("--duration", "2");
    await open(page, served!.address);
    await shown(page);
    await page.getByLabel("How fast it is simulated").selectOption("1");
    await page.locator("#decay").fill("10");
    await page.waitForFunction(() => (window.visviva?.state().changes.length ?? 0) > 0);
    expect((await ask(page, "state")).changes[0]).toContain("fades over 0.091 s");
    await expect(page.locator(".changes li").first()).toContainText("fades over 0.091 s");
    await page.getByLabel("How fast it is simulated").selectOption("0");
    await page.keyboard.press("g");
    await page.waitForFunction(finished);
    const [target, total] = [readColumn(out, "target"), readColumn(out, "total")];
    // So many times the e-folding of a tenth of a second later nothing of what was wanted is left, and little of what there was.
    expect(target.at(-1)!).toBeLessThan(0.2 * target[0]!);
    expect(total.at(-1)!).toBeLessThan(0.5 * total[0]!);
    await page.waitForFunction((rows) => window.visviva?.state().rows === rows, total.length);
    const [energy] = await ask(page, "charts");
    expect(energy!.data[1]![total.length - 1]).toBeCloseTo(total.at(-1)!, 6);

    const again = join(at.folder, "again");
    call("run", join(out, "run.toml"), "--out", again);
    const frames = readdirSync(join(out, "frames")).filter((name) => name.endsWith(".npy"));
    expect(frames.length).toBe(61);
    for (const name of frames) expect(readFileSync(join(again, "frames", name)).equals(readFileSync(join(out, "frames", name))), name).toBe(true);
});

test("a grabbed ball comes along, and the hand repeats to the same bits", async ({ page }) => {
    const out = await run("--duration", "2");
    await open(page, served!.address);
    await shown(page);
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
    await page.keyboard.press("Escape");
    await page.waitForFunction(finished);
    const again = join(at.folder, "again");
    call("run", join(out, "run.toml"), "--out", again);
    for (const name of ["000010.npy", "000030.npy", "000060.npy"]) {
        expect(readFileSync(join(again, "frames", name)).equals(readFileSync(join(out, "frames", name))), name).toBe(true);
    }
});

test("a reload and a second page find the run where it is", async ({ page, context }) => {
    await run("--duration", "1.5");
    await open(page, served!.address);
    await shown(page);
    await page.getByLabel("How fast it is simulated").selectOption("0.1");
    const second = await context.newPage();
    await open(second, served!.address);
    await shown(second);
    await page.keyboard.press("g");
    await page.waitForFunction(() => (window.visviva?.state().frames ?? 0) > 2);
    await page.keyboard.press("g");
    for (const each of [page, second]) await each.waitForFunction(() => window.visviva?.state().state === "paused");
    const frames = (await ask(page, "state")).frames;
    await page.reload();
    await shown(page);
    await page.waitForFunction(() => window.visviva?.state().state === "paused");
    expect((await ask(page, "state")).frames).toBe(frames);
    await second.getByRole("button", { name: "Simulate one step" }).click();
    await second.getByRole("button", { name: "Pause or go on" }).click();
    await page.waitForFunction((before) => (window.visviva?.state().frames ?? 0) > before, frames);
    await second.close();
    await page.getByLabel("How fast it is simulated").selectOption("0");
    await page.waitForFunction(finished);
});

test("the wanted energy is dragged on the chart", async ({ page }) => {
    const out = await run("--duration", "3");
    await open(page, served!.address);
    await shown(page);
    await page.getByLabel("How fast it is simulated").selectOption("0.5");
    await page.keyboard.press("g");
    await page.waitForFunction(() => (window.visviva?.state().rows ?? 0) > 1);
    await page.keyboard.press("g");
    await page.waitForFunction(() => window.visviva?.state().state === "paused");
    await page.keyboard.press("e");
    const last = page.locator(".handle").last();
    // Handles are laid out anew with the chart.
    await expect.poll(async () => (await last.boundingBox()) !== null).toBe(true);
    const from = (await last.boundingBox())!;
    await page.mouse.move(from.x + 7, from.y + 7);
    await page.mouse.down();
    await page.mouse.move(from.x + 7, from.y + 67, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => window.visviva?.state().changes.some((words) => words.includes("follows a curve")));
    await page.getByLabel("How fast it is simulated").selectOption("0");
    await page.keyboard.press("g");
    await page.waitForFunction(finished);
    const target = readColumn(out, "target");
    expect(target.at(-1)!).toBeLessThan(target[0]!);
});

test("the wanted energy is drawn by keys alone", async ({ page }) => {
    await run("--duration", "3");
    await open(page, served!.address);
    await shown(page);
    await page.keyboard.press("n");
    await page.waitForFunction(() => (window.visviva?.state().rows ?? 0) > 1);
    await page.keyboard.press("e");
    await expect(page.locator(".handle").last()).toBeVisible();
    const points = await page.locator(".handle").count();
    await page.locator(".handle").last().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Insert");
    await page.waitForFunction((count) => window.visviva?.state().changes.some((words) => words.includes(`a curve of ${count} points`)), points + 1);
    await expect(page.locator(".handle")).toHaveCount(points + 1);
});

test("a branch with another method runs beside the first", async ({ page }) => {
    await run("--duration", "1");
    await open(page, served!.address);
    await shown(page);
    await page.keyboard.press("g");
    await page.waitForFunction(finished);
    await page.evaluate(() => window.visviva!.seek(0.5));
    await page.getByLabel("Method", { exact: true }).selectOption("implicit-euler");
    await page.getByRole("button", { name: "Start a second run" }).click();
    await expect(page.locator(".labels span")).toHaveCount(2);
    await page.waitForFunction(finished);
    expect((await ask(page, "state")).changes).toEqual(["method implicit-euler"]);
    // A page that has just come up draws its charts a moment later.
    const last = async () => (await ask(page, "charts"))[0]?.data.map((column) => typeof column.at(-1));
    await expect.poll(last).toEqual(["number", "number", "number", "number"]);
    const energies = (await ask(page, "charts"))[0]!.data;
    // The same up to the branch; then implicit Euler loses what A-search keeps.
    expect(energies[1]![50]).toBeCloseTo(energies[2]![50]!, 6);
    expect(energies[1]!.at(-1)!).toBeLessThan(0.9 * energies[2]!.at(-1)!);
});

test("dials for gravity, correction and method are recorded, and the scene is saved with them", async ({ page }) => {
    await run("--duration", "3");
    await open(page, served!.address);
    await shown(page);
    await page.getByLabel("How fast it is simulated").selectOption("0.1");
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
    await page.getByRole("button", { name: "End the run here" }).click();
    await page.waitForFunction(() => !["running", "paused"].includes(window.visviva?.state().state ?? "running"));
});
