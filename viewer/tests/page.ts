// A page that must stay without errors, and what tests ask of it.
import { test as base, expect, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import type { Handle } from "../src/page/handle";

export { expect };

export const test = base.extend<{ quiet: string[] }>({
    quiet: [async ({ context }, use) => {
        const errors: string[] = [];
        context.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        context.on("weberror", (error) => errors.push(String(error.error())));
        await use(errors);
        expect(errors, "the console stays quiet").toEqual([]);
    }, { auto: true }],
});

/** Opens the program's page; `VISVIVA_PAGE` puts a page built anew in place of the one the program carries. */
export async function open(page: Page, address: string): Promise<void> {
    const built = process.env["VISVIVA_PAGE"];
    if (built) await page.route((url) => url.pathname === "/", (route) => route.fulfill({ contentType: "text/html", body: readFileSync(built) }));
    await page.goto(address);
}

export async function shown(page: Page): Promise<void> {
    await page.waitForFunction(() => (window.visviva?.frame() ?? -1) >= 0);
}

/** Moves in time, and waits until that frame is seen. */
export async function seek(page: Page, t: number, frame: number): Promise<void> {
    await page.evaluate((time) => window.visviva?.seek(time), t);
    await page.waitForFunction((index) => window.visviva?.frame() === index, frame);
}

export function ask<K extends keyof Handle>(page: Page, what: K, ...words: Parameters<Handle[K]>): Promise<ReturnType<Handle[K]>> {
    return page.evaluate(([name, given]) => {
        const handle = window.visviva as unknown as Record<string, (...all: unknown[]) => unknown>;
        return handle[name as string]?.(...(given as unknown[])) as never;
    }, [what, words] as const);
}

/** How many colours a picture of the page's canvas has: one that is blank has few. */
export async function colours(page: Page): Promise<number> {
    return (await look(page)).colours;
}

/** How many pixels of the page's canvas have a colour that is no grey: those of bodies. */
export async function coloured(page: Page): Promise<number> {
    return (await look(page)).coloured;
}

async function look(page: Page): Promise<{ colours: number; coloured: number }> {
    const picture = await page.locator(".stage canvas").screenshot();
    return page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const sheet = document.createElement("canvas");
        [sheet.width, sheet.height] = [image.width, image.height];
        const pen = sheet.getContext("2d")!;
        pen.drawImage(image, 0, 0);
        const { data } = pen.getImageData(0, 0, image.width, image.height);
        let coloured = 0;
        for (let k = 0; k < data.length; k += 4) {
            const [red, green, blue] = [data[k]!, data[k + 1]!, data[k + 2]!];
            if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) coloured++;
        }
        return { colours: new Set(new Uint32Array(data.buffer)).size, coloured };
    }, picture.toString("base64"));
}
