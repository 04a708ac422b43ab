// Recorded runs: they load, play and scrub, and what is seen is what the folder holds.
import { cpSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { ask, coloured, colours, expect, open, seek, shown, test } from "./page";
import { away, call, nearest, type Place, place, QUANTUM, readColumn, readNpy, serve, type Served } from "./program";

let at: Place;
let run: string;
let other: string;
let served: Served;

test.beforeAll(async () => {
    at = place();
    [run, other] = [join(at.folder, "ball"), join(at.folder, "ball-bdf2")];
    call("run", at.scene, "--out", run);
    call("run", at.scene, "--integrator", "bdf2", "--out", other);
    served = await serve(at.folder, "view", run, other);
});

test.afterAll(async () => {
    await served.end();
    rmSync(at.folder, { recursive: true });
});

test("a vertex is where the frame's file says", async ({ page }) => {
    await open(page, served.address);
    await shown(page);
    const read = (index: number) => readNpy(join(run, "frames", `${String(index).padStart(6, "0")}.npy`)).data;
    for (const vertex of [0, 17, 40]) {
        await seek(page, 0, 0);
        // Of the solid only the surface is shown: the first frame tells which of its vertices this is.
        const node = nearest(read(0), await ask(page, "vertex", vertex));
        for (const index of [0, 7, 20, 30]) {
            await seek(page, index / 30, index);
            expect(away(read(index), node, await ask(page, "vertex", vertex))).toBeLessThan(QUANTUM);
        }
    }
});

test("charts hold the statistics of both runs", async ({ page }) => {
    await open(page, served.address);
    await shown(page);
    const [energy, alpha] = await ask(page, "charts");
    const column = (label: string) => energy!.data[1 + energy!.labels.indexOf(label)]!;
    for (const [name, folder] of [["ball", run], ["ball-bdf2", other]] as const) {
        const total = readColumn(folder, "total");
        expect(column(name).length).toBe(total.length);
        for (const row of [0, 40, 120]) expect(column(name)[row]).toBeCloseTo(total[row]!, 6);
    }
    expect(column("wanted")[50]).toBeCloseTo(readColumn(run, "target")[50]!, 6);
    expect(alpha!.data[1]![60]).toBeCloseTo(readColumn(run, "alpha")[60]!, 6);
});

test("it plays, pauses, steps and scrubs, by mouse and by keys", async ({ page }) => {
    await open(page, served.address);
    await shown(page);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => (window.visviva?.frame() ?? 0) > 5);
    await page.keyboard.press("Space");
    const paused = await ask(page, "time");
    await page.waitForTimeout(300);
    expect(await ask(page, "time")).toBe(paused);
    await page.keyboard.press("Home");
    for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => window.visviva?.frame() === 3);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => window.visviva?.frame() === 2 && window.visviva.frame(1) === 2);
    await page.getByLabel("Time", { exact: true }).last().fill("0.5");
    await page.waitForFunction(() => window.visviva?.frame() === 15);
    const chart = (await page.locator(".chart .u-over").first().boundingBox())!;
    await page.mouse.click(chart.x + 0.8 * chart.width, chart.y + 20);
    await page.waitForFunction(() => window.visviva?.frame() === 24 || window.visviva?.frame() === 23);
    await page.getByLabel("Speed", { exact: true }).selectOption("0.25");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toContainText("one frame back, on");
});

test("a frame whose file is damaged is told of and passed over", async ({ page }) => {
    const damaged = join(at.folder, "damaged");
    cpSync(run, damaged, { recursive: true });
    truncateSync(join(damaged, "frames", "000004.npy"), 100);
    const own = await serve(at.folder, "view", damaged);
    await open(page, own.address);
    await shown(page);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => (window.visviva?.frame() ?? 0) > 6);
    await expect(page.locator(".notice")).toContainText("Frame 4 cannot be shown");
    await own.end();
    expect(own.words()).toContain("000004.npy");
});

test("pictures are not blank in any look", async ({ page }) => {
    await open(page, served.address);
    await shown(page);
    await seek(page, 0.2001, 6);
    const plain = await colours(page);
    expect(plain).toBeGreaterThan(200);
    const before = await page.locator(".stage canvas").screenshot();
    // Wireframe, contacts, forces, cut, moments, colours by speed, displacement and energy, and the other theme.
    for (const key of ["w", "c", "f", "x", "]", "y", "m", "b", "b", "b", "t"]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(400);
        expect(await colours(page), `after ${key}`).toBeGreaterThan(100);
    }
    expect(await page.locator(".stage canvas").screenshot()).not.toEqual(before);
    await expect(page.locator(".legend")).toContainText("J/m³");
});

test("of many triangles those that face the eye are drawn, from wherever it looks", async ({ page }) => {
    const large = join(at.folder, "large");
    call("run", join(import.meta.dirname, "large.toml"), "--duration", "0.1", "--out", large);
    const own = await serve(at.folder, "view", large);
    await open(page, own.address);
    await shown(page);
    const rest = 1000;
    await page.waitForTimeout(rest);
    const first = await coloured(page);
    expect(first).toBeGreaterThan(5000);
    // The spheres stay as large as they are whichever side is seen, and so they do with shadows, where all triangles are drawn.
    for (const keys of [Array<string>(8).fill("Shift+ArrowUp"), Array<string>(8).fill("Shift+ArrowDown"), ["ArrowRight"], ["s"]]) {
        for (const key of keys) await page.keyboard.press(key);
        await page.waitForTimeout(rest);
        expect(Math.abs((await coloured(page)) / first - 1), keys.join()).toBeLessThan(0.05);
    }
    // As small as they are, a quarter of the triangles is enough while it plays.
    await page.keyboard.press("s");
    await page.waitForTimeout(rest);
    const whole = (await ask(page, "measures")).triangles;
    await page.keyboard.press("Space");
    await page.waitForFunction((most) => window.visviva!.measures().triangles < most, 0.35 * whole);
    // And it looks the same, also while it plays.
    expect(Math.abs((await coloured(page)) / first - 1)).toBeLessThan(0.05);
    await own.end();
});

test("a picture and a film are saved", async ({ page }) => {
    await open(page, served.address);
    await shown(page);
    const picture = page.waitForEvent("download");
    await page.keyboard.press("p");
    expect((await picture).suggestedFilename()).toBe("ball+ball-bdf2.png");
    await page.keyboard.press("o");
    await page.keyboard.press("Space");
    await page.waitForTimeout(1500);
    const film = page.waitForEvent("download");
    await page.keyboard.press("o");
    expect((await film).suggestedFilename()).toBe("ball+ball-bdf2.webm");
});

test("what is kept of frames stays bounded", async ({ page }) => {
    await open(page, served.address);
    await shown(page);
    for (let k = 0; k < 4; k++) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Space");
    await page.waitForTimeout(3000);
    const first = await ask(page, "measures");
    await page.waitForTimeout(3000);
    const later = await ask(page, "measures");
    expect(later.drawn).toBeGreaterThan(first.drawn);
    expect(later.geometries).toBe(first.geometries);
    expect(later.textures).toBe(first.textures);
    expect(later.kept).toBeLessThanOrEqual(first.kept);
});
