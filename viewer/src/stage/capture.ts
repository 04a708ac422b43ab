// Pictures (PNG) and films (WebM) of what is seen, with the names of runs, the time and what colours mean written in.
import { saveFile } from "../page/dom";
import { RAMP_BYTES } from "./colours";
import type { Stage } from "./stage";

export interface Caption {
    time: string;
    names: string[];
    legend: { words: string; most: string } | null;
}

/** [frames/s] */
const RATE = 30;

export class Capture {
    private sheet = document.createElement("canvas");
    private recorder: MediaRecorder | null = null;

    constructor(private stage: Stage, private caption: () => Caption, private failed: (words: string) => void) {}

    get filming(): boolean {
        return this.recorder !== null;
    }

    picture(): void {
        if (this.filming) this.stage.draw();
        else this.stage.drawFinely();
        this.compose();
        this.sheet.toBlob((blob) => blob && saveFile(`${this.name()}.png`, blob), "image/png");
    }

    /** Begins a film, or ends and saves it. */
    film(): void {
        if (this.recorder) return this.recorder.stop();
        const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((each) => MediaRecorder.isTypeSupported(each));
        if (!type) return this.failed("This browser cannot record films; try Chromium or Firefox.");
        this.stage.draw();
        this.stage.filmed = true;
        this.compose();
        const parts: Blob[] = [];
        const recorder = new MediaRecorder(this.sheet.captureStream(RATE), { mimeType: type, videoBitsPerSecond: 8e6 });
        recorder.ondataavailable = (event) => parts.push(event.data);
        recorder.onstop = () => {
            this.recorder = null;
            this.stage.filmed = false;
            saveFile(`${this.name()}.webm`, new Blob(parts, { type: "video/webm" }));
        };
        recorder.start(1000);
        this.recorder = recorder;
    }

    /** After each picture of the stage: films take it. */
    drawn(): void {
        if (this.recorder) this.compose();
    }

    private name(): string {
        const names = this.stage.views.map((view) => view.run.info.name).join("+");
        return names.replace(/[^\w.+=-]+/g, "-").slice(0, 80) || "visviva";
    }

    private compose(): void {
        const { canvas, panes } = this.stage;
        const scale = this.stage.renderer.getPixelRatio();
        // Video wants even sizes.
        const [width, height] = [canvas.width & ~1, canvas.height & ~1];
        if (this.sheet.width !== width || this.sheet.height !== height) [this.sheet.width, this.sheet.height] = [width, height];
        const pen = this.sheet.getContext("2d");
        if (!pen) return;
        const { time, names, legend } = this.caption();
        const ink = this.stage.isDark ? "#e6e8eb" : "#262626";
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.drawImage(canvas, 0, 0);
        pen.setTransform(scale, 0, 0, scale, 0, 0);
        pen.fillStyle = ink;
        pen.font = "500 14px Ubuntu, system-ui, sans-serif";
        panes.forEach((pane, k) => pen.fillText(names[k] ?? "", pane.x + 14, pane.y + 24));
        pen.font = "13px Ubuntu, system-ui, sans-serif";
        const bottom = height / scale - 14;
        pen.fillText(time, 14, bottom);
        if (!legend) return;
        const left = width / scale - 214;
        for (let k = 0; k < 200; k++) {
            const at = 3 * Math.round((255 * k) / 199);
            pen.fillStyle = `rgb(${RAMP_BYTES[at]} ${RAMP_BYTES[at + 1]} ${RAMP_BYTES[at + 2]})`;
            pen.fillRect(left + k, bottom - 32, 1.5, 10);
        }
        pen.fillStyle = ink;
        pen.fillText(`0 · ${legend.words}`, left, bottom);
        pen.textAlign = "right";
        pen.fillText(legend.most, left + 200, bottom);
        pen.textAlign = "left";
    }
}
