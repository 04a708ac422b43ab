"""The buttons."""

import bpy

from . import energy_curve, point_cache, work
from .properties import KINDS
from .refusal import Refusal


class VisvivaRun(bpy.types.Operator):
    """Simulate the frame range; Blender stays free to use meanwhile"""

    bl_idname = "visviva.run"
    bl_label = "Run"

    @classmethod
    def poll(cls, _context):
        return work.job is None

    def execute(self, context):
        try:
            work.start(context)
        except Refusal as refusal:
            work.say(str(refusal), is_error=True)
            self.report({"WARNING"}, str(refusal))
            return {"CANCELLED"}
        return {"FINISHED"}


class VisvivaCancel(bpy.types.Operator):
    """End the run after its present step"""

    bl_idname = "visviva.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context):
        return work.job is not None

    def execute(self, _context):
        work.job.cancel()
        return {"FINISHED"}


class VisvivaClear(bpy.types.Operator):
    """Take the motion off all objects of the scene"""

    bl_idname = "visviva.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, _context):
        return work.job is None

    def execute(self, context):
        cleared = [point_cache.clear(obj) for obj in context.scene.objects]
        work.say(f"Cleared {sum(cleared)} objects" if any(cleared) else "There was no motion")
        return {"FINISHED"}


class VisvivaKind(bpy.types.Operator):
    """Set the kind of all selected objects"""

    bl_idname = "visviva.kind"
    bl_label = "Kind"
    bl_options = {"REGISTER", "UNDO"}

    kind: bpy.props.EnumProperty(items=KINDS)

    @classmethod
    def poll(cls, context):
        return bool(context.selected_objects)

    @classmethod
    def description(cls, _context, properties):
        return next(meaning for kind, _, meaning, *_ in KINDS if kind == properties.kind)

    def execute(self, context):
        refused = [obj.name for obj in context.selected_objects if obj.type != "MESH" and self.kind != "NONE"]
        for obj in context.selected_objects:
            if obj.name not in refused:
                obj.visviva.kind = self.kind
        if refused:
            words = f"No mesh: {', '.join(refused)}. Convert with Object > Convert > Mesh"
            work.say(words, is_error=True)
            self.report({"WARNING"}, words)
        return {"FINISHED"}


class VisvivaCopy(bpy.types.Operator):
    """Give all selected objects the settings of the active one"""

    bl_idname = "visviva.copy"
    bl_label = "Copy to Selected"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.active_object is not None and len(context.selected_objects) > 1

    def execute(self, context):
        settings = context.active_object.visviva
        names = [name for name in settings.bl_rna.properties.keys() if name not in {"rna_type", "name"}]
        for obj in context.selected_objects:
            if obj.type == "MESH":
                for name in names:
                    setattr(obj.visviva, name, getattr(settings, name))
        return {"FINISHED"}


class VisvivaCurve(bpy.types.Operator):
    """Begin a curve with a keyframe at either end; bend it in the Graph Editor, where the scene's curves are shown"""

    bl_idname = "visviva.curve"
    bl_label = "Begin Curve"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return energy_curve.fcurve(context.scene) is None

    def execute(self, context):
        energy_curve.begin(context.scene)
        return {"FINISHED"}


CLASSES = (VisvivaRun, VisvivaCancel, VisvivaClear, VisvivaKind, VisvivaCopy, VisvivaCurve)


@bpy.app.handlers.persistent
def _before_another_file(*_):
    work.stop()
    work.say("")


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.app.handlers.load_pre.append(_before_another_file)


def unregister():
    work.stop()
    bpy.app.handlers.load_pre.remove(_before_another_file)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
