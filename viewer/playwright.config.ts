// Tests of the page in headless Chromium, against the program itself; `scripts/test-viewer` runs them.
import { defineConfig } from "@playwright/test";

export default defineConfig({
    testDir: "tests",
    outputDir: "test-results",
    timeout: 240_000,
    expect: { timeout: 20_000 },
    // Software rendering takes all cores there are.
    workers: 1,
    // On a machine that does other work as well a click may come between two pictures; what passes only then is told as flaky.
    retries: 1,
    reporter: "list",
    use: {
        viewport: { width: 1280, height: 720 },
        launchOptions: {
            executablePath: process.env["VISVIVA_CHROMIUM"] ?? "/usr/bin/chromium",
            // The last: a page put in place of the program's (VISVIVA_PAGE) has no address of its own to be allowed by.
            args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-features=LocalNetworkAccessChecks"],
        },
    },
});
