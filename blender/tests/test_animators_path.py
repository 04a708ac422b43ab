"""An OBJ with polygons, UVs and two materials, simulated on a floor, comes back into Blender as the same mesh, moving."""

import json

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
[[body]]
name = "stiff"
kind = "affine"
file = "drum.obj"
material = "wood"
rotate = { axis = [1, 0, 0], angle = 0.5 }
translate = [0.4, 0, 0.3]
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

    def imported(self, name: str = "drum") -> bpy.types.Object:
        found = [obj for obj in bpy.data.objects if obj.type == "MESH" and name in (obj.name, obj.data.name)]
        self.assertEqual(len(found), 1, [obj.name for obj in bpy.data.objects])
        return found[0]

    def positions_of_the_stiff_one(self, frame: int) -> np.ndarray:
        """By the recipe for run folders, from frames and weights alone."""
        mesh = self.run_folder / "mesh"
        [body] = [body for body in json.loads((mesh / "bodies.json").read_text()) if body["name"] == "stiff"]
        nodes = np.load(self.run_folder / "frames" / f"{frame:06}.npy")[0]
        first, weights = np.load(mesh / "vertex_nodes.npy"), np.load(mesh / "vertex_weights.npy")
        at = np.minimum(first[:, None] + np.arange(4), len(nodes) - 1)
        return np.einsum("vk,vkc->vc", weights, nodes[at])[slice(*body["vertices"])]

    def assert_same_polygons_uvs_and_materials(self, mesh):
        self.assertEqual([list(polygon.vertices) for polygon in mesh.polygons], self.polygons)
        names = [mesh.materials[polygon.material_index].name for polygon in mesh.polygons]
        self.assertEqual(names, ["Side"] * 16 + ["Skin"] * 2)
        corners = [(number, corner) for number in range(16) for corner in range(4)]
        corners += [(number, corner) for number in range(2) for corner in range(8)]
        expected = np.array(corners) / [16, 8]
        np.testing.assert_allclose(np.array([uv.vector for uv in mesh.uv_layers.active.uv]), expected, atol=1e-5)

    def test_usd_comes_back_with_the_same_mesh_and_the_run_s_positions(self):
        [file] = [path for path in self.export("usd") if ".usd" in path]
        bpy.ops.wm.usd_import(filepath=file)
        obj = self.imported()
        self.assert_same_polygons_uvs_and_materials(obj.data)
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            np.testing.assert_allclose(points_in_world(obj), self.simulated(self.run_folder, "drum", frame), atol=SINGLE)
            stiff = points_in_world(self.imported("stiff"))
            np.testing.assert_allclose(stiff, self.positions_of_the_stiff_one(frame), atol=SINGLE)

    def test_the_first_frame_is_the_file_and_the_last_is_squashed(self):
        given = np.array([line.split()[1:] for line in drum()[0].splitlines() if line.startswith("v ")], float)
        np.testing.assert_allclose(self.simulated(self.run_folder, "drum", 0), given + [0, 0, 0.3], atol=SINGLE)
        heights = [np.ptp(self.simulated(self.run_folder, "drum", frame)[:, 2]) for frame in range(13)]
        self.assertLess(min(heights), 0.095)

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
