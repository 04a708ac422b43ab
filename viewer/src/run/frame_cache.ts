// Frames of a run that were pulled, the least recently shown given up first where they would take too many bytes.
import { type Frame, type FrameOf, type Source, Unreachable } from "../source/source";

/** Frames an ask. */
const WINDOW = 8;
/** Asks under way at once: one that comes while another is shown. */
const ASKS = 2;
/** A frame that was refused so often is given up. */
const PATIENCE = 3;

export class FrameCache {
    private frames = new Map<number, Frame>();
    private asked = new Set<number>();
    private asks = 0;
    /** How often each was refused. */
    private refused = new Map<number, number>();
    /** What they take together [bytes]. */
    bytes = 0;
    /** All that came, for those that measure [frames, bytes]. */
    received = { frames: 0, bytes: 0 };

    constructor(
        private source: Source,
        private run: string,
        private of: FrameOf,
        private bound: number,
        private arrived: (frame: Frame) => void,
        private lost: (words: string) => void,
    ) {}

    get(index: number): Frame | undefined {
        const frame = this.frames.get(index);
        if (frame) {
            this.frames.delete(index);
            this.frames.set(index, frame);
        }
        return frame;
    }

    /** Pulls a frame, and some that follow it, where they are not here or on the way. */
    want(index: number, ahead: number, count: number): void {
        const end = Math.min(index + 1 + ahead, count);
        for (let from = Math.max(index, 0); from < end && this.asks < ASKS; from++) {
            if (this.here(from)) continue;
            let to = from + 1;
            while (to < end && to - from < WINDOW && !this.here(to)) to++;
            this.pull(from, to);
            from = to;
        }
    }

    /** Whether it cannot be had: its file is damaged, say. */
    isLost(index: number): boolean {
        return (this.refused.get(index) ?? 0) >= PATIENCE;
    }

    private here(index: number): boolean {
        return this.frames.has(index) || this.asked.has(index) || this.isLost(index);
    }

    private pull(from: number, to: number): void {
        this.asks++;
        for (let k = from; k < to; k++) this.asked.add(k);
        const done = () => {
            this.asks--;
            for (let k = from; k < to; k++) this.asked.delete(k);
        };
        const failed = (error: Error) => {
            done();
            if (!(error instanceof Unreachable)) this.refuse(from, to, error.message);
        };
        this.source.frames(this.run, from, to, this.of, (frame) => this.keep(frame)).then(done, failed);
    }

    /** The first that did not come is to blame; others are asked for again when they are wanted. */
    private refuse(from: number, to: number, words: string): void {
        let index = from;
        while (index < to - 1 && this.frames.has(index)) index++;
        this.refused.set(index, (this.refused.get(index) ?? 0) + 1);
        if (this.refused.get(index) === PATIENCE) this.lost(`Frame ${index} cannot be shown: ${words}`);
    }

    private keep(frame: Frame): void {
        const old = this.frames.get(frame.index);
        if (old) this.bytes -= old.bytes;
        this.frames.delete(frame.index);
        this.frames.set(frame.index, frame);
        this.bytes += frame.bytes;
        this.received.frames++;
        this.received.bytes += frame.bytes;
        for (const [index, oldest] of this.frames) {
            if (this.bytes <= this.bound || this.frames.size <= 2 * WINDOW) break;
            this.frames.delete(index);
            this.bytes -= oldest.bytes;
        }
        this.arrived(frame);
    }
}
