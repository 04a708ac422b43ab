"""What the tests share: the extension as a user installs it, a small file, objects, and a run to its end."""

import importlib
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import bpy
import numpy as np

PACKAGE = "bl_ext.user_default.visviva"
PROGRAM = os.environ["VISVIVA_PROGRAM"]
REPOSITORY = Path(__file__).resolve().parents[2]


def part(name: str):
    """A module of the installed extension."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def install():
    archive = next((REPOSITORY / "blender" / "dist").glob("visviva-*.zip"))
    bpy.ops.extensions.package_install_files(filepath=str(archive), repo="user_default", enable_on_install=True)


class BlenderCase(unittest.TestCase):
    """A saved, empty file of 10 frames in a folder of its own, with the extension on."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="visviva-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if PACKAGE not in bpy.context.preferences.addons:
            install()
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "test.blend"))
        self.preferences.program = PROGRAM
        self.scene = bpy.context.scene
        self.scene.frame_start, self.scene.frame_end = 1, 10
        self.scene.visviva.quality = "DRAFT"
        self.work = part("work")

    @property
    def preferences(self):
        return bpy.context.preferences.addons[PACKAGE].preferences

    @property
    def work_folder(self) -> Path:
        return self.work.folder_of(bpy.context.scene)

    def add(self, maker, kind: str, name: str = "Thing", **where) -> bpy.types.Object:
        """A primitive of `bpy.ops.mesh`, small and soft."""
        maker(**where)
        obj = bpy.context.active_object
        obj.name = name
        obj.visviva.kind = kind
        obj.visviva.material = "jelly"
        obj.visviva.detail = 4
        return obj

    def cube(self, kind: str = "AFFINE", name: str = "Thing", size: float = 0.2, location=(0, 0, 0.3)) -> bpy.types.Object:
        return self.add(bpy.ops.mesh.primitive_cube_add, kind, name, size=size, location=location)

    def write(self):
        self.work_folder.mkdir(parents=True, exist_ok=True)
        return part("scene_writer").write(bpy.context, self.work_folder, part("materials").known_to(PROGRAM))

    def start(self):
        self.assertEqual(bpy.ops.visviva.run(), {"FINISHED"}, self.work.message.text)

    def finish(self):
        """Looks as Blender's timer does: without windows nobody calls it."""
        while self.work.look() is not None:
            time.sleep(0.02)

    def run_to_end(self):
        self.start()
        self.finish()
        self.assertFalse(self.work.message.is_error, self.work.message.text)

    def visviva(self, *arguments) -> subprocess.CompletedProcess:
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)

    def seen(self, obj: bpy.types.Object, frame: int) -> np.ndarray:
        """Vertices in the world as Blender shows them at a frame."""
        bpy.context.scene.frame_set(frame)
        return points_in_world(obj)

    def simulated(self, run: Path, name: str, frame: int) -> np.ndarray:
        """The same by the program's own OBJ files, of which the others know nothing; frames count from 0."""
        files = run / "obj"
        if not files.exists():
            self.assertEqual(self.visviva("export", run, "--to", "obj").returncode, 0)
        points, here = [], False
        for line in (files / f"frame_{frame:06}.obj").read_text().splitlines():
            word, *rest = line.split()[:4] or [""]
            if word == "o":
                here = rest[0] == name
            elif word == "v" and here:
                points.append([float(number) for number in rest])
        return np.array(points)


def points_in_world(obj: bpy.types.Object) -> np.ndarray:
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.array([evaluated.matrix_world @ vertex.co for vertex in mesh.vertices])
    evaluated.to_mesh_clear()
    return points
