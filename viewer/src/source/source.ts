// What the page knows of runs, and where it comes from: a program at the other end of a socket, or the page itself.

export type Vec3 = [number, number, number];
/** First and one past the last. */
export type Range = [number, number];

export interface Hello {
    version: string;
    mode: "start" | "replay" | "live";
    /** To open at once. */
    runs: string[];
}

export interface SceneItem {
    name: string;
    title: string;
    summary: string;
    bodies: number;
    /** [s] */
    duration: number;
}

export type RunState = "running" | "paused" | "finished" | "failed" | "interrupted";

export interface RunItem {
    id: string;
    name: string;
    title: string;
    frames: number;
    duration: number;
    state: RunState;
    folder: string;
}

export interface Listing {
    scenes: SceneItem[];
    runs: RunItem[];
}

/** A key of a scene file that people change first. */
export interface MainParameter {
    path: string;
    value: unknown;
    words: string;
    /** What may be chosen; empty where anything may be written. */
    choices: string[];
}

export interface SceneForm {
    toml: string;
    main: MainParameter[];
}

export interface BodyInfo {
    name: string;
    kind: "solid" | "shell" | "affine" | "obstacle";
    colour: string;
    vertices: Range;
    triangles: Range;
    wires?: Range;
    /** Of the vertices that tets join. */
    mesh?: Range;
}

export interface EnergyWish {
    target: string;
    tau?: number | null;
    /** [s], [J] */
    curve?: [number, number][] | null;
}

/** What was changed under way, as the run's file records it. */
export interface Change {
    /** So many steps were done. */
    step: number;
    energy?: EnergyWish | null;
    gravity?: Vec3 | null;
    integrator?: string | null;
}

export interface Camera {
    eye: Vec3;
    target: Vec3;
    up?: Vec3;
    /** Vertical [rad]. */
    field_of_view?: number;
}

export interface RunInfo {
    id: string;
    name: string;
    title: string;
    state: RunState;
    live: boolean;
    up: Vec3;
    duration: number;
    frame_rate: number;
    h: number;
    integrator: string;
    gravity: Vec3;
    times: number[];
    bounds: [Vec3, Vec3];
    bodies: BodyInfo[];
    vertices: number;
    triangles: number;
    wires: number;
    tets: number;
    mesh_vertices: number;
    energy: EnergyWish;
    integrators: string[];
    has: { contacts: boolean; tets: boolean; energy?: boolean };
    camera?: Camera | null;
    /** Height of a ground at rest along up. */
    floor?: number | null;
    changes?: Change[];
}

export interface StatsPart {
    /** The row to ask for next. */
    next: number;
    columns: Record<string, (number | null)[]>;
}

export interface Progress {
    event: "progress";
    run: string;
    frames: number;
    rows: number;
    t: number;
    state: RunState;
    wall?: number;
    remaining?: number | null;
    words?: string;
}

export interface Changed {
    event: "changed";
    run: string;
    changes: Change[];
}

export interface Listed {
    event: "listed";
}

/** The page's own: whether the program can be reached. */
export interface Connection {
    event: "connection";
    up: boolean;
    words: string;
}

export type SourceEvent = Progress | Changed | Listed | Connection;

export interface Mesh {
    rest: Float32Array;
    triangles: Uint32Array;
    wires: Uint32Array;
    /** Edges of the polygons that were given; empty where the triangles' own serve. */
    edges: Uint32Array;
}

/** Positions as they came: x = origin + scale · q. */
export interface Frame {
    index: number;
    t: number;
    origin: Vec3;
    scale: number;
    q: Uint16Array;
    bytes: number;
}

export type FieldName = "energy" | "speed" | "displacement";
export type FrameOf = "shown" | "mesh";

/** The program cannot be reached now; it may be later. */
export class Unreachable extends Error {}

/** Ten numbers a contact: point, force that presses, friction, gap. */
export const CONTACT_SIZE = 10;

export interface Source {
    hello(): Promise<Hello>;
    list(): Promise<Listing>;
    scene(name: string): Promise<SceneForm>;
    open(run: string): Promise<RunInfo>;
    mesh(run: string): Promise<Mesh>;
    /** Gives frames `from` … `to` − 1 one after the other to `take`; ends when all have come. */
    frames(run: string, from: number, to: number, of: FrameOf, take: (frame: Frame) => void): Promise<void>;
    /** Where a run stands that pauses between two frames. */
    now(run: string): Promise<Frame>;
    stats(run: string, from: number): Promise<StatsPart>;
    contacts(run: string, index: number): Promise<Float32Array>;
    field(run: string, index: number, name: FieldName): Promise<Float32Array>;
    tets(run: string): Promise<Uint32Array>;
    /** Anything that steers: start, pause, go, step, stop, pace, change, grab, release, branch, save. */
    steer(ask: string, words: Record<string, unknown>): Promise<Record<string, unknown>>;
    listen(listener: (event: SourceEvent) => void): void;
    /** Whether there is a program that can start and steer runs. */
    readonly steers: boolean;
}
