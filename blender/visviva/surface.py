"""An object's surface as it is simulated, and the OBJ file that carries it to the program."""

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from .refusal import Refusal

CACHE_NAME = "visviva"

# Modifiers that only refine how a surface looks. At the end of a stack they work on the moving surface;
# whatever stands before them is simulated as it is seen.
FINISHING = {
    "BEVEL", "CORRECTIVE_SMOOTH", "EDGE_SPLIT", "LAPLACIANSMOOTH", "MULTIRES", "NORMAL_EDIT", "SMOOTH", "SUBSURF",
    "TRIANGULATE", "UV_PROJECT", "UV_WARP", "WEIGHTED_NORMAL", "WIREFRAME",
}


@dataclass
class Surface:
    """Polygons with corners one after the other; points in the object's own coordinates."""

    points: np.ndarray
    corners: np.ndarray
    sizes: np.ndarray
    uvs: np.ndarray | None
    material_of_polygon: np.ndarray
    material_names: list[str]


def place_of_cache(obj: bpy.types.Object) -> int:
    """Where in the stack the motion belongs: before the finishing modifiers at its end."""
    others = [modifier for modifier in obj.modifiers if modifier.name != CACHE_NAME]
    finishing = FINISHING | ({"SOLIDIFY"} if obj.visviva.kind == "SHELL" else set())
    place = len(others)
    while place > 0 and others[place - 1].type in finishing:
        place -= 1
    return place


def simulated(context: bpy.types.Context, objects: list[bpy.types.Object]) -> list[Surface]:
    """Surfaces as the modifiers before the caches make them."""
    switched_off = []
    try:
        for obj in objects:
            others = [modifier for modifier in obj.modifiers if modifier.name != CACHE_NAME]
            caches = [modifier for modifier in obj.modifiers if modifier.name == CACHE_NAME]
            for modifier in caches + others[place_of_cache(obj):]:
                switched_off.append((modifier, modifier.show_viewport))
                modifier.show_viewport = False
        context.view_layer.update()
        depsgraph = context.evaluated_depsgraph_get()
        return [_read(obj.evaluated_get(depsgraph), obj) for obj in objects]
    finally:
        for modifier, shown in switched_off:
            modifier.show_viewport = shown


def _read(evaluated: bpy.types.Object, obj: bpy.types.Object) -> Surface:
    mesh = evaluated.to_mesh()
    try:
        points = np.empty(3 * len(mesh.vertices), np.float32)
        corners = np.empty(len(mesh.loops), np.int32)
        sizes = np.empty(len(mesh.polygons), np.int32)
        material_of_polygon = np.empty(len(mesh.polygons), np.int32)
        mesh.vertices.foreach_get("co", points)
        mesh.loops.foreach_get("vertex_index", corners)
        mesh.polygons.foreach_get("loop_total", sizes)
        mesh.polygons.foreach_get("material_index", material_of_polygon)
        uvs = None
        if mesh.uv_layers.active:
            uvs = np.empty(2 * len(mesh.loops), np.float32)
            mesh.uv_layers.active.uv.foreach_get("vector", uvs)
            uvs = uvs.reshape(-1, 2)
        names = [slot.material.name if slot.material else "" for slot in obj.material_slots]
    finally:
        evaluated.to_mesh_clear()
    surface = Surface(points.reshape(-1, 3).astype(float), corners, sizes, uvs, material_of_polygon, names)
    loose = len(surface.points) - len(np.unique(corners))
    if len(sizes) == 0:
        raise Refusal(f"{obj.name} has no faces")
    if loose:
        raise Refusal(f"{obj.name} has {loose} vertices without a face: remove them with Mesh > Clean Up > Delete Loose")
    return surface


def placed(points: np.ndarray, matrix: Matrix, scale: float) -> np.ndarray:
    """Points in the world [m]; `scale` is the length of a Blender unit."""
    m = np.array(matrix)
    return (points @ m[:3, :3].T + m[:3, 3]) * scale


def write_obj(path: Path, name: str, surface: Surface, points: np.ndarray, mirrored: bool):
    """The polygons with their UVs and materials' names; those of a mirrored object are turned round, to face outward."""
    lines = [f"o {name}"]
    lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points.tolist()]
    texture = None
    if surface.uvs is not None:
        distinct, texture = np.unique(surface.uvs, axis=0, return_inverse=True)
        lines += [f"vt {u:.9g} {v:.9g}" for u, v in distinct.tolist()]
        texture = (texture.reshape(-1) + 1).tolist()
    vertices = (surface.corners + 1).tolist()
    ends = np.cumsum(surface.sizes).tolist()
    current = None
    for size, end, material in zip(surface.sizes.tolist(), ends, surface.material_of_polygon.tolist()):
        wanted = surface.material_names[material] if material < len(surface.material_names) else ""
        if wanted != current and (wanted or current):
            lines.append(f"usemtl {wanted or 'none'}")
            current = wanted
        corners = range(end - size, end)
        if mirrored:
            corners = reversed(corners)
        words = (f"{vertices[c]}/{texture[c]}" if texture else str(vertices[c]) for c in corners)
        lines.append("f " + " ".join(words))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
