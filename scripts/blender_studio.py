"""A run's USD in Blender, on a floor under a soft sun: stills and films. Needs `bpy`."""

import math
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

# Linear colours of bodies in their order: coral, teal, mustard, blue, rose, green, plum, orange.
PALETTE = (
    (0.83, 0.13, 0.07), (0.02, 0.33, 0.34), (0.86, 0.45, 0.04), (0.04, 0.16, 0.55),
    (0.78, 0.20, 0.28), (0.15, 0.38, 0.08), (0.26, 0.06, 0.28), (0.86, 0.24, 0.02),
)
FLOOR_COLOUR = (0.80, 0.74, 0.66)
OBSTACLE_COLOUR = (0.42, 0.40, 0.38)
SKY_COLOUR = (0.62, 0.76, 0.95)
# From where a scene without a camera of its own is seen, and how far the whole motion is from the picture's edge.
VIEW_FROM = Vector((0.45, -1.0, 0.42)).normalized()
MARGIN = 1.12
FIELD_OF_VIEW = 0.45


class Studio:
    """One run, ready to be rendered. Lengths are in metres, as in the run."""

    def __init__(self, usd: Path, scene: dict, kinds: dict, size: tuple[int, int], samples: int, zoom: float):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        with _quiet():
            bpy.ops.wm.usd_import(filepath=str(usd), import_materials=False, set_frame_range=True)
        self.scene = bpy.context.scene
        meshes = [obj for obj in bpy.data.objects if obj.type == "MESH"]
        known = {_plain(name): (order, kind) for order, (name, kind) in enumerate(kinds.items())}
        ranked = sorted((known.get(_plain(obj.name), (len(known), "solid")), obj.name, obj) for obj in meshes)
        planes = {_plain(obstacle["name"]) for obstacle in scene.get("obstacle", []) if "plane" in obstacle}
        self.bodies = [obj for (_, kind), _, obj in ranked if kind != "obstacle"]
        obstacles = [obj for (_, kind), _, obj in ranked if kind == "obstacle"]
        for number, obj in enumerate(self.bodies):
            _dress(obj, PALETTE[number % len(PALETTE)], roughness=0.42, coat=0.5)
        for obj in obstacles:
            _dress(obj, OBSTACLE_COLOUR, roughness=0.7)
            obj.hide_render = _plain(obj.name) in planes
        self.wanted_camera, self.size, self.zoom = scene.get("camera"), size, zoom
        self._set_camera(self._corners(range(self.scene.frame_start, self.scene.frame_end + 1, 3)))
        for plane in (obstacle["plane"] for obstacle in scene.get("obstacle", []) if "plane" in obstacle):
            self._lay_floor(plane)
        self._light()
        self._set_render(size, samples)
        rate = scene["run"]["frame_rate"]
        self.scene.render.fps, self.scene.render.fps_base = round(rate), round(rate) / rate

    def still(self, path: Path, frame: int) -> Path:
        """A PNG of one frame, counted from 0, and framed by what is there."""
        self._set_camera(self._corners([self.scene.frame_start + frame]))
        settings = self.scene.render.image_settings
        settings.media_type, settings.file_format = "IMAGE", "PNG"
        settings.color_mode, settings.color_depth, settings.compression = "RGB", "8", 100
        self.scene.render.filepath = str(path.resolve())
        with _quiet():
            bpy.ops.render.render(write_still=True)
        return path

    def film(self, path: Path) -> Path:
        """An MP4 of all frames, at the run's own rate."""
        settings = self.scene.render.image_settings
        settings.media_type, settings.file_format = "VIDEO", "FFMPEG"
        self.scene.render.ffmpeg.format, self.scene.render.ffmpeg.codec = "MPEG4", "H264"
        self.scene.render.ffmpeg.constant_rate_factor = "MEDIUM"
        self.scene.render.filepath = str(path.resolve())
        with _quiet():
            bpy.ops.render.render(animation=True)
        return path

    def middle_frame(self) -> int:
        return (self.scene.frame_end - self.scene.frame_start) // 2

    def _corners(self, frames) -> np.ndarray:
        """Of the boxes round all bodies, at these frames."""
        corners = []
        for frame in frames:
            self.scene.frame_set(frame)
            corners += [_box(obj) for obj in self.bodies]
        return np.concatenate(corners)

    def _set_camera(self, corners: np.ndarray):
        """The scene's own camera, or one that sees all these corners."""
        camera = self.scene.camera or bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
        if self.scene.camera is None:
            self.scene.collection.objects.link(camera)
            self.scene.camera = camera
        wanted, data = self.wanted_camera, camera.data
        data.sensor_fit = "VERTICAL"
        data.angle_y = wanted.get("field_of_view", 0.6) if wanted else FIELD_OF_VIEW
        if wanted:
            eye, target = Vector(wanted["eye"]), Vector(wanted["target"])
        else:
            target = Vector((corners.min(axis=0) + corners.max(axis=0)) / 2)
            eye = target + VIEW_FROM * _distance(corners - np.array(target), data.angle_y, self.size[0] / self.size[1])
        eye = target + (eye - target) / self.zoom
        camera.location = eye
        camera.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
        self.distance = (target - eye).length
        self.target = target
        data.clip_start, data.clip_end = self.distance / 1000, self.distance * 1000

    def _lay_floor(self, plane: dict):
        """Wide enough that its end is lost in the distance."""
        reach = 40 * self.distance
        bpy.ops.mesh.primitive_plane_add(size=2 * reach, location=plane["point"])
        floor = bpy.context.active_object
        floor.rotation_euler = Vector(plane["normal"]).to_track_quat("Z", "Y").to_euler()
        _dress(floor, FLOOR_COLOUR, roughness=0.85, smooth=False)

    def _light(self):
        sun = bpy.data.lights.new("sun", "SUN")
        sun.energy, sun.angle, sun.color = 4.2, math.radians(6), (1.0, 0.93, 0.82)
        self._place(sun, Vector((-0.8, -0.25, 0.85)) * self.distance)
        fill = bpy.data.lights.new("fill", "AREA")
        fill.size, fill.color = 1.5 * self.distance, (0.85, 0.92, 1.0)
        fill.energy = 6 * self.distance**2
        self._place(fill, Vector((1.2, -0.7, 0.9)) * self.distance)
        world = bpy.data.worlds.new("sky")
        self.scene.world = world
        world.use_nodes = True
        background = world.node_tree.nodes["Background"]
        background.inputs["Color"].default_value = (*SKY_COLOUR, 1)
        background.inputs["Strength"].default_value = 0.5

    def _place(self, light: bpy.types.Light, offset: Vector):
        obj = bpy.data.objects.new(light.name, light)
        self.scene.collection.objects.link(obj)
        obj.location = self.target + offset
        obj.rotation_euler = (-offset).to_track_quat("-Z", "Y").to_euler()

    def _set_render(self, size: tuple[int, int], samples: int):
        render = self.scene.render
        render.engine = "CYCLES"
        render.resolution_x, render.resolution_y, render.resolution_percentage = *size, 100
        render.dither_intensity = 0.0  # Dither is noise to PNG: files would be three times as large.
        render.use_persistent_data = True
        cycles = self.scene.cycles
        cycles.device, cycles.samples, cycles.use_denoising = "CPU", samples, True
        cycles.max_bounces, cycles.use_adaptive_sampling = 6, True
        self.scene.view_settings.view_transform = "AgX"
        self.scene.view_settings.look = "AgX - Medium High Contrast"
        self.scene.view_settings.exposure = 0.35


def _dress(obj: bpy.types.Object, colour: tuple, roughness: float, coat: float = 0.0, smooth: bool = True):
    material = bpy.data.materials.new(obj.name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Coat Weight"].default_value = coat
    shader.inputs["Coat Roughness"].default_value = 0.12
    obj.data.materials.clear()
    obj.data.materials.append(material)
    if smooth:
        obj.data.shade_smooth()
        split = obj.modifiers.new("edges", "EDGE_SPLIT")  # After the motion: edges are sharp where they are at each frame.
        split.split_angle = math.radians(40)


def _box(obj: bpy.types.Object) -> np.ndarray:
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ Vector(corner) for corner in evaluated.bound_box])


def _distance(points: np.ndarray, angle_y: float, aspect: float) -> float:
    """From which all points are seen, along `VIEW_FROM`."""
    forward = -np.array(VIEW_FROM)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    tangent = math.tan(angle_y / 2)
    needed = np.maximum(np.abs(points @ up) / tangent, np.abs(points @ right) / (tangent * aspect)) - points @ forward
    return MARGIN * float(needed.max())


def _plain(name: str) -> str:
    """What is left of a name in every format."""
    return re.sub(r"\W", "_", name)


@contextmanager
def _quiet():
    """Blender tells of every tile, on the terminal itself."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
