"""An OBJ with polygons, UVs and two materials, simulated on a floor, comes back into Blender as the same mesh, moving."""

import bpy
import numpy as np
from blender_case import BlenderCase, points_in_world

SIDES = 8
SCENE = """
title = "A little drum falls on the floor"
[run]
h = "1/48"
duration = "12/24"
frame_rate = 24
[[body]]
name = "drum"
file = "drum.obj"
cells = 6
material = "jelly"
translate = [0, 0, 0.3]
[[obstacle]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 0, 1], size = 4 }
"""
FRAMES = (0, 6, 12)
# Files hold single numbers, some of them a few digits.
SINGLE = 2e-6


def drum() -> tuple[str, list]:
    """Quads round a side in one material, an octagon at either end in another; each corner has a UV of its own."""
    angles = 2 * np.pi * np.arange(SIDES) / SIDES
    rings = [[(0.1 * np.cos(a), 0.1 * np.sin(a), z) for a in angles] for z in (-0.05, 0.0, 0.05)]
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for ring in rings for x, y, z in ring]
    quads = [
        [ring * SIDES + k, ring * SIDES + (k + 1) % SIDES, (ring + 1) * SIDES + (k + 1) % SIDES, (ring + 1) * SIDES + k]
        for ring in range(2) for k in range(SIDES)
    ]
    caps = [list(range(SIDES))[::-1], [2 * SIDES + k for k in range(SIDES)]]
    texture = 0
    for material, polygons in (("Side", quads), ("Skin", caps)):
        lines.append(f"usemtl {material}")
        for number, polygon in enumerate(polygons):
            lines += [f"vt {number / 16:.6f} {corner / 8:.6f}" for corner in range(len(polygon))]
            lines.append("f " + " ".join(f"{v + 1}/{texture + c + 1}" for c, v in enumerate(polygon)))
            texture += len(polygon)
    return "\n".join(lines) + "\n", quads + caps


class AnimatorsPath(BlenderCase):
    def setUp(self):
        super().setUp()
        text, self.polygons = drum()
        (self.folder / "drum.obj").write_text(text)
        (self.folder / "scene.toml").write_text(SCENE)
        self.run_folder = self.folder / "run"
        answer = self.visviva("run", self.folder / "scene.toml", "--out", self.run_folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.scene.render.fps = 24

    def export(self, name: str):
        answer = self.visviva("export", self.run_folder, "--to", name)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout.splitlines()

    def imported(self) -> bpy.types.Object:
        found = [obj for obj in bpy.data.objects if obj.type == "MESH" and "drum" in (obj.name, obj.data.name)]
        self.assertEqual(len(found), 1, [obj.name for obj in bpy.data.objects])
        return found[0]

    def uvs_by_polygon(self, mesh) -> list:
        values = mesh.uv_layers.active.uv
        return [[tuple(np.round(values[loop].vector, 5)) for loop in polygon.loop_indices] for polygon in mesh.polygons]

    def assert_same_polygons_uvs_and_materials(self, mesh):
        self.assertEqual([list(polygon.vertices) for polygon in mesh.polygons], self.polygons)
        names = [mesh.materials[polygon.material_index].name for polygon in mesh.polygons]
        self.assertEqual(names, ["Side"] * 16 + ["Skin"] * 2)
        expected = [[(n / 16, c / 8) for c in range(4)] for n in range(16)] + [[(n / 16, c / 8) for c in range(8)] for n in range(2)]
        np.testing.assert_allclose(np.concatenate(self.uvs_by_polygon(mesh)), np.concatenate(expected), atol=1e-5)

    def test_usd_comes_back_with_the_same_mesh_and_the_run_s_positions(self):
        [file] = [path for path in self.export("usd") if ".usd" in path]
        bpy.ops.wm.usd_import(filepath=file)
        obj = self.imported()
        self.assert_same_polygons_uvs_and_materials(obj.data)
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            np.testing.assert_allclose(points_in_world(obj), self.simulated(self.run_folder, "drum", frame), atol=SINGLE)

    def test_pc2_moves_the_original_mesh(self):
        self.export("pc2")
        bpy.ops.wm.obj_import(filepath=str(self.folder / "drum.obj"), forward_axis="Y", up_axis="Z")
        obj = self.imported()
        cache = obj.modifiers.new("cache", "MESH_CACHE")
        cache.cache_format, cache.filepath = "PC2", str(self.run_folder / "pc2" / "drum.pc2")
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            np.testing.assert_allclose(points_in_world(obj), self.simulated(self.run_folder, "drum", frame), atol=SINGLE)

    def test_gltf_comes_back_with_the_run_s_positions(self):
        [file] = [path for path in self.export("gltf") if path.endswith((".glb", ".gltf"))]
        bpy.ops.import_scene.gltf(filepath=file)
        obj = self.imported()
        self.assertEqual({material.name for material in obj.data.materials}, {"Side", "Skin"})
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            points, expected = points_in_world(obj), self.simulated(self.run_folder, "drum", frame)
            # glTF has triangles, and a vertex for each UV: every point is one of the run's, and none is missing.
            apart = np.linalg.norm(points[:, None] - expected[None], axis=2)
            self.assertLess(max(apart.min(axis=1).max(), apart.min(axis=0).max()), SINGLE)
