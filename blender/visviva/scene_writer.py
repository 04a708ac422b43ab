"""From Blender's scene to the program's: a scene.toml and an OBJ file for each object that takes part."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from . import animated, energy_curve, materials, surface, toml
from .refusal import Refusal

FLOOR = "floor"
STEPS_A_FRAME = {"DRAFT": 2, "NORMAL": 5, "FINE": 12}
# ln 20: a decay leaves a twentieth after so many times its τ, which nobody sees any more.
TAUS_TO_REST = 3.0
# Of the smallest body's longest side: the gap below which surfaces repel each other.
REACH = 0.003


@dataclass
class Body:
    """An object whose motion comes back, known by what survives renaming and undo."""

    uid: int
    name: str
    point_count: int
    to_local: np.ndarray


@dataclass
class Plan:
    """What was written, and what its motion will belong to."""

    scene_file: Path
    bodies: list[Body]
    frame_start: int
    frame_count: int


@dataclass
class _Part:
    """An object on its way into the scene; points in the world [m]."""

    obj: bpy.types.Object
    name: str
    points: np.ndarray
    path: np.ndarray | None

    @property
    def longest_side(self) -> float:
        return float(np.ptp(self.points, axis=0).max())


def taking_part(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Visible objects with a kind."""
    return [obj for obj in context.view_layer.objects if obj.visviva.kind != "NONE" and obj.visible_get()]


def write(context: bpy.types.Context, folder: Path, known: dict) -> Plan:
    """Writes everything into `folder`; `known` are the materials by name. The frame shown is as before."""
    scene = context.scene
    objects = taking_part(context)
    _refuse(scene, objects)
    shown, subframe = scene.frame_current, scene.frame_subframe
    try:
        paths = animated.matrices(scene, objects)
        scene.frame_set(scene.frame_start)
        surfaces = surface.simulated(context, objects)
        unit = scene.unit_settings.scale_length
        parts = []
        for obj, name, shape in zip(objects, _names(objects), surfaces):
            points = surface.placed(shape.points, obj.matrix_world, unit)
            written = _in_own_axes(obj, points, unit) if obj.visviva.kind == "SOLID" else points
            surface.write_obj(folder / f"{name}.obj", name, shape, written, obj.matrix_world.is_negative)
            parts.append(_Part(obj, name, points, paths.get(obj)))
        text = _scene(scene, parts, unit, known)
        bodies = [
            Body(part.obj.session_uid, part.name, len(part.points), _to_local(part.obj, unit))
            for part in parts if part.obj.visviva.kind != "OBSTACLE"
        ]
    finally:
        scene.frame_set(shown, subframe=subframe)
    scene_file = folder / "scene.toml"
    scene_file.write_text(text, encoding="utf-8")
    return Plan(scene_file, bodies, scene.frame_start, scene.frame_end - scene.frame_start + 1)


def _in_own_axes(obj: bpy.types.Object, points: np.ndarray, unit: float) -> np.ndarray:
    """Before the object is turned and moved: cells that fill a box along its own axes keep its edges sharp."""
    location, rotation, _ = obj.matrix_world.decompose()
    return (points - unit * np.array(location)) @ np.array(rotation.to_matrix())


def _turned_and_moved(obj: bpy.types.Object, unit: float) -> dict:
    """The way back."""
    location, rotation, _ = obj.matrix_world.decompose()
    axis, angle = rotation.to_axis_angle()
    turn = {"rotate": {"axis": list(axis), "angle": angle}} if angle else {}
    return turn | {"translate": [unit * c for c in location]}


def _to_local(obj: bpy.types.Object, unit: float) -> np.ndarray:
    """From the world [m] back into the object's own coordinates."""
    to_world = np.array(obj.matrix_world)
    to_world[:3] *= unit
    return np.linalg.inv(to_world)


def _refuse(scene: bpy.types.Scene, objects: list[bpy.types.Object]):
    for obj in objects:
        if obj.type != "MESH":
            raise Refusal(f"{obj.name} is no mesh: convert it with Object > Convert > Mesh, or set its kind to None")
        if obj.mode == "EDIT":
            raise Refusal(f"{obj.name} is being edited: leave Edit Mode first")
        sides = np.linalg.norm(np.array(obj.matrix_world)[:3, :3], axis=0)
        if abs(obj.matrix_world.determinant()) <= 1e-6 * sides.prod():
            raise Refusal(f"{obj.name} is scaled to nothing: give it a size along every axis")
    if all(obj.visviva.kind == "OBSTACLE" for obj in objects):
        raise Refusal("Nothing to simulate: select objects and make them solid, shell or stiff")
    if scene.frame_end <= scene.frame_start:
        raise Refusal("The frame range holds a single frame: set the scene's end after its start")


def _names(objects: list[bpy.types.Object]) -> list[str]:
    """Names that are file names as well, each once."""
    taken, names = {FLOOR}, []
    for obj in objects:
        plain = re.sub(r"[^\w-]+", "_", obj.name).strip("_") or "object"
        name, count = plain, 1
        while name.casefold() in taken:
            count += 1
            name = f"{plain}-{count}"
        taken.add(name.casefold())
        names.append(name)
    return names


def _scene(scene: bpy.types.Scene, parts: list[_Part], unit: float, known: dict) -> str:
    moving = [part for part in parts if part.obj.visviva.kind != "OBSTACLE"]
    obstacles = [part for part in parts if part.obj.visviva.kind == "OBSTACLE"]
    reach = REACH * min(part.longest_side for part in moving)
    gravity = [unit * g for g in scene.gravity] if scene.use_gravity else [0.0, 0.0, 0.0]
    tables = [f"title = {toml.value(scene.name)}\ngravity = {toml.value(gravity)}\n", _run(scene)]
    tables.append(_energy(scene, falls_for_ever=not obstacles and not scene.visviva.floor and any(gravity)))
    tables.append(toml.table("contact", reach=reach, restitution=1.0 if scene.visviva.energy == "KEEP" else 0.9))
    tables += [_body(part, unit, known) for part in moving]
    tables += [_obstacle(part, scene, unit) for part in obstacles]
    if scene.visviva.floor:
        tables.append(_floor(scene, parts, moving, reach))
    return "\n".join(tables)


def _run(scene: bpy.types.Scene) -> str:
    base, fps = round(scene.render.fps_base, 6), scene.render.fps  # Blender keeps 1.001 as a single number.
    h = f"{base:g}/{fps * STEPS_A_FRAME[scene.visviva.quality]}"
    duration = f"{(scene.frame_end - scene.frame_start) * base:g}/{fps}"
    return toml.table("run", h=h, duration=duration, frame_rate=fps / base)


def _energy(scene: bpy.types.Scene, falls_for_ever: bool) -> str:
    settings = scene.visviva
    if settings.energy == "KEEP":
        return toml.table("energy", target="conserve")
    if settings.energy == "CALM":
        # What falls for ever has no state of rest to calm down to.
        ground = {} if falls_for_ever else {"ground": "equilibrium"}
        return toml.table("energy", target="decay", tau=settings.calm_time / TAUS_TO_REST, **ground)
    return toml.table("energy", target="curve", curve=energy_curve.sampled(scene))


def _body(part: _Part, unit: float, known: dict) -> str:
    obj, settings = part.obj, part.obj.visviva
    if part.path is not None:
        raise Refusal(f"{obj.name} has an animation of its own: clear it, or make it an obstacle; the simulation moves it")
    if settings.material not in known:
        raise Refusal(f"{obj.name}: the program does not know its material; choose another")
    material = dict(known[settings.material]) | {"friction": settings.friction}
    if settings.kind != "SHELL":
        material = {key: value for key, value in material.items() if key not in materials.SHEET_KEYS}
    elif settings.thickness > 0:
        material["thickness"] = unit * settings.thickness
    elif "thickness" not in material:
        raise Refusal(f"{obj.name} is a shell of {settings.material}: give it a thickness")
    keys = {"name": part.name, "kind": settings.kind.lower(), "file": f"{part.name}.obj"}
    if settings.kind == "SOLID":
        keys["cells"] = settings.detail
        keys |= _turned_and_moved(obj, unit)
    keys["material"] = material
    velocity = {"linear": [unit * v for v in settings.velocity]} if any(settings.velocity) else {}
    if any(settings.spin):
        middle = (part.points.min(axis=0) + part.points.max(axis=0)) / 2
        velocity |= {"angular": [2 * math.pi * turns for turns in settings.spin], "about": middle.tolist()}
    if velocity:
        keys["velocity"] = velocity
    return toml.table("[body]", **keys)


def _obstacle(part: _Part, scene: bpy.types.Scene, unit: float) -> str:
    keys = {"name": part.name, "file": f"{part.name}.obj", "friction": part.obj.visviva.friction}
    if part.path is not None:
        keys |= animated.motion(part.obj, part.path, scene.render.fps / scene.render.fps_base, unit)
    return toml.table("[obstacle]", **keys)


def _floor(scene: bpy.types.Scene, parts: list[_Part], moving: list[_Part], reach: float) -> str:
    """At height zero, and half the reach below what stands on it: surfaces must not touch at the start."""
    lowest = min(moving, key=lambda part: part.points[:, 2].min())
    height = lowest.points[:, 2].min()
    if height < -2 * reach:
        raise Refusal(f"{lowest.obj.name} starts below the floor: lift it, or switch the floor off")
    everything = np.concatenate([part.points for part in parts])
    size = max(20.0, 20.0 * np.abs(everything).max())
    plane = {"point": [0.0, 0.0, float(min(0.0, height - reach / 2))], "normal": [0, 0, 1], "size": float(size)}
    return toml.table("[obstacle]", name=FLOOR, plane=plane, friction=scene.visviva.floor_friction)
