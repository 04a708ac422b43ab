"""A small run, exported into every format and read back; `scripts/test-exports` runs it.

What is expected comes from the run folder's own arrays and from the OBJ file that a user gave."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import meshio
import numpy as np
import pygltflib
import pyvista
import trimesh
from pxr import Sdf, Usd, UsdGeom, UsdShade, UsdUtils

PROGRAM = os.environ["VISVIVA_PROGRAM"]
RATE = 50
FRAMES = (0, 4, 9)
# What single precision leaves of coordinates below a metre, and of a sum of two such.
SINGLE = 1.5e-7
SCENE = """
title = "Bodies of every kind fall on a floor"
[run]
h = "1/100"
duration = "9/50"
frame_rate = 50
[[body]]
name = "soft box"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0, 0, 0.06]
velocity = { angular = [0, 5, 0] }
[[body]]
name = "sheet"
kind = "shell"
material = { youngs_modulus = 1e5, thickness = 1e-3, density = 1000 }
rectangle = { size = [0.1, 0.1], cells = [3, 3] }
translate = [0.3, 0, 0.02]
velocity = { angular = [1, 2, 3] }
[[body]]
name = "stone"
kind = "affine"
material = { youngs_modulus = 1e7 }
icosphere = { radius = 0.05, subdivisions = 1 }
translate = [-0.3, 0, 0.06]
velocity = { angular = [0, 9, 2] }
[[body]]
name = "drum"
kind = "solid"
file = "drum.obj"
material = { youngs_modulus = 1e5 }
translate = [0, 0.4, 0.1]
[[obstacle]]
name = "floor"
plane = { size = 2 }
"""
LIFT = np.array([0, 0.4, 0.1])
SIDES = 8


def drum():
    """Points, polygons and UVs: quads round the side, an octagon at either end; every polygon is an island of its own."""
    angles = 2 * np.pi * np.arange(SIDES) / SIDES
    ring = [(0.05 * np.cos(a), 0.05 * np.sin(a)) for a in angles]
    points = [(round(x, 6), round(y, 6), z) for z in (-0.04, 0.0, 0.04) for x, y in ring]
    around = [(k, (k + 1) % SIDES) for k in range(SIDES)]
    sides = [[SIDES * r + a, SIDES * r + b, SIDES * (r + 1) + b, SIDES * (r + 1) + a] for r in range(2) for a, b in around]
    polygons = sides + [list(range(SIDES))[::-1], [2 * SIDES + k for k in range(SIDES)]]
    uvs = [[(n / 32, c / 8) for c in range(len(polygon))] for n, polygon in enumerate(polygons)]
    return np.array(points), polygons, uvs


def drum_obj() -> str:
    points, polygons, uvs = drum()
    lines = ["o drum"] + [f"v {x} {y} {z}" for x, y, z in points]
    lines += [f"vt {u} {v}" for island in uvs for u, v in island]
    count = 0
    for number, polygon in enumerate(polygons):
        if number in (0, 2 * SIDES):
            lines.append("usemtl " + ("Side" if number == 0 else "Skin"))
        lines.append("f " + " ".join(f"{v + 1}/{count + c + 1}" for c, v in enumerate(polygon)))
        count += len(polygon)
    return "\n".join(lines) + "\n"


def visviva(*arguments) -> list[str]:
    answer = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if answer.returncode != 0:
        raise AssertionError(f"visviva {arguments}: {answer.stderr}")
    return answer.stdout.splitlines()


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = Path(place.name)
        (cls.folder / "scene.toml").write_text(SCENE)
        (cls.folder / "drum.obj").write_text(drum_obj())
        cls.run_folder = cls.folder / "run"
        visviva("run", cls.folder / "scene.toml", "--quiet", "--out", cls.run_folder)
        visviva("export", cls.run_folder, "--to", "usd,gltf,pc2,mdd,obj,vtu,npz")
        cls.bodies = json.loads((cls.run_folder / "mesh/bodies.json").read_text())
        cls.triangles = np.load(cls.run_folder / "mesh/triangles.npy")
        cls.archive = np.load(cls.run_folder / "npz/motion.npz")

    def vertices(self, frame: int) -> np.ndarray:
        """All vertices of the simulated mesh, from the run's own arrays."""
        x, _ = np.load(self.run_folder / f"frames/{frame:06}.npy")
        first = np.load(self.run_folder / "mesh/vertex_nodes.npy")
        weights = np.load(self.run_folder / "mesh/vertex_weights.npy")
        at = np.minimum(first[:, None] + np.arange(4), len(x) - 1)
        return np.einsum("vk,vkc->vc", weights, x[at])

    def expected(self, name: str, frame: int) -> np.ndarray:
        """A body's points: those of its triangles; of the drum, which hides its tets, what the archive has."""
        if name == "drum":
            return self.archive["drum/positions"][frame]
        [body] = [body for body in self.bodies if body["name"] == name]
        used = np.unique(self.triangles[slice(*body["triangles"])])
        return self.vertices(frame)[used]

    def assert_points(self, found, name: str, frame: int):
        np.testing.assert_allclose(found, self.expected(name, frame), rtol=0, atol=SINGLE)

    def test_numpy_has_the_run_s_own_numbers(self):
        np.testing.assert_allclose(self.archive["times"], np.arange(10) / RATE, atol=1e-12)
        for name in ("soft box", "sheet", "stone", "floor"):
            for frame in range(10):
                # Rounding of the sum of four products.
                np.testing.assert_allclose(self.archive[f"{name}/positions"][frame], self.expected(name, frame), atol=1e-15)
        self.assertEqual(self.archive["soft box/velocities"].shape, self.archive["soft box/positions"].shape)

    def test_the_drum_comes_back_as_it_went_in_and_moves(self):
        points, polygons, _ = drum()
        # Points ride on tets with weights that add up to one but for rounding.
        np.testing.assert_allclose(self.archive["drum/positions"][0], points + LIFT, atol=1e-9)
        self.assertEqual(self.archive["drum/face_sizes"].tolist(), [len(polygon) for polygon in polygons])
        self.assertEqual(self.archive["drum/faces"].tolist(), sum(polygons, []))
        fall = self.archive["drum/positions"][9, :, 2] - self.archive["drum/positions"][0, :, 2]
        self.assertTrue((fall < -0.03).all(), fall)

    def test_usd_core_finds_no_fault(self):
        path = str(self.run_folder / "usd/motion.usda")
        if hasattr(UsdUtils, "ComplianceChecker"):
            checker = UsdUtils.ComplianceChecker(arkit=False, skipARKitRootLayerCheck=True)
            checker.CheckCompliance(path)
            faults = checker.GetErrors() + checker.GetFailedChecks() + checker.GetWarnings()
        else:
            from pxr import UsdValidation
            validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
            self.assertGreater(len(validators), 10)
            found = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(path))
            faults = [f"{error.GetName()}: {error.GetMessage()}" for error in found]
        self.assertEqual(faults, [])

    def test_usd_has_units_polygons_uvs_materials_and_motion(self):
        stage = Usd.Stage.Open(str(self.run_folder / "usd/motion.usda"))
        self.assertEqual((UsdGeom.GetStageMetersPerUnit(stage), UsdGeom.GetStageUpAxis(stage)), (1, "Z"))
        self.assertEqual((stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()), (RATE, 0, 9))
        for name in ("soft box", "sheet", "stone", "floor", "drum"):
            mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/root/" + name.replace(" ", "_")))
            self.assertEqual(mesh.GetPrim().GetDisplayName(), name)
            for frame in FRAMES:
                self.assert_points(mesh.GetPointsAttr().Get(frame), name, frame)
                box = UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get(frame))
                np.testing.assert_array_equal(mesh.GetExtentAttr().Get(frame), box)
        speed = UsdGeom.Mesh(stage.GetPrimAtPath("/root/soft_box")).GetVelocitiesAttr().Get(4)
        np.testing.assert_allclose(speed, self.archive["soft box/velocities"][4], rtol=1e-6, atol=1e-12)
        self.check_drum(stage)

    def check_drum(self, stage: Usd.Stage):
        _, polygons, uvs = drum()
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/root/drum"))
        self.assertEqual(list(mesh.GetFaceVertexCountsAttr().Get()), [len(polygon) for polygon in polygons])
        self.assertEqual(list(mesh.GetFaceVertexIndicesAttr().Get()), sum(polygons, []))
        texture = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
        self.assertEqual(texture.GetInterpolation(), "faceVarying")
        np.testing.assert_allclose(texture.ComputeFlattened(), sum(uvs, []), atol=1e-7)
        parts = {}
        for subset in UsdShade.MaterialBindingAPI(mesh).GetMaterialBindSubsets():
            material, _ = UsdShade.MaterialBindingAPI(subset).ComputeBoundMaterial()
            parts[material.GetPath().name] = list(subset.GetIndicesAttr().Get())
        self.assertEqual(parts, {"Side": list(range(16)), "Skin": [16, 17]})
        self.assertEqual(stage.GetPrimAtPath(Sdf.Path("/root/_materials/Skin/Surface")).GetTypeName(), "Shader")

    def test_pygltflib_has_every_frame_as_a_morph_target(self):
        file = pygltflib.GLTF2().load(str(self.run_folder / "gltf/motion.glb"))
        buffer = np.frombuffer(file.binary_blob(), "<f4")

        def values(index: int) -> np.ndarray:
            accessor = file.accessors[index]
            start = file.bufferViews[accessor.bufferView].byteOffset + (accessor.byteOffset or 0)
            width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor.type]
            return buffer[start // 4:][:width * accessor.count].reshape(-1, width)

        animation = file.animations[0]
        np.testing.assert_allclose(values(animation.samplers[0].input)[:, 0], np.arange(10) / RATE, atol=1e-7)
        np.testing.assert_array_equal(values(animation.samplers[0].output).reshape(10, 9), np.eye(10)[:, 1:])
        moving = [file.nodes[channel.target.node].name for channel in animation.channels]
        self.assertEqual(moving, ["soft box", "sheet", "stone", "drum"])
        for mesh in file.meshes:
            primitive = mesh.primitives[0]
            for frame in FRAMES:
                x, y, z = values(primitive.attributes.POSITION).T
                if frame > 0 and mesh.name != "floor":
                    x, y, z = values(primitive.targets[frame - 1]["POSITION"]).T + (x, y, z)
                # The first vertices are the body's, in their order; copies at seams follow.
                count = len(self.expected(mesh.name, frame))
                self.assert_points(np.stack([x, -z, y], axis=1)[:count], mesh.name, frame)

    def test_trimesh_opens_the_gltf_with_its_materials_and_uvs(self):
        scene = trimesh.load(self.run_folder / "gltf/motion.glb")
        names = {geometry.visual.material.name for geometry in scene.geometry.values()}
        self.assertEqual(names, {"Side", "Skin", "soft box", "sheet", "stone", "floor"})
        [skin] = [part for part in scene.geometry.values() if part.visual.material.name == "Skin"]
        [side] = [part for part in scene.geometry.values() if part.visual.material.name == "Side"]
        # Octagons of six triangles, quads of two; trimesh turns v round again.
        self.assertEqual((len(skin.faces), len(side.faces)), (12, 32))
        _, polygons, uvs = drum()
        wanted = {tuple(np.round(uv, 5)) for island in uvs[:16] for uv in island}
        self.assertEqual({tuple(np.round(uv, 5).tolist()) for uv in side.visual.uv[np.unique(side.faces)]}, wanted)

    def test_point_caches_have_the_points_of_every_frame(self):
        for name in ("soft box", "sheet", "stone", "floor", "drum"):
            bytes = (self.run_folder / f"pc2/{name}.pc2").read_bytes()
            head = np.frombuffer(bytes, [("magic", "S12"), ("version", "<i4"), ("points", "<i4"), ("start", "<f4"),
                                         ("spacing", "<f4"), ("samples", "<i4")], count=1)[0]
            self.assertEqual(head.tolist()[:2] + head.tolist()[3:], (b"POINTCACHE2", 1, 0.0, 1.0, 10))
            samples = np.frombuffer(bytes, "<f4", offset=32).reshape(10, head["points"], 3)
            bytes = (self.run_folder / f"mdd/{name}.mdd").read_bytes()
            frames, points = np.frombuffer(bytes, ">i4", count=2)
            times = np.frombuffer(bytes, ">f4", count=frames, offset=8)
            np.testing.assert_allclose(times, np.arange(10) / RATE, atol=1e-7)
            big = np.frombuffer(bytes, ">f4", offset=8 + 4 * frames).reshape(frames, points, 3)
            for frame in FRAMES:
                self.assert_points(samples[frame], name, frame)
                self.assert_points(big[frame], name, frame)

    def test_pyvista_and_trimesh_read_the_obj_files(self):
        for frame in FRAMES:
            path = self.run_folder / f"obj/frame_{frame:06}.obj"
            lines = path.read_text().splitlines()
            self.assertEqual([line[2:] for line in lines if line.startswith("o ")], ["soft_box", "sheet", "stone", "drum", "floor"])
            seen = pyvista.read(path)
            _, polygons, _ = drum()
            sizes = sorted(cell.n_points for cell in seen.cell)
            self.assertEqual(sizes.count(4), 2 * SIDES)
            self.assertEqual(sizes.count(SIDES), 2)
            wanted = np.concatenate([self.expected(name, frame) for name in ("soft box", "sheet", "stone", "drum", "floor")])
            for points in (seen.points, trimesh.load(path, process=False, force="mesh").vertices):
                apart = np.linalg.norm(np.asarray(points)[:, None] - wanted[None], axis=2)
                # Readers split vertices at seams: every point is one of the run's, and none is missing.
                self.assertLess(max(apart.min(axis=1).max(), apart.min(axis=0).max()), 2 * SINGLE)
        materials = (self.run_folder / "obj/materials.mtl").read_text()
        self.assertEqual([line for line in materials.splitlines() if line.startswith("newmtl")], ["newmtl Side", "newmtl Skin"])

    def test_meshio_and_pyvista_read_the_vtu_files(self):
        times = pyvista.get_reader(str(self.run_folder / "vtk/solids.pvd")).time_values
        np.testing.assert_allclose(times, np.arange(10) / RATE, atol=1e-12)
        tets = np.load(self.run_folder / "mesh/tets.npy")
        for frame in FRAMES:
            for kind, cells in (("solids", ("tetra", tets)), ("surfaces", ("triangle", self.triangles))):
                path = self.run_folder / f"vtk/{kind}_{frame:06}.vtu"
                read, seen = meshio.read(path), pyvista.read(path)
                for points in (read.points, seen.points):
                    np.testing.assert_allclose(points, self.vertices(frame), rtol=0, atol=1e-15)
                np.testing.assert_array_equal(read.cells_dict[cells[0]], cells[1])
                self.assertEqual(seen.n_cells, len(cells[1]))
                self.assertIn("velocity", read.point_data)

    def test_any_frame_rate_has_its_exact_times(self):
        [path] = visviva("export", self.run_folder, "--to", "npz", "--fps", 24, "--out", self.folder / "film.npz")
        film = np.load(path)
        np.testing.assert_allclose(film["times"], np.arange(5) / 24, atol=1e-15)
        # Between the frames round it: what falls freely is lower than before and higher than after.
        for index, t in list(enumerate(film["times"]))[1:]:
            before, after = (self.archive["drum/positions"][k, :, 2] for k in (int(t * RATE), int(t * RATE) + 1))
            self.assertTrue((film["drum/positions"][index, :, 2] <= before).all())
            self.assertTrue((film["drum/positions"][index, :, 2] >= after).all())


if __name__ == "__main__":
    unittest.main()
