// The start page, and a run as one file.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ask, colours, expect, open, seek, shown, test } from "./page";
import { away, call, nearest, type Place, place, QUANTUM, readNpy, serve } from "./program";

let at: Place;

test.beforeAll(() => {
    at = place();
    for (const integrator of ["a-search", "bdf2"]) {
        call("run", at.scene, "--integrator", integrator, "--duration", "0.5", "--out", join(at.folder, "runs", integrator));
    }
});

test.afterAll(() => rmSync(at.folder, { recursive: true }));

test("scenes are listed, changed and run; what cannot be is said", async ({ page }) => {
    const served = await serve(at.folder, "view");
    await open(page, served.address);
    await page.locator(".card", { hasText: "Bouncing ball, soft" }).click();
    await expect(page.getByRole("dialog")).toContainText("Simulated time");
    await page.locator("input[name='run.duration']").fill("soon");
    await page.getByRole("button", { name: "Run it", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("duration");
    await page.locator("input[name='run.duration']").fill("0.1");
    await page.locator("select[name='run.integrator']").selectOption("bdf2");
    await page.getByRole("button", { name: "Run it", exact: true }).click();
    await shown(page);
    await expect(page.locator(".facts")).toContainText("bdf2");
    await page.waitForFunction(() => window.visviva?.state().state === "finished");
    await page.getByRole("button", { name: "All scenes and runs" }).click();
    await expect(page.locator(".run")).toHaveCount(3);
    await served.end();
});

test("runs are opened side by side under one camera", async ({ page }) => {
    const served = await serve(at.folder, "view");
    await open(page, served.address);
    for (const name of ["a-search", "bdf2"]) await page.getByLabel(`Choose ${name} `).check();
    await page.getByRole("button", { name: "Open 2 side by side" }).click();
    await shown(page);
    await page.waitForFunction(() => (window.visviva?.frame(1) ?? -1) >= 0);
    await expect(page.locator(".labels span")).toHaveCount(2);
    await page.reload();
    await shown(page);
    await expect(page.locator(".labels span")).toHaveCount(2);
    await served.end();
});

test("a saved page opens from disk and needs no program", async ({ page }) => {
    const [run, file] = [join(at.folder, "runs", "a-search"), join(at.folder, "saved.html")];
    call("view", run, "--html", file);
    expect(statSync(file).size).toBeLessThan(2e6);
    await page.goto(pathToFileURL(file).href);
    await shown(page);
    const node = nearest(readNpy(join(run, "frames", "000000.npy")).data, await ask(page, "vertex", 17));
    await seek(page, 0.3334, 10);
    expect(away(readNpy(join(run, "frames", "000010.npy")).data, node, await ask(page, "vertex", 17))).toBeLessThan(QUANTUM);
    expect(await colours(page)).toBeGreaterThan(200);
    const [energy] = await ask(page, "charts");
    expect(energy!.data[0]!.length).toBe(61);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => (window.visviva?.time() ?? 0) > 0.4 || (window.visviva?.frame() ?? 9) < 9);
    await expect(page.getByRole("button", { name: "All scenes and runs" })).toBeHidden();
});

test("a saved page is cut open, and coloured by energy, speed and displacement", async ({ page }) => {
    const [run, file] = [join(at.folder, "runs", "a-search"), join(at.folder, "inside.html")];
    call("view", run, "--html", file);
    await page.goto(pathToFileURL(file).href);
    await shown(page);
    await page.keyboard.press("Home");
    await seek(page, 0.2334, 7);
    const before = await page.locator(".stage canvas").screenshot();
    await page.keyboard.press("x");
    // The plane goes through the ball, whose half in front is gone.
    await expect.poll(async () => (await ask(page, "measures")).cut).toBeGreaterThan(10);
    expect(await page.locator(".stage canvas").screenshot()).not.toEqual(before);
    for (const [by, unit] of [["energy", "J/m³"], ["speed", "m/s"], ["displacement", " m"]] as const) {
        await page.getByLabel("Colour").selectOption(by);
        await expect(page.locator(".legend")).toContainText(unit);
        expect(await colours(page)).toBeGreaterThan(100);
    }
    for (const key of ["c", "f", "w", "m"]) await page.keyboard.press(key);
    expect(await colours(page)).toBeGreaterThan(100);
});
