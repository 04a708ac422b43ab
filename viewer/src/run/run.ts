// A run that is open: what it is, its mesh, its frames as they are pulled, its statistics as they grow.
import type { Change, Frame, Mesh, Progress, RunInfo, RunState, Source } from "../source/source";
import { type InForce, inForce } from "./change_words";
import { FrameCache } from "./frame_cache";
import { takeGround } from "./ground";
import { Statistics } from "./statistics";

/** Frames are kept up to this, all runs together [bytes]. */
const KEPT = 256 << 20;

export type RunNews = "frame" | "stats" | "state" | "changes" | "trouble";

export class Run {
    readonly times: number[];
    readonly statistics: Statistics;
    readonly frames: FrameCache;
    /** Positions of what tets join, for the cut. */
    readonly inner: FrameCache;
    state: RunState;
    changes: Change[];
    /** Energy, gravity and method as they are wanted now. */
    now: InForce;
    /** Where it pauses between two frames. */
    standing: Frame | null = null;
    readonly ground: number | null;
    /** One past the last shown vertex of a body; obstacles follow. */
    readonly movingVertices: number;
    progress: Progress | null = null;
    /** What went wrong last, in words. */
    trouble = "";
    /** Rows of statistics the program had when they were last pulled. */
    pulledRows = 0;
    private listeners: ((news: RunNews) => void)[] = [];

    static async open(source: Source, id: string, runs: number): Promise<Run> {
        const [info, mesh] = await Promise.all([source.open(id), source.mesh(id)]);
        const run = new Run(source, info, mesh, KEPT / runs);
        await run.statistics.pull();
        return run;
    }

    private constructor(readonly source: Source, readonly info: RunInfo, readonly mesh: Mesh, bytes: number) {
        this.times = [...info.times];
        this.state = info.state;
        this.changes = info.changes ?? [];
        this.now = inForce(info, this.changes);
        this.ground = takeGround(info, mesh);
        this.movingVertices = info.bodies.reduce((end, body) => (body.kind === "obstacle" ? end : Math.max(end, body.vertices[1])), 0);
        this.statistics = new Statistics(source, info.id);
        this.frames = new FrameCache(source, info.id, "shown", 0.75 * bytes, (frame) => this.arrived(frame), (words) => this.complain(words));
        this.inner = new FrameCache(source, info.id, "mesh", 0.25 * bytes, () => this.tell("frame"), (words) => this.complain(words));
    }

    get id(): string {
        return this.info.id;
    }

    /** Whether it is being simulated, or waits to go on. */
    get live(): boolean {
        return this.info.live && (this.state === "running" || this.state === "paused");
    }

    /** Time of the last frame so far [s]. */
    get end(): number {
        return this.times[this.times.length - 1] ?? 0;
    }

    listen(listener: (news: RunNews) => void): void {
        this.listeners.push(listener);
    }

    /** The frame shown at a time: the last one not after it. */
    frameAt(t: number): number {
        let low = 0;
        let high = this.times.length;
        while (low < high) {
            const mid = (low + high) >> 1;
            if ((this.times[mid] ?? 0) <= t + 1e-6) low = mid + 1;
            else high = mid;
        }
        return Math.max(low - 1, 0);
    }

    /** Whether a frame is still to come. */
    lacks(index: number): boolean {
        return !this.frames.get(index) && !this.frames.isLost(index);
    }

    hearProgress(news: Progress): void {
        if (news.words && news.words !== this.progress?.words && news.state !== "finished") this.complain(news.words);
        this.progress = news;
        // Exact times come with the frames.
        for (let k = this.times.length; k < news.frames; k++) this.times.push(k / this.info.frame_rate);
        this.state = news.state;
        if (this.state !== "paused") this.standing = null;
        else if (news.t > this.end && news.t !== this.standing?.t) void this.pullStanding();
        this.tell("state");
    }

    private async pullStanding(): Promise<void> {
        const frame = await this.source.now(this.id).catch(() => null);
        // It stands after the frames there are.
        if (frame && this.state === "paused") this.standing = { ...frame, index: this.times.length };
        this.tell("frame");
    }

    hearChanges(changes: Change[]): void {
        this.changes = changes;
        this.now = inForce(this.info, changes);
        this.tell("changes");
    }

    async pullStatistics(): Promise<void> {
        this.pulledRows = this.progress?.rows ?? 0;
        if (await this.statistics.pull()) this.tell("stats");
    }

    /** After the program was out of reach: what it says now. */
    async renew(): Promise<void> {
        const info = await this.source.open(this.id);
        this.times.splice(0, this.times.length, ...info.times);
        this.state = info.state;
        this.hearChanges(info.changes ?? []);
        await this.pullStatistics();
        this.tell("state");
    }

    private complain(words: string): void {
        this.trouble = words;
        this.tell("trouble");
    }

    private arrived(frame: Frame): void {
        if (frame.index < this.times.length) this.times[frame.index] = frame.t;
        this.tell("frame");
    }

    private tell(news: RunNews): void {
        this.listeners.forEach((listener) => listener(news));
    }
}
