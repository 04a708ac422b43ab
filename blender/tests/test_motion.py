"""The motion on the objects is the run's, again and again, whatever objects are like."""

import bpy
import numpy as np
from blender_case import BlenderCase, part

# Caches are single; a metre keeps seven digits.
SINGLE = 1e-6


class Motion(BlenderCase):
    def assert_shown(self, obj, name):
        """Three frames of Blender's scene, which starts at another frame than 0."""
        for frame in (1, 5, 10):
            expected = self.simulated(self.work_folder / "run", name, frame - self.scene.frame_start)
            np.testing.assert_allclose(self.seen(obj, frame), expected, atol=SINGLE)

    def test_a_solid_a_stiff_body_and_a_sheet_move_as_simulated(self):
        ball = {"segments": 12, "ring_count": 6, "radius": 0.1, "location": (0, 0, 0.2)}
        soft = self.add(bpy.ops.mesh.primitive_uv_sphere_add, "SOLID", "soft", **ball)
        stiff = self.cube("AFFINE", "stiff", location=(0.5, 0, 0.15))
        stiff.rotation_euler, stiff.scale = (0.4, 0.2, 0.1), (1, 0.5, 0.7)
        sheet = self.add(bpy.ops.mesh.primitive_grid_add, "SHELL", "sheet", size=0.3, location=(1, 0, 0.4))
        sheet.visviva.material = "cloth"
        before = {obj: self.seen(obj, 1) for obj in (soft, stiff, sheet)}
        self.run_to_end()
        for obj in (soft, stiff, sheet):
            self.assert_shown(obj, obj.name)
            np.testing.assert_allclose(self.seen(obj, 1), before[obj], atol=SINGLE)
            self.assertGreater(np.abs(self.seen(obj, 10) - before[obj]).max(), 0.01)

    def test_a_tilted_soft_cube_keeps_its_corners_above_the_floor(self):
        cube = self.cube("SOLID", size=0.2, location=(0, 0, 0.2))
        cube.rotation_euler, cube.visviva.material = (0.6, 0.5, 0.2), "rubber"
        before = self.seen(cube, 1)
        self.run_to_end()
        np.testing.assert_allclose(self.seen(cube, 1), before, atol=SINGLE)
        lowest = [self.seen(cube, frame)[:, 2].min() for frame in range(1, 11)]
        self.assertLess(min(lowest), 0.01)
        self.assertGreater(min(lowest), -SINGLE)

    def test_linked_duplicates_move_apart_and_stay_linked(self):
        first = self.cube("AFFINE", "first")
        second = first.copy()
        second.name, second.location = "second", (0.5, 0, 0.6)
        bpy.context.collection.objects.link(second)
        self.run_to_end()
        self.assert_shown(first, "first")
        self.assert_shown(second, "second")
        self.assertIs(first.data, second.data)

    def test_a_mirrored_scaled_object_in_centimetres(self):
        self.scene.unit_settings.scale_length = 0.01
        cube = self.cube("AFFINE", size=20, location=(0, 0, 30))
        cube.scale = (-1, 2, 0.5)
        self.run_to_end()
        expected = self.simulated(self.work_folder / "run", "Thing", 9)
        np.testing.assert_allclose(self.seen(cube, 10), 100 * expected, atol=100 * SINGLE)

    def test_finishing_modifiers_stay_after_the_motion_and_others_before(self):
        cube = self.cube("AFFINE")
        cube.modifiers.new("Mirror", "MIRROR").use_axis = (False, False, False)
        cube.modifiers.new("Subdivision", "SUBSURF").levels = 1
        for _ in range(2):
            self.run_to_end()
            self.assertEqual([modifier.name for modifier in cube.modifiers], ["Mirror", "visviva", "Subdivision"])
        self.assertEqual(len(self.seen(cube, 5)), 26)

    def test_a_second_run_replaces_the_first(self):
        cube = self.cube("AFFINE", location=(0, 0, 1))
        self.run_to_end()
        fallen = self.seen(cube, 10)
        cube.visviva.velocity = (1, 0, 0)
        self.run_to_end()
        thrown = self.seen(cube, 10)
        np.testing.assert_allclose((thrown - fallen).mean(axis=0), [9 / 24, 0, 0], atol=1e-4)
        self.assert_shown(cube, "Thing")

    def test_clear_gives_the_objects_back_and_can_be_undone(self):
        cube = self.cube("AFFINE")
        before = self.seen(cube, 1)
        self.run_to_end()
        moved = self.seen(cube, 10)
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.visviva.clear()
        np.testing.assert_allclose(self.seen(cube, 10), before, atol=SINGLE)
        bpy.ops.ed.undo_push(message="cleared")
        bpy.ops.ed.undo()
        np.testing.assert_allclose(self.seen(bpy.data.objects["Thing"], 10), moved, atol=SINGLE)

    def test_an_object_renamed_or_deleted_meanwhile_does_no_harm(self):
        stays = self.cube("AFFINE", "stays")
        goes = self.cube("AFFINE", "goes", location=(1, 0, 1))
        self.start()
        stays.name = "renamed"
        bpy.data.objects.remove(goes)
        self.finish()
        self.assertIn("goes is gone", self.work.message.text)
        self.assert_shown(stays, "stays")

    def test_a_cancelled_run_ends_cleanly_and_changes_nothing(self):
        cube = self.cube("AFFINE")
        self.scene.frame_end = 200_000
        self.start()
        while self.work.job.in_words == "Preparing":
            self.work.look()
        bpy.ops.visviva.cancel()
        self.finish()
        self.assertIn("Cancelled", self.work.message.text)
        self.assertFalse(cube.modifiers)
        self.assertIn('"interrupted"', (self.work_folder / "run" / "summary.json").read_text())

    def test_an_open_surface_as_a_solid_is_said_in_words(self):
        self.add(bpy.ops.mesh.primitive_grid_add, "SOLID", "sheet", size=0.3, location=(0, 0, 0.5))
        self.start()
        self.finish()
        self.assertTrue(self.work.message.is_error)
        self.assertIn("sheet", self.work.message.text)
        self.assertFalse(bpy.data.objects["sheet"].modifiers)

    def test_progress_goes_up_to_all_frames(self):
        self.cube("AFFINE")
        self.start()
        job, seen = self.work.job, []
        while self.work.look() is not None:
            seen.append(job.progress)
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(job.progress, 1.0)

    def test_an_unsaved_file_uses_the_temporary_folder(self):
        bpy.ops.wm.read_homefile(use_empty=True)
        self.assertNotIn(str(self.folder), str(part("work").folder_of(bpy.context.scene)))
