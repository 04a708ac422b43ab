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
    return new Set(await pixels(page)).size;
}

/** How many pixels of the page's canvas have a colour that is no grey: those of bodies. */
export async function coloured(page: Page): Promise<number> {
    const parts = (pixel: number) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
    return (await pixels(page)).filter((pixel) => Math.max(...parts(pixel)) - Math.min(...parts(pixel)) > 40).length;
}

/** Four bytes each, as one number. */
async function pixels(page: Page): Promise<number[]> {
    const picture = await page.locator(".stage canvas").screenshot();
    return page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const sheet = document.createElement("canvas");
        [sheet.width, sheet.height] = [image.width, image.height];
        const pen = sheet.getContext("2d")!;
        pen.drawImage(image, 0, 0);
        return Array.from(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer));
    }, picture.toString("base64"));
}
