// Pictures of the page for the README, docs/viewer.md and the start page: `scripts/viewer-pictures` makes files of them.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { open, shown, test } from "./page";
import { call, place, serve } from "./program";

const out = process.env["VISVIVA_PICTURES"] ?? "";
const FILM = join(import.meta.dirname, "party.toml");
/** The frame at which the decay dial is turned. */
const TURN = 33;

test.skip(!out, "VISVIVA_PICTURES names no folder");
test.setTimeout(900_000);

/** A page with shadows, which the tests' browser leaves away. */
async function start(page: Page, address: string): Promise<void> {
    await open(page, address);
    await shown(page);
    await page.keyboard.press("s");
}

test("a live run whose energy is let go", async ({ page }) => {
    const at = place();
    mkdirSync(join(out, "film"), { recursive: true });
    await page.setViewportSize({ width: 1120, height: 640 });
    const served = await serve(at.folder, "run", FILM, "--out", join(at.folder, "film"), "--view");
    await start(page, served.address);
    await page.getByLabel("How fast it is simulated").selectOption("0.1");
    let count = 0;
    const picture = () => page.screenshot({ path: join(out, "film", `${String(count++).padStart(4, "0")}.png`) });
    for (let last = -1; ;) {
        const [frame, state] = await page.evaluate(() => [window.visviva!.frame(), window.visviva!.state().state] as const);
        if (frame !== last) await picture();
        if (frame >= TURN && last < TURN) await turnDecay(page, picture);
        last = frame;
        if (state === "finished") break;
    }
    await served.end();
    rmSync(at.folder, { recursive: true });
});

async function turnDecay(page: Page, picture: () => Promise<unknown>): Promise<void> {
    for (const value of [60, 50, 42, 36, 30]) {
        await page.locator("#decay").evaluate((dial: HTMLInputElement, to) => {
            dial.value = String(to);
            dial.dispatchEvent(new Event("input"));
        }, value);
        await picture();
    }
    await page.locator("#decay").dispatchEvent("change");
}

test.describe("at night", () => {
    test.use({ colorScheme: "dark" });

    test("two methods side by side", async ({ page }) => {
        const at = place();
        const runs = ["a-search", "bdf2"].map((integrator) => join(at.folder, `ball-${integrator}`));
        for (const run of runs) call("run", "bouncing-ball-soft", "--duration", "3", "--integrator", run.split("ball-")[1]!, "--out", run);
        const served = await serve(at.folder, "view", ...runs);
        await start(page, served.address);
        for (const key of ["b", "m", "v"]) await page.keyboard.press(key);
        await page.evaluate(() => window.visviva!.seek(0.9));
        await page.waitForTimeout(5000);
        await page.screenshot({ path: join(out, "replay.png") });
        await served.end();
        rmSync(at.folder, { recursive: true });
    });
});
