// The program under test: small runs made by it, and pages served by it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../..");

export function program(): string {
    const places = [process.env["VISVIVA_PROGRAM"], "target/debug/visviva", "target/release/visviva"];
    const found = places.filter((place) => place !== undefined).map((place) => resolve(REPOSITORY, place)).find((place) => existsSync(place));
    if (!found) throw new Error("there is no program to test: build it, or name it by VISVIVA_PROGRAM");
    return found;
}

/** A soft ball that falls on the ground and comes up again: a second or two of work. */
const SCENE = `title = "A small ball falls"
[run]
integrator = "a-search"
h = "1/120"
duration = 1
frame_rate = 30
contacts = true
[contact]
restitution = 1
[[material]]
name = "rubber"
youngs_modulus = 1e5
density = 1000
[[body]]
name = "ball"
material = "rubber"
ball = { radius = 0.05, shells = 3 }
translate = [0, 0, 0.25]
[[obstacle]]
name = "ground"
plane = { point = [0, 0, 0], normal = [0, 0, 1], size = 1 }
`;

export interface Place {
    folder: string;
    scene: string;
}

/** An empty folder with the scene in it. */
export function place(): Place {
    const folder = mkdtempSync(join(tmpdir(), "visviva-viewer-"));
    const scene = join(folder, "ball.toml");
    writeFileSync(scene, SCENE);
    return { folder, scene };
}

export function call(...words: string[]): string {
    return execFileSync(program(), words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export interface Served {
    address: string;
    pid: number;
    /** What it printed so far. */
    words(): string;
    end(): Promise<void>;
}

/** Starts a command that serves a page, and waits until it says where. */
export async function serve(folder: string, ...words: string[]): Promise<Served> {
    const child: ChildProcess = spawn(program(), words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    const address = await new Promise<string>((found, failed) => {
        const hear = (part: Buffer) => {
            printed += part.toString();
            const match = /https?:\/\/\S+token=\w+/.exec(printed);
            if (match) found(match[0]);
        };
        child.stdout?.on("data", hear);
        child.stderr?.on("data", hear);
        child.on("exit", (code) => failed(new Error(`the program ended with ${code}:\n${printed}`)));
        setTimeout(() => failed(new Error(`the program did not say where its page is:\n${printed}`)), 30_000).unref();
    });
    const end = () => new Promise<void>((ended) => {
        if (child.exitCode !== null) return ended();
        child.on("exit", () => ended());
        child.kill("SIGINT");
        setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
    });
    return { address, pid: child.pid ?? 0, words: () => printed, end };
}

/** An array of numbers as NumPy writes it. */
export function readNpy(path: string): { shape: number[]; data: Float64Array } {
    const bytes = readFileSync(path);
    const length = bytes.readUInt16LE(8);
    const head = bytes.subarray(10, 10 + length).toString();
    if (!head.includes("'<f8'")) throw new Error(`${path} does not hold f64 numbers: ${head}`);
    const shape = (/\(([^)]*)\)/.exec(head)?.[1] ?? "").split(",").filter((part) => part.trim()).map(Number);
    return { shape, data: new Float64Array(bytes.buffer.slice(bytes.byteOffset + 10 + length, bytes.byteOffset + bytes.length)) };
}

/** A column of a run's statistics. */
export function readColumn(folder: string, name: string): number[] {
    const [head, ...rows] = readFileSync(join(folder, "stats.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
    const at = head?.indexOf(name) ?? -1;
    return rows.map((row) => Number(row[at]));
}

/** 16 bits over a few metres, and their rounding [m]. */
export const QUANTUM = 1e-4;

/** How far a vertex of a frame is from a point [m]. */
export function away(frame: Float64Array, vertex: number, point: number[]): number {
    return Math.hypot(...point.map((x, axis) => x - frame[3 * vertex + axis]!));
}

/** The vertex of a frame at a point. */
export function nearest(frame: Float64Array, point: number[]): number {
    const count = frame.length / 6;
    const found = Array.from({ length: count }, (_, vertex) => vertex).reduce((best, vertex) =>
        (away(frame, vertex, point) < away(frame, best, point) ? vertex : best));
    if (away(frame, found, point) > QUANTUM) throw new Error(`no vertex is at ${point.join(", ")}`);
    return found;
}
