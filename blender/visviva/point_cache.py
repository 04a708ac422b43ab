"""Motion on objects: PC2 files in the objects' own coordinates, and the Mesh Cache modifiers that play them."""

import os
import struct
from pathlib import Path

import bpy
import numpy as np

from .refusal import Refusal
from .surface import CACHE_NAME, place_of_cache

HEADER = struct.Struct("<12siiffi")
SIGNATURE = b"POINTCACHE2\0"


def read(path: Path) -> np.ndarray:
    """Positions (frames × points × 3)."""
    content = path.read_bytes()
    if len(content) < HEADER.size or content[:12] != SIGNATURE:
        raise Refusal(f"{path} is no PC2 file")
    _, _, points, _, _, frames = HEADER.unpack_from(content)
    if len(content) != HEADER.size + 12 * points * frames:
        raise Refusal(f"{path} was cut short")
    return np.frombuffer(content, "<f4", offset=HEADER.size).reshape(frames, points, 3)


def write(path: Path, positions: np.ndarray):
    """Whole or not at all: Blender may be playing the file that was there."""
    frames, points, _ = positions.shape
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_bytes(HEADER.pack(SIGNATURE, 1, points, 0.0, 1.0, frames) + positions.astype("<f4").tobytes())
    os.replace(partial, path)


def localised(positions: np.ndarray, to_local: np.ndarray) -> np.ndarray:
    """From the world [m] into an object's own coordinates."""
    return positions.astype(float) @ to_local[:3, :3].T + to_local[:3, 3]


def show(obj: bpy.types.Object, path: Path, frame_start: int):
    """Plays the file on the object, from `frame_start` on, before the modifiers that finish its look."""
    cache = obj.modifiers.get(CACHE_NAME) or obj.modifiers.new(CACHE_NAME, "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.time_mode = "FRAME"
    cache.play_mode = "SCENE"
    cache.interpolation = "LINEAR"
    cache.frame_start = frame_start
    cache.frame_scale = 1.0
    cache.filepath = bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
    obj.modifiers.move(obj.modifiers.find(CACHE_NAME), place_of_cache(obj))
    obj.update_tag()


def clear(obj: bpy.types.Object) -> bool:
    """Takes the motion off; whether there was any."""
    cache = obj.modifiers.get(CACHE_NAME)
    if cache:
        obj.modifiers.remove(cache)
    return cache is not None
