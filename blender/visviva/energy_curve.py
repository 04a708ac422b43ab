"""The energy curve: an F-curve on a property of the scene, drawn in Blender's own Graph Editor."""

import bpy
from bpy_extras import anim_utils

DATA_PATH = "visviva.energy_level"


def fcurve(scene: bpy.types.Scene):
    """The F-curve, or nothing where there are no keyframes."""
    animation = scene.animation_data
    if animation is None or animation.action is None or animation.action_slot is None:
        return None
    channels = anim_utils.action_get_channelbag_for_slot(animation.action, animation.action_slot)
    return channels.fcurves.find(DATA_PATH) if channels else None


def sampled(scene: bpy.types.Scene) -> list[tuple[float, float]]:
    """(time [s], fraction of the start's energy) at every frame; a level without keyframes holds throughout."""
    curve = fcurve(scene)
    fps = scene.render.fps / scene.render.fps_base
    frames = range(scene.frame_start, scene.frame_end + 1)
    level = curve.evaluate if curve else lambda _frame: scene.visviva.energy_level
    return [((frame - scene.frame_start) / fps, max(level(frame), 0.0)) for frame in frames]


def begin(scene: bpy.types.Scene):
    """A first curve to bend: all of the energy at the start, a tenth at the end."""
    for frame, level in ((scene.frame_start, 1.0), (scene.frame_end, 0.1)):
        scene.visviva.energy_level = level
        scene.visviva.keyframe_insert("energy_level", frame=frame)
