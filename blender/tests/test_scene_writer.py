"""What the extension writes is a scene that the program takes, and means what Blender shows."""

import math
import tomllib

import bpy
import numpy as np
from blender_case import BlenderCase, part
from mathutils import Matrix


class SceneWriter(BlenderCase):
    def written(self) -> dict:
        return tomllib.loads(self.write().scene_file.read_text())

    def refusal(self) -> str:
        with self.assertRaises(part("refusal").Refusal) as raised:
            self.write()
        return str(raised.exception)

    def points(self, name: str) -> np.ndarray:
        lines = (self.work_folder / f"{name}.obj").read_text().splitlines()
        return np.array([[float(x) for x in line.split()[1:]] for line in lines if line.startswith("v ")])

    def test_every_kind_passes_check(self):
        self.cube("SOLID", "soft", location=(0, 0, 0.3))
        self.cube("AFFINE", "stiff", location=(0.5, 0, 0.3)).visviva.velocity = (0, 0, 1)
        sheet = self.add(bpy.ops.mesh.primitive_grid_add, "SHELL", "sheet", size=0.3, location=(1, 0, 0.5))
        sheet.visviva.material, sheet.visviva.thickness = "cloth", 0.001
        self.cube("OBSTACLE", "step", location=(1.5, 0, 0.3))
        for energy in ("KEEP", "CALM", "CURVE"):
            self.scene.visviva.energy = energy
            answer = self.visviva("check", self.write().scene_file)
            self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_coordinates_are_those_of_the_world_in_metres(self):
        cube = self.cube("AFFINE", size=2)
        cube.matrix_world = Matrix.LocRotScale((1, 2, 3), Matrix.Rotation(0.5, 3, "X").to_quaternion(), (0.5, -0.25, 1))
        self.scene.unit_settings.scale_length = 0.1
        scene = self.written()
        expected = [0.1 * (cube.matrix_world @ vertex.co) for vertex in cube.data.vertices]
        np.testing.assert_allclose(self.points("Thing"), expected, atol=1e-7)  # Blender's numbers are single.
        self.assertAlmostEqual(scene["gravity"][2], -0.981, places=5)

    def test_a_mirrored_object_still_faces_outward(self):
        self.cube("AFFINE").scale = (-1, 1, 1)
        self.write()
        points = self.points("Thing")
        volume = 0.0
        for line in (self.work_folder / "Thing.obj").read_text().splitlines():
            if line.startswith("f "):
                a, *rest = [points[int(word.split("/")[0]) - 1] for word in line.split()[1:]]
                volume += sum(np.dot(a, np.cross(b, c)) / 6 for b, c in zip(rest, rest[1:]))
        self.assertAlmostEqual(volume, 0.2**3, places=6)

    def test_odd_names_become_different_files(self):
        for number, name in enumerate(("a/b", "a b", "A*B", "…", "floor", "Würfel.001")):
            self.cube("AFFINE", name, location=(number, 0, 0.3))
        names = [body["name"] for body in self.written()["body"]]
        self.assertEqual(sorted(names), sorted({*names}))
        self.assertEqual(len({name.casefold() for name in names}), 6)
        answer = self.visviva("check", self.work_folder / "scene.toml")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_steps_and_frames_follow_the_scene_s_rate(self):
        self.cube()
        self.scene.render.fps, self.scene.render.fps_base = 30, 1.001
        run = self.written()["run"]
        self.assertAlmostEqual(run["frame_rate"], 30 / 1.001, places=6)
        self.assertEqual((run["h"], run["duration"]), ("1.001/60", "9.009/30"))

    def test_a_drawn_curve_is_sampled_at_frames(self):
        self.cube()
        self.scene.visviva.energy = "CURVE"
        bpy.ops.visviva.curve()
        curve = part("energy_curve").fcurve(self.scene)
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
        curve = self.written()["energy"]["curve"]
        np.testing.assert_allclose(curve[0], [0, 1])
        np.testing.assert_allclose(curve[-1], [9 / 24, 0.1], rtol=1e-6)
        np.testing.assert_allclose(curve[3], [3 / 24, 0.7], rtol=1e-6)

    def test_calming_down_leaves_a_twentieth(self):
        self.cube()
        self.scene.visviva.energy, self.scene.visviva.calm_time = "CALM", 1.5
        self.assertAlmostEqual(math.exp(-1.5 / self.written()["energy"]["tau"]), 0.05, places=3)

    def test_what_stands_on_the_floor_may_start_there(self):
        self.cube("AFFINE", location=(0, 0, 0.1))
        answer = self.visviva("check", self.write().scene_file)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_what_starts_below_the_floor_is_named(self):
        self.cube("AFFINE", location=(0, 0, 0.05))
        self.assertIn("Thing starts below the floor", self.refusal())

    def test_spin_is_in_turns_about_the_middle(self):
        self.cube("AFFINE", location=(1, 2, 3)).visviva.spin = (0, 0, 1)
        velocity = self.written()["body"][0]["velocity"]
        np.testing.assert_allclose(velocity["angular"], [0, 0, 2 * math.pi], rtol=1e-6)
        np.testing.assert_allclose(velocity["about"], [1, 2, 3], rtol=1e-6)

    def test_an_animated_obstacle_moves_and_an_animated_body_is_refused(self):
        self.cube()
        mover = self.cube("OBSTACLE", "mover", location=(1, 0, 1))
        mover.keyframe_insert("location", frame=1)
        mover.location.x = 2
        mover.keyframe_insert("location", frame=10)
        self.scene.frame_set(5)
        shift = self.written()["obstacle"][0]["shift"]
        np.testing.assert_allclose(shift[0], [0, 0, 0, 0])
        np.testing.assert_allclose(shift[-1], [9 / 24, 1, 0, 0], rtol=1e-6)
        self.assertEqual(self.scene.frame_current, 5)
        mover.visviva.kind = "AFFINE"
        self.assertIn("mover has an animation of its own", self.refusal())

    def test_a_turning_obstacle_turns_about_its_origin_as_often_as_animated(self):
        self.cube()
        mover = self.cube("OBSTACLE", "mover", location=(1, 0, 1))
        mover.keyframe_insert("rotation_euler", frame=1)
        mover.rotation_euler.y = 7
        mover.keyframe_insert("rotation_euler", frame=10)
        turn = self.written()["obstacle"][0]["turn"]
        np.testing.assert_allclose(turn["axis"], [0, math.copysign(1, turn["axis"][1]), 0], atol=1e-5)
        np.testing.assert_allclose(turn["centre"], [1, 0, 1], atol=1e-6)
        self.assertAlmostEqual(abs(turn["angle"][-1][1]), 7, places=4)
        answer = self.visviva("check", self.work_folder / "scene.toml")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_an_obstacle_that_tumbles_or_grows_is_refused(self):
        self.cube()
        mover = self.cube("OBSTACLE", "mover", location=(1, 0, 1))
        for frame, turn in ((1, (0, 0, 0)), (5, (1, 0, 0)), (10, (1, 0, 2))):
            mover.rotation_euler = turn
            mover.keyframe_insert("rotation_euler", frame=frame)
        self.assertIn("mover turns about more than one axis", self.refusal())
        mover.animation_data_clear()
        for frame, size in ((1, 1), (10, 2)):
            mover.scale = (size, size, size)
            mover.keyframe_insert("scale", frame=frame)
        self.assertIn("mover changes its size", self.refusal())

    def test_what_cannot_be_simulated_is_said(self):
        self.assertIn("Nothing to simulate", self.refusal())
        cube = self.cube()
        cube.data.vertices.add(2)
        cube.data.update()
        self.assertIn("2 vertices without a face", self.refusal())
        cube.visviva.kind = "NONE"
        bpy.ops.object.text_add()
        bpy.context.active_object.visviva.kind = "SOLID"
        self.assertIn("is no mesh", self.refusal())

    def test_hidden_objects_take_no_part(self):
        self.cube()
        self.cube("AFFINE", "hidden", location=(1, 0, 1)).hide_set(True)
        self.assertEqual([body["name"] for body in self.written()["body"]], ["Thing"])
