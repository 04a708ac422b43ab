// A floor at rest, which is drawn as the ground of the studio and not as a body: it reaches further than anyone wants to see.
import type { Mesh, RunInfo } from "../source/source";

/** Takes floors out of the mesh; the height of the uppermost along up, none where there is none [m]. */
export function takeGround(info: RunInfo, mesh: Mesh): number | null {
    let ground = info.floor ?? null;
    for (const body of info.bodies) {
        const [first, end] = body.triangles;
        // Planes are one triangle, or the two of a square.
        if (body.kind !== "obstacle" || end - first < 1 || end - first > 2) continue;
        const corners = Array.from(mesh.triangles.subarray(3 * first, 3 * end));
        const heights = corners.map((corner) => info.up.reduce((sum, up, axis) => sum + up * mesh.rest[3 * corner + axis]!, 0));
        const [low, high] = [Math.min(...heights), Math.max(...heights)];
        const size = info.bounds[1].reduce((most, value, axis) => Math.max(most, value - info.bounds[0][axis]!), 0);
        if (high - low > 1e-4 * size) continue;
        ground = Math.max(ground ?? -Infinity, high);
        // Triangles without area are not seen.
        mesh.triangles.fill(corners[0]!, 3 * first, 3 * end);
    }
    return ground;
}
