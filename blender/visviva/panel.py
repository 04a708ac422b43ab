"""The panel in the sidebar of the 3D view."""

import textwrap

import bpy

from . import energy_curve, work
from .properties import KINDS


class VisvivaPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_visviva"
    bl_label = "visviva"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "visviva"

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        _draw_object(self.layout.box(), context)
        _draw_scene(self.layout.box(), context.scene)
        _draw_run(self.layout, context)


def _draw_object(layout, context):
    obj = context.active_object
    if obj is None or not context.selected_objects:
        layout.label(text="Select an object", icon="RESTRICT_SELECT_OFF")
        return
    others = len(context.selected_objects) - 1
    layout.label(text=f"{obj.name} and {others} more" if others else obj.name, icon="OBJECT_DATA")
    settings = obj.visviva
    kinds = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for kind, label, _, icon, _ in KINDS:
        kinds.operator("visviva.kind", text=label, icon=icon, depress=settings.kind == kind).kind = kind
    if settings.kind == "NONE":
        return
    column = layout.column()
    if settings.kind != "OBSTACLE":
        column.prop(settings, "material")
    if settings.kind == "SOLID":
        column.prop(settings, "detail")
    if settings.kind == "SHELL":
        column.prop(settings, "thickness")
    column.prop(settings, "friction", slider=True)
    if settings.kind != "OBSTACLE":
        column.prop(settings, "velocity")
        column.prop(settings, "spin")
    if others:
        layout.operator("visviva.copy", icon="COPYDOWN")


def _draw_scene(layout, scene):
    settings = scene.visviva
    layout.prop(settings, "energy")
    if settings.energy == "CALM":
        layout.prop(settings, "calm_time")
    if settings.energy == "CURVE":
        row = layout.row()
        row.use_property_decorate = True
        row.prop(settings, "energy_level")
        if energy_curve.fcurve(scene) is None:
            layout.operator("visviva.curve", icon="GRAPH")
    layout.prop(settings, "floor")
    if settings.floor:
        layout.prop(settings, "floor_friction", slider=True)
    layout.prop(settings, "quality")
    layout.label(text=f"Frames {scene.frame_start} to {scene.frame_end}", icon="TIME")


def _draw_run(layout, context):
    if work.job:
        layout.progress(factor=work.job.progress, text=work.job.in_words)
        layout.operator("visviva.cancel", icon="CANCEL")
    else:
        row = layout.row(align=True)
        row.operator("visviva.run", icon="PLAY")
        row.operator("visviva.clear", icon="TRASH")
    if not bpy.data.filepath:
        layout.label(text="Save the file to keep the motion", icon="INFO")
    # A letter is about seven pixels wide.
    width = max(24, int(context.region.width / (7 * context.preferences.system.ui_scale))) if context.region else 40
    lines = [line for part in work.message.text.splitlines() for line in textwrap.wrap(part, width)]
    column = layout.column(align=True)
    column.alert = work.message.is_error
    for number, line in enumerate(lines):
        icon = "NONE" if number else "ERROR" if work.message.is_error else "INFO"
        column.label(text=line, icon=icon)


def register():
    bpy.utils.register_class(VisvivaPanel)


def unregister():
    bpy.utils.unregister_class(VisvivaPanel)
