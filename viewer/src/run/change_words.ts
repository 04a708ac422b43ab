// Changes made under way, in words for people, and what holds after them.
import { readable } from "../page/dom";
import type { Change, EnergyWish, RunInfo, Vec3 } from "../source/source";

export function changeWords(change: Change): string {
    if (change.energy) return energyWords(change.energy);
    if (change.gravity) return `gravity ${readable(Math.hypot(...change.gravity))} m/s²`;
    if (change.integrator) return `method ${change.integrator}`;
    return "another change";
}

export function energyWords(energy: EnergyWish): string {
    switch (energy.target) {
        case "conserve": return "the energy is kept";
        case "decay": return energy.tau ? `the energy fades over ${readable(energy.tau)} s` : "the energy fades";
        case "curve":
        case "curve-joules": return `the energy follows a curve of ${energy.curve?.length ?? 0} points`;
        case "rest": return "the energy falls until all is at rest";
        case "schedule": return "the energy fades at changing rates";
        default: return energy.target;
    }
}

export interface InForce {
    energy: EnergyWish;
    gravity: Vec3;
    integrator: string;
}

export function inForce(info: RunInfo, changes: Change[]): InForce {
    const last = <K extends "energy" | "gravity" | "integrator">(key: K): RunInfo[K] =>
        (changes.findLast((change) => change[key] !== undefined && change[key] !== null)?.[key] ?? info[key]) as RunInfo[K];
    return { energy: last("energy"), gravity: last("gravity"), integrator: last("integrator") };
}
