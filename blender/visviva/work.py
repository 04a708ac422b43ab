"""The run that is going on: one at a time, watched by a timer, its motion put on the objects when it ends."""

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import bpy

from . import materials, point_cache, preferences, scene_writer
from .refusal import Refusal
from .runner import Job

SECONDS_BETWEEN_LOOKS = 0.25


@dataclass
class Message:
    """What the panel says below its buttons."""

    text: str = ""
    is_error: bool = False


job: Job | None = None
message = Message()
_plan: scene_writer.Plan | None = None


def folder_of(scene: bpy.types.Scene) -> Path:
    """Beside the .blend file; in the temporary folder as long as it has none."""
    name = re.sub(r"[^\w-]+", "_", scene.name)
    if bpy.data.filepath:
        blend = Path(bpy.data.filepath)
        return blend.parent / "visviva" / f"{blend.stem}-{name}"
    return Path(tempfile.gettempdir()) / f"visviva-{os.getpid()}" / name


def start(context: bpy.types.Context):
    """Writes the scene and starts the program; a `Refusal` says why not."""
    global job, _plan
    program = preferences.program()
    folder = folder_of(context.scene)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _plan = scene_writer.write(context, folder, materials.known_to(program))
        job = Job(program, _plan.scene_file, _plan.frame_count)
    except OSError as error:
        raise Refusal(f"Cannot begin: {error}") from error
    say("")
    bpy.app.timers.register(look, first_interval=SECONDS_BETWEEN_LOOKS)


def look() -> float | None:
    """Called by the timer: the seconds until the next look, or nothing when all is done."""
    global job
    if job is None:
        return None
    try:
        if job.poll():
            redraw()
            return SECONDS_BETWEEN_LOOKS
        _end()
    except (OSError, ValueError) as error:  # A job left behind would keep Run disabled.
        job = None
        say(f"The run could not be followed: {error}", is_error=True)
    redraw()
    return None


def stop():
    """Ends a run that nobody will see the end of: Blender closes, or another file is opened."""
    global job
    if job:
        job.cancel()
        job = None
    if bpy.app.timers.is_registered(look):
        bpy.app.timers.unregister(look)


def say(text: str, is_error: bool = False):
    message.text, message.is_error = text, is_error
    redraw()


def redraw():
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _end():
    global job
    done, job = job, None
    if done.cancelled:
        say("Cancelled: the objects are as they were")
    elif done.error:
        say(done.error, is_error=True)
    else:
        try:
            missing = _put_on_objects(done)
            say("\n".join([*missing, *done.warnings]))
        except (Refusal, OSError) as error:
            say(str(error), is_error=True)


def _put_on_objects(done: Job) -> list[str]:
    """Every body's motion; returns what could not be placed."""
    objects = {obj.session_uid: obj for obj in bpy.data.objects}
    missing = []
    for body in _plan.bodies:
        obj = objects.get(body.uid)
        if obj is None:
            missing.append(f"{body.name} is gone: its motion was left out")
            continue
        positions = point_cache.read(done.run_folder / "pc2" / f"{body.name}.pc2")
        if positions.shape[1] != body.point_count:
            raise Refusal(f"{obj.name}: the motion has {positions.shape[1]} points in place of {body.point_count}")
        path = done.folder / "cache" / f"{body.name}.pc2"
        point_cache.write(path, point_cache.localised(positions, body.to_local))
        point_cache.show(obj, path, _plan.frame_start)
    if bpy.ops.ed.undo_push.poll():
        bpy.ops.ed.undo_push(message="visviva motion")
    return missing
