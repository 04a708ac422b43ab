// Runs of a program at the other end of a WebSocket: asks carry a number, answers come back under it.
import { type Message, readFloats, readFrame, readHead, readMesh, readTets } from "./messages";
import {
    CONTACT_SIZE, type FieldName, type Frame, type FrameOf, type Hello, type Listing, type Mesh, type RunInfo, type SceneForm,
    type Source, type SourceEvent, type StatsPart, Unreachable,
} from "./source";

interface Pending {
    answer(ok: unknown): void;
    refuse(error: Error): void;
    /** Takes binary answers; says whether it was the last. */
    take?(message: Message): boolean;
}

/** Longest pause between two tries to reach the program again [ms]. */
const PATIENCE = 5000;

export class SocketSource implements Source {
    readonly steers = true;
    private socket: WebSocket | null = null;
    private next = 1;
    private pending = new Map<number, Pending>();
    private listeners: ((event: SourceEvent) => void)[] = [];
    private pause = 250;
    /** What waits for the socket to open. */
    private unsent: string[] = [];

    constructor(private address: string) {
        this.connect();
    }

    listen(listener: (event: SourceEvent) => void): void {
        this.listeners.push(listener);
    }

    hello = () => this.ask<Hello>("hello");
    list = () => this.ask<Listing>("list");
    scene = (name: string) => this.ask<SceneForm>("scene", { name });
    open = (run: string) => this.ask<RunInfo>("open", { run });
    stats = (run: string, from: number) => this.ask<StatsPart>("stats", { run, from });
    steer = (ask: string, words: Record<string, unknown>) => this.ask<Record<string, unknown>>(ask, words);

    mesh = (run: string): Promise<Mesh> => this.binary("mesh", { run }, readMesh);
    tets = (run: string) => this.binary("tets", { run }, readTets);

    contacts(run: string, index: number): Promise<Float32Array> {
        return this.binary("contacts", { run, index }, (m) => readFloats(m, CONTACT_SIZE));
    }

    field(run: string, index: number, name: FieldName): Promise<Float32Array> {
        return this.binary("field", { run, index, name }, (m) => readFloats(m, 1));
    }

    now = (run: string) => this.binary("now", { run }, readFrame);

    async frames(run: string, from: number, to: number, of: FrameOf, take: (frame: Frame) => void): Promise<void> {
        if (of === "shown") return this.shownFrames(run, from, to, take);
        for (let index = from; index < to; index++) take(await this.binary("frame", { run, index, of }, readFrame));
    }

    private shownFrames(run: string, from: number, to: number, take: (frame: Frame) => void): Promise<void> {
        let left = to - from;
        return new Promise((resolve, refuse) => {
            const each = (message: Message) => {
                take(readFrame(message));
                if (--left > 0) return false;
                resolve();
                return true;
            };
            // An answer in words: there were fewer frames than asked for.
            this.send("frames", { run, from, to }, { answer: () => resolve(), refuse, take: each });
        });
    }

    private binary<T>(ask: string, words: Record<string, unknown>, read: (message: Message) => T): Promise<T> {
        return new Promise((resolve, refuse) => {
            const take = (message: Message) => {
                resolve(read(message));
                return true;
            };
            this.send(ask, words, { answer: () => refuse(new Error(`the program gave no ${ask}`)), refuse, take });
        });
    }

    private ask<T>(ask: string, words: Record<string, unknown> = {}): Promise<T> {
        return new Promise((resolve, refuse) => {
            this.send(ask, words, { answer: (ok) => resolve(ok as T), refuse });
        });
    }

    private send(ask: string, words: Record<string, unknown>, pending: Pending): void {
        const id = this.next++;
        this.pending.set(id, pending);
        const text = JSON.stringify({ id, ask, ...words });
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
        else this.unsent.push(text);
    }

    private connect(): void {
        const socket = new WebSocket(this.address);
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            this.pause = 250;
            this.unsent.splice(0).forEach((text) => socket.send(text));
            this.tell({ event: "connection", up: true, words: "" });
        };
        socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
            if (typeof event.data === "string") this.hear(event.data);
            else this.receive(readHead(event.data));
        };
        socket.onclose = () => this.lost();
        this.socket = socket;
    }

    private lost(): void {
        this.socket = null;
        this.unsent = [];
        const waiting = [...this.pending.values()];
        this.pending.clear();
        waiting.forEach((each) => each.refuse(new Unreachable("the program cannot be reached")));
        this.tell({ event: "connection", up: false, words: "The program has ended or cannot be reached. Frames seen so far stay." });
        setTimeout(() => this.connect(), this.pause);
        this.pause = Math.min(2 * this.pause, PATIENCE);
    }

    private hear(text: string): void {
        const message = JSON.parse(text) as { id?: number; ok?: unknown; error?: string; event?: string };
        if (message.event !== undefined) return this.tell(message as unknown as SourceEvent);
        const pending = message.id === undefined ? undefined : this.pending.get(message.id);
        if (!pending || message.id === undefined) return;
        this.pending.delete(message.id);
        if (message.error !== undefined) pending.refuse(new Error(message.error));
        else pending.answer(message.ok);
    }

    private receive(message: Message): void {
        if (this.pending.get(message.id)?.take?.(message)) this.pending.delete(message.id);
    }

    private tell(event: SourceEvent): void {
        this.listeners.forEach((listener) => listener(event));
    }
}
