// The clock of all runs that are shown: one time, which plays, is scrubbed, or follows a run as it is simulated.
import type { Run } from "./run";

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Player {
    /** [s] */
    t = 0;
    playing = false;
    /** Seconds of the run a second of the clock. */
    speed = 1;
    loop = true;
    /** Shows the newest frame of a live run. */
    follow = false;
    private listeners: (() => void)[] = [];

    constructor(readonly runs: Run[]) {}

    listen(listener: () => void): void {
        this.listeners.push(listener);
    }

    /** Of the longest run so far [s]. */
    get end(): number {
        return this.runs.reduce((end, run) => Math.max(end, run.end), 0);
    }

    get duration(): number {
        return this.runs.reduce((end, run) => Math.max(end, run.live ? run.info.duration : run.end), this.end);
    }

    seek(t: number, follow = false): void {
        this.follow = follow;
        this.t = Math.min(Math.max(t, 0), this.end);
        this.tell();
    }

    toggle(): void {
        this.playing = !this.playing;
        this.follow = false;
        if (this.playing && this.t >= this.end - 1e-9) this.t = 0;
        this.tell();
    }

    /** So many frames of the first run on, or back. */
    step(count: number): void {
        this.playing = false;
        const run = this.runs[0];
        if (!run) return;
        const index = Math.min(Math.max(run.frameAt(this.t) + count, 0), run.times.length - 1);
        this.seek(run.times[index] ?? 0);
    }

    faster(steps: number): void {
        const k = SPEEDS.indexOf(this.speed);
        this.setSpeed(SPEEDS[Math.min(Math.max(k + steps, 0), SPEEDS.length - 1)] ?? 1);
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.tell();
    }

    setFollow(follow: boolean): void {
        this.follow = follow;
        this.playing = this.playing && !follow;
        this.tell();
    }

    /** Goes on by `seconds` of the clock. */
    tick(seconds: number): void {
        if (this.follow) {
            if (this.t !== this.end) this.seek(this.end, true);
            return;
        }
        if (!this.playing) return;
        // A missing frame is waited for: the clock never runs ahead of what can be shown.
        if (this.runs.some((run) => run.lacks(run.frameAt(this.t)))) return;
        let t = this.t + seconds * this.speed;
        if (t > this.end) {
            const more = this.runs.some((run) => run.live);
            if (more) t = this.end;
            else if (this.loop) t = this.end > 0 ? t % this.end : 0;
            else this.playing = false;
        }
        const before = this.moment;
        this.t = Math.min(t, this.end);
        // Between two frames nothing new is seen.
        if (!this.playing || this.moment !== before) this.tell();
    }

    /** Which frames are shown. */
    private get moment(): string {
        return this.runs.map((run) => run.frameAt(this.t)).join();
    }

    private tell(): void {
        this.listeners.forEach((listener) => listener());
    }
}
