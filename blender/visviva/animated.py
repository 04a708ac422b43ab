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


def shifts(obj: bpy.types.Object, path: np.ndarray) -> np.ndarray:
    """From the first frame's place to each frame's; an obstacle that turns or grows is refused."""
    if np.abs(path[:, :3, :3] - path[0, :3, :3]).max() > SAME:
        raise Refusal(f"{obj.name} turns or changes its size: an obstacle can only be moved along")
    return path[:, :3, 3] - path[0, :3, 3]
