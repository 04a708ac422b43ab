// A run that lies in the page itself: messages as the program would send them, compressed and written as text.
import { Kind, type Message, readFloats, readFrame, readHead, readMesh, readTets } from "./messages";
import {
    CONTACT_SIZE, type FieldName, type Frame, type FrameOf, type Hello, type Mesh, type RunInfo, type Source, type StatsPart,
} from "./source";

const ALONE = "This page is a saved run: there is no program behind it. `visviva view FOLDER` opens a run with everything.";

export class EmbeddedSource implements Source {
    readonly steers = false;
    private info: RunInfo;
    private rows: StatsPart;
    private parts: Promise<Parts>;

    /** None where the page holds no run. */
    static find(): EmbeddedSource | null {
        const text = document.getElementById("run")?.textContent;
        return text ? new EmbeddedSource(text) : null;
    }

    private constructor(text: string) {
        const { stats, ...info } = JSON.parse(text) as RunInfo & { stats: StatsPart };
        this.info = { ...info, live: false };
        this.rows = stats;
        this.parts = readParts();
    }

    hello = (): Promise<Hello> => Promise.resolve({ version: "", mode: "replay", runs: [this.info.id] });
    stats = () => Promise.resolve(this.rows);
    list = () => refuse();
    scene = () => refuse();
    steer = () => refuse();
    now = () => refuse();
    listen(): void {
        // A saved run never changes.
    }

    async open(): Promise<RunInfo> {
        const parts = await this.parts;
        const has = { contacts: parts.contacts.size > 0, tets: parts.tets !== null, energy: parts.energy.size > 0 };
        return { ...this.info, has };
    }

    async mesh(): Promise<Mesh> {
        const { mesh } = await this.parts;
        return mesh ? readMesh(mesh) : refuse("the page is damaged: it holds no mesh");
    }

    async frames(_run: string, from: number, to: number, of: FrameOf, take: (frame: Frame) => void): Promise<void> {
        const { frames, inner } = await this.parts;
        for (let k = from; k < to; k++) {
            const message = (of === "mesh" ? inner : frames).get(k);
            if (message) take(readFrame(message));
        }
    }

    async contacts(_run: string, index: number): Promise<Float32Array> {
        const message = (await this.parts).contacts.get(index);
        return message ? readFloats(message, CONTACT_SIZE) : new Float32Array();
    }

    async field(_run: string, index: number, name: FieldName): Promise<Float32Array> {
        const message = name === "energy" ? (await this.parts).energy.get(index) : undefined;
        return message ? readFloats(message, 1) : refuse();
    }

    async tets(): Promise<Uint32Array> {
        const { tets } = await this.parts;
        return tets ? readTets(tets) : refuse();
    }
}

function refuse(words = ALONE): Promise<never> {
    return Promise.reject(new Error(words));
}

interface Parts {
    mesh: Message | null;
    tets: Message | null;
    frames: Map<number, Message>;
    /** Of the vertices that tets join. */
    inner: Map<number, Message>;
    contacts: Map<number, Message>;
    energy: Map<number, Message>;
}

async function readParts(): Promise<Parts> {
    const parts: Parts = { mesh: null, tets: null, frames: new Map(), inner: new Map(), contacts: new Map(), energy: new Map() };
    // Contacts come in the order of their frames.
    for (const name of ["mesh", "frames", "contacts", "inside"]) {
        for (const message of await readBlob(`blob-${name}`)) {
            if (message.kind === Kind.Mesh) parts.mesh = message;
            else if (message.kind === Kind.Tets) parts.tets = message;
            else if (message.kind === Kind.Frame) (name === "inside" ? parts.inner : parts.frames).set(message.a, message);
            else if (message.kind === Kind.Contacts) parts.contacts.set(parts.contacts.size, message);
            else if (message.kind === Kind.Field) parts.energy.set(message.b, message);
        }
    }
    return parts;
}

/** Messages, each after its length. Each gets bytes of its own, because numbers must lie at multiples of their size. */
async function readBlob(id: string): Promise<Message[]> {
    const element = document.getElementById(id);
    const text = element?.textContent?.trim();
    if (!text) return [];
    const packed = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
    const bytes = await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
    element?.remove();
    const view = new DataView(bytes);
    const messages = [];
    for (let at = 0; at + 4 <= bytes.byteLength;) {
        const length = view.getUint32(at, true);
        messages.push(readHead(bytes.slice(at + 4, at + 4 + length)));
        at += 4 + length;
    }
    return messages;
}
