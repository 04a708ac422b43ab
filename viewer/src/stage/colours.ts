// Colours as in our pictures and charts: of fields, of integrators, of what is drawn beside.

export type Rgb = [number, number, number];

/** OKLab lightness, chroma, hue [degrees] at even steps: dark violet through teal to yellow, as `visviva render` has it. */
const RAMP: Rgb[] = [
    [0.24, 0.1, 315], [0.35, 0.11, 286], [0.46, 0.1, 252], [0.57, 0.095, 205], [0.68, 0.125, 165], [0.79, 0.165, 132], [0.9, 0.18, 106],
];

/** 256 colours of the ramp, three bytes each. */
export const RAMP_BYTES = Uint8Array.from(Array.from({ length: 256 }, (_, k) => fieldColour(k / 255)).flat());

export function fieldColour(t: number): Rgb {
    const place = Math.min(Math.max(t, 0), 1) * (RAMP.length - 1);
    const k = Math.min(Math.floor(place), RAMP.length - 2);
    const [from, to, s] = [RAMP[k] as Rgb, RAMP[k + 1] as Rgb, place - k];
    const [l, c, h] = from.map((a, i) => a + s * ((to[i] as number) - a)) as Rgb;
    return oklch(l, c, h);
}

function oklch(lightness: number, chroma: number, hue: number): Rgb {
    const angle = (hue * Math.PI) / 180;
    const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
    ];
}

function encode(linear: number): number {
    const v = Math.min(Math.max(linear, 0), 1);
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
}

export function rgb(colour: string): Rgb {
    const value = parseInt(colour.slice(1), 16);
    return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** As in every figure of ours; `dark` where the figure's would not be seen on a dark page. */
const INTEGRATORS: Record<string, { light: string; dark: string }> = {
    "implicit-euler": { light: "#332288", dark: "#9d8fe8" },
    "implicit-midpoint": { light: "#cc79a7", dark: "#cc79a7" },
    "trapezoidal": { light: "#aa4499", dark: "#c870b8" },
    "bdf2": { light: "#009e73", dark: "#1fbf94" },
    "blending": { light: "#0072b2", dark: "#3d9bd3" },
    "a-1": { light: "#56b4e9", dark: "#56b4e9" },
    "a-search": { light: "#d55e00", dark: "#f0802c" },
    "a-spin": { light: "#e69f00", dark: "#e69f00" },
};
const OTHERS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/** The colour of run `index` of those shown together: its integrator's, or another where that is taken. */
export function runColours(integrators: string[], dark: boolean): string[] {
    const taken = new Set<string>();
    return integrators.map((integrator) => {
        const own = INTEGRATORS[integrator.split(":")[0] ?? ""]?.[dark ? "dark" : "light"];
        const colour = [own, ...OTHERS].find((each) => each !== undefined && !taken.has(each)) ?? "#888888";
        taken.add(colour);
        return colour;
    });
}
