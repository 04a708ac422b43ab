// Builds the page into one HTML file with script and style inside, and that into dist/page.html.gz, which the program carries.
import { gzipSync } from "fflate";
import { writeFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Puts the built script and style into the page, where the program can serve or save it as one file. */
function oneFile(): Plugin {
    return {
        name: "one-file",
        enforce: "post",
        generateBundle(_options, bundle) {
            const page = bundle["index.html"];
            if (page?.type !== "asset") throw new Error("there is no index.html among what was built");
            let html = String(page.source);
            for (const [name, part] of Object.entries(bundle)) {
                if (name === "index.html") continue;
                if (part.type === "chunk") {
                    const tag = new RegExp(`<script[^>]*src="[^"]*${part.fileName}"[^>]*></script>`);
                    // A function, because the code holds `$&`; the slash, because a closing tag would end the script.
                    const code = part.code.replaceAll("</script", "<\\/script").trim();
                    html = html.replace(tag, "").replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
                } else if (name.endsWith(".css")) {
                    const tag = new RegExp(`<link[^>]*href="[^"]*${part.fileName}"[^>]*>`);
                    html = html.replace(tag, () => `<style>${String(part.source).trim()}</style>`);
                } else {
                    throw new Error(`${name} would stay outside the page`);
                }
                delete bundle[name];
            }
            page.source = html;
        },
        writeBundle(options, bundle) {
            const page = bundle["index.html"];
            if (page?.type !== "asset") return;
            // fflate and not zlib: its bytes are the same with every version of Node and on every processor.
            const bytes = gzipSync(new TextEncoder().encode(String(page.source)), { level: 9, mtime: 0 });
            writeFileSync(`${options.dir}/page.html.gz`, bytes);
        },
    };
}

export default defineConfig({
    base: "./",
    build: {
        target: "es2022",
        modulePreload: false,
        assetsInlineLimit: 1 << 20,
        cssCodeSplit: false,
        chunkSizeWarningLimit: 2000,
        outDir: process.env["VIEWER_OUT"] ?? "dist",
    },
    plugins: [oneFile()],
});
