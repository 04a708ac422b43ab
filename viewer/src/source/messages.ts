// Binary messages of the program: 16 bytes of head, then numbers, little-endian as every machine with a browser is.
import type { Frame, Mesh } from "./source";

export const enum Kind {
    Mesh = 1,
    Frame = 2,
    Contacts = 3,
    Field = 4,
    Tets = 5,
}

export interface Message {
    id: number;
    kind: number;
    a: number;
    b: number;
    /** Where the payload begins. */
    at: number;
    bytes: ArrayBuffer;
    length: number;
}

const HEAD = 16;

export function readHead(bytes: ArrayBuffer, at = 0, length = bytes.byteLength - at): Message {
    if (length < HEAD) throw new Error(`a message of ${length} bytes is too short`);
    const head = new DataView(bytes, at, HEAD);
    const word = (k: number) => head.getUint32(4 * k, true);
    return { id: word(0), kind: word(1), a: word(2), b: word(3), at: at + HEAD, bytes, length: length - HEAD };
}

export function readMesh(message: Message): Mesh {
    const { bytes, a: vertices, b: count } = message;
    let at = message.at;
    const take = (n: number) => {
        const part = new Uint32Array(bytes, at, n);
        at += 4 * n;
        return part;
    };
    const rest = new Float32Array(bytes, at, 3 * vertices);
    at += 12 * vertices;
    const triangles = take(3 * count);
    const pairs = () => take(2 * (take(1)[0] ?? 0));
    return { rest, triangles, wires: pairs(), edges: pairs() };
}

/** Keeps the message's own bytes: nothing is copied. */
export function readFrame(message: Message): Frame {
    const { bytes, at, a: index, length } = message;
    const view = new DataView(bytes, at, 24);
    const number = (k: number) => view.getFloat32(8 + 4 * k, true);
    const q = new Uint16Array(bytes, at + 24, Math.floor((length - 24) / 6) * 3);
    return {
        index,
        t: view.getFloat64(0, true),
        origin: [number(0), number(1), number(2)],
        scale: number(3),
        q,
        bytes: length + HEAD,
    };
}

export function readFloats(message: Message, size: number): Float32Array {
    return new Float32Array(message.bytes, message.at, size * message.a);
}

export function readTets(message: Message): Uint32Array {
    return new Uint32Array(message.bytes, message.at, 4 * message.b);
}
