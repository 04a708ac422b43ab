"""The extension comes and goes cleanly, draws its panel, and finds its program."""

import unittest
from types import SimpleNamespace

import addon_utils
import bpy
from blender_case import PACKAGE, PROGRAM, BlenderCase, part


class Layout:
    """Stands in for Blender's layout and holds every call to what Blender knows; there is no window to draw in."""

    icons = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())

    def __init__(self):
        self.shown = []

    def prop(self, data, name, **_):
        assert name in data.bl_rna.properties, name
        self.shown.append(name)

    def operator(self, name, icon="NONE", **_):
        area, verb = name.split(".")
        assert hasattr(bpy.types, f"{area.upper()}_OT_{verb}"), name
        assert icon in self.icons, icon
        self.shown.append(name)
        return SimpleNamespace()

    def label(self, text="", icon="NONE"):
        assert icon in self.icons, icon
        self.shown.append(text)

    def progress(self, factor, text):
        assert 0 <= factor <= 1
        self.shown.append(text)

    def box(self):
        return self

    row = column = grid_flow = lambda self, **_: self


class Extension(BlenderCase):
    def panel(self) -> list:
        layout = Layout()
        part("panel").VisvivaPanel.draw(SimpleNamespace(layout=layout), bpy.context)
        return layout.shown

    def test_it_leaves_nothing_behind_when_switched_off(self):
        addon_utils.disable(PACKAGE)
        self.assertFalse(hasattr(bpy.types.Object, "visviva"))
        self.assertFalse(hasattr(bpy.types, "VISVIVA_OT_run"))
        self.assertFalse(any("visviva" in handler.__module__ for handler in bpy.app.handlers.load_pre))
        addon_utils.enable(PACKAGE, default_set=True)
        self.assertTrue(hasattr(bpy.types.Object, "visviva"))

    def test_the_panel_shows_what_the_kind_needs(self):
        self.assertIn("Select an object", self.panel())
        cube = self.cube("SOLID")
        self.assertIn("detail", self.panel())
        cube.visviva.kind = "SHELL"
        self.assertIn("thickness", self.panel())
        cube.visviva.kind = "OBSTACLE"
        self.assertNotIn("material", self.panel())

    def test_the_panel_offers_a_curve_until_there_is_one(self):
        self.scene.visviva.energy = "CURVE"
        self.assertIn("visviva.curve", self.panel())
        bpy.ops.visviva.curve()
        self.assertNotIn("visviva.curve", self.panel())

    def test_the_panel_shows_progress_and_cancel_during_a_run(self):
        self.cube()
        self.assertIn("visviva.run", self.panel())
        self.start()
        self.assertIn("visviva.cancel", self.panel())
        self.finish()

    def test_a_missing_program_is_said_in_the_panel(self):
        self.cube()
        self.preferences.program = "/no/such/visviva"
        self.assertEqual(bpy.ops.visviva.run(), {"CANCELLED"})
        self.assertIn("no program at /no/such/visviva", " ".join(self.panel()))

    def test_a_file_that_is_no_program_is_said_too(self):
        self.cube()
        self.preferences.program = str(self.folder / "test.blend")
        self.assertEqual(bpy.ops.visviva.run(), {"CANCELLED"})
        self.assertTrue(self.work.message.is_error)

    def test_kinds_are_set_for_all_selected_and_refused_for_lamps(self):
        cubes = [self.cube("NONE", "a"), self.cube("NONE", "b", location=(1, 0, 1))]
        bpy.ops.object.light_add()
        lamp = bpy.context.active_object
        for obj in cubes:
            obj.select_set(True)
        bpy.ops.visviva.kind(kind="SOLID")
        self.assertEqual([obj.visviva.kind for obj in [*cubes, lamp]], ["SOLID", "SOLID", "NONE"])
        self.assertIn(lamp.name, self.work.message.text)

    def test_settings_are_copied_to_selected(self):
        first, second = self.cube("SHELL", "a"), self.cube("NONE", "b")
        first.select_set(True)
        first.visviva.velocity = (1, 2, 3)
        bpy.context.view_layer.objects.active = first
        bpy.ops.visviva.copy()
        self.assertEqual((second.visviva.kind, tuple(second.visviva.velocity)), ("SHELL", (1, 2, 3)))

    def test_the_built_in_materials_are_those_of_the_program(self):
        materials = part("materials")
        known = materials.known_to(PROGRAM)
        self.assertIsNot(known, materials.BUILT_IN)
        self.assertEqual({name: known.get(name) for name in materials.BUILT_IN}, materials.BUILT_IN)
        numbers = {materials.number(name) for name in known}
        self.assertEqual(len(numbers), len(known))


if __name__ == "__main__":
    unittest.main()
