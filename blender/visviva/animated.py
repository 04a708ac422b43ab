"""How objects move by their own keyframes, parents and constraints."""

import bpy
import numpy as np

from .refusal import Refusal

# Of a matrix entry: below it, what Blender computes differs by rounding alone.
SAME = 1e-5


def may_move(obj: bpy.types.Object) -> bool:
    """Whether anything could move it; most objects need no look at every frame."""
    while obj:
        if (obj.animation_data and (obj.animation_data.action or obj.animation_data.drivers)) or obj.constraints:
            return True
        obj = obj.parent
    return False


def matrices(scene: bpy.types.Scene, objects: list[bpy.types.Object]) -> dict:
    """World matrices at every frame, by object; the scene is left at its first frame."""
    moving = [obj for obj in objects if may_move(obj)]
    paths = {obj: [] for obj in moving}
    if moving:
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            for obj in moving:
                paths[obj].append(np.array(obj.matrix_world))
    scene.frame_set(scene.frame_start)
    paths = {obj: np.array(path) for obj, path in paths.items()}
    return {obj: path for obj, path in paths.items() if np.abs(path - path[0]).max() > SAME}


def motion(obj: bpy.types.Object, path: np.ndarray, fps: float, unit: float) -> dict:
    """The path as keys of an obstacle: a turn about one axis through its origin, then a shift; `unit` in metres."""
    times = np.arange(len(path)) / fps
    keys = {}
    axis, angles = _turns(obj, path[:, :3, :3] @ np.linalg.inv(path[0, :3, :3]))
    if np.abs(angles).max() > SAME:
        centre = unit * path[0, :3, 3]
        keys["turn"] = {"axis": axis.tolist(), "centre": centre.tolist(), "angle": np.stack([times, angles], axis=1).tolist()}
    shifts = unit * (path[:, :3, 3] - path[0, :3, 3])
    if np.abs(shifts).max() > unit * SAME:
        keys["shift"] = np.column_stack([times, shifts]).tolist()
    return keys


def _turns(obj: bpy.types.Object, turned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The axis of rotation matrices and their angles [rad]; anything else than turning about one axis is refused."""
    if np.abs(turned @ turned.transpose(0, 2, 1) - np.eye(3)).max() > 1e-3:
        raise Refusal(f"{obj.name} changes its size or shape: an obstacle can only be moved and turned")
    # sin θ times the axis; the frame in which it is longest tells the axis best.
    sines = np.stack(
        [turned[:, 2, 1] - turned[:, 1, 2], turned[:, 0, 2] - turned[:, 2, 0], turned[:, 1, 0] - turned[:, 0, 1]], axis=1
    ) / 2
    longest = sines[np.argmax(np.linalg.norm(sines, axis=1))]
    axis = longest / max(np.linalg.norm(longest), 1e-30)
    cosines = (np.trace(turned, axis1=1, axis2=2) - 1) / 2
    if np.abs(turned @ axis - axis).max() > 1e-3:
        raise Refusal(f"{obj.name} turns about more than one axis: an obstacle can turn about one")
    return axis, np.unwrap(np.arctan2(sines @ axis, cosines))
