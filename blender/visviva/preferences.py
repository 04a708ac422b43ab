"""Where the program is."""

import shutil
from pathlib import Path

import bpy

from .refusal import Refusal


class VisvivaPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: bpy.props.StringProperty(
        name="Program",
        description="The program visviva; left empty, it is looked for on the search path",
        subtype="FILE_PATH",
    )

    def draw(self, _context):
        self.layout.prop(self, "program")
        try:
            self.layout.label(text=f"Found: {program()}", icon="CHECKMARK")
        except Refusal as refusal:
            self.layout.label(text=str(refusal), icon="ERROR")


def program() -> str:
    """The program's path; a `Refusal` says how to get it where it is missing."""
    addon = bpy.context.preferences.addons.get(__package__)
    chosen = addon.preferences.program if addon else ""
    if chosen:
        path = bpy.path.abspath(chosen)
        if not Path(path).is_file():
            raise Refusal(f"There is no program at {path}: correct its path in Preferences > Add-ons > visviva")
        return path
    found = shutil.which("visviva") or shutil.which("visviva", path=str(Path.home() / ".cargo" / "bin"))
    if not found:
        raise Refusal(
            "The program visviva was not found: install it (cargo install --path crates/visviva-cli), "
            "or give its path in Preferences > Add-ons > visviva"
        )
    return found


def register():
    bpy.utils.register_class(VisvivaPreferences)


def unregister():
    bpy.utils.unregister_class(VisvivaPreferences)
