"""What a user chooses: of each object, and of the scene."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty

from . import materials, preferences
from .refusal import Refusal

KINDS = (
    ("NONE", "None", "Takes no part", "X", 0),
    ("SOLID", "Solid", "Soft all through: a closed surface, filled", "MESH_UVSPHERE", 1),
    ("SHELL", "Shell", "A thin sheet: cloth, foil, a balloon's skin", "MOD_CLOTH", 2),
    ("AFFINE", "Stiff", "Hardly changes its shape: a closed surface, quick to simulate", "MESH_CUBE", 3),
    ("OBSTACLE", "Obstacle", "Others bounce off it; it stands still, or moves as you animated it", "MOD_PHYSICS", 4),
)
ENERGIES = (
    ("KEEP", "Keeps Bouncing", "What is there in motion stays, but for what friction takes"),
    ("CALM", "Calms Down", "Comes to rest over a time"),
    ("CURVE", "Curve", "How lively it is at each frame: draw it in the Graph Editor"),
)
QUALITIES = (
    ("DRAFT", "Draft", "Two steps a frame: quick, for a first look"),
    ("NORMAL", "Normal", "Five steps a frame"),
    ("FINE", "Fine", "Twelve steps a frame: fast vibrations and spins are seen as well"),
)

_material_items = []  # Blender does not keep the strings of computed lists alive.


def _materials(_settings, _context):
    try:
        known = materials.known_to(preferences.program())
    except Refusal:
        known = materials.BUILT_IN
    _material_items[:] = [
        (name, name.replace("-", " ").title(), _feel(values), "NONE", materials.number(name)) for name, values in known.items()
    ]
    return _material_items


def _feel(values: dict) -> str:
    return f"Young's modulus {values['youngs_modulus']:.2g} Pa, {values.get('density', 1000):g} kg/m³"


class VisvivaObject(bpy.types.PropertyGroup):
    """Of one object."""

    kind: EnumProperty(name="Kind", items=KINDS)
    material: EnumProperty(name="Material", description="How stiff and how heavy it is", items=_materials)
    detail: IntProperty(
        name="Detail",
        description="Cells along its longest side; twice as many take about ten times as long",
        default=12, min=2, max=256, soft_max=48,
    )
    thickness: FloatProperty(
        name="Thickness",
        description="Of the sheet; 0 takes that of the material",
        default=0.0, min=0.0, soft_max=0.01, precision=4, subtype="DISTANCE",
    )
    friction: FloatProperty(name="Friction", description="0 is ice, 1 is a rubber sole", default=0.5, min=0.0, soft_max=1.0)
    velocity: FloatVectorProperty(name="Start Velocity", description="At the first frame", subtype="VELOCITY")
    spin: FloatVectorProperty(
        name="Start Spin", description="Turns about each axis through its middle, a second at the first frame", subtype="XYZ"
    )


class VisvivaScene(bpy.types.PropertyGroup):
    """Of the scene."""

    energy: EnumProperty(name="Energy", items=ENERGIES)
    calm_time: FloatProperty(
        name="Over", description="Time after which a twentieth of the energy is left", default=2.0, min=0.05, subtype="TIME_ABSOLUTE"
    )
    energy_level: FloatProperty(
        name="Level",
        description="Part of the start's energy that is there at a frame: insert keyframes, and shape them in the Graph Editor",
        default=1.0, min=0.0, soft_max=1.0,
    )
    floor: BoolProperty(name="Floor", description="The plane at height zero holds everything", default=True)
    floor_friction: FloatProperty(name="Friction", description="Of the floor", default=0.5, min=0.0, soft_max=1.0)
    quality: EnumProperty(name="Quality", items=QUALITIES, default="NORMAL")


def register():
    bpy.utils.register_class(VisvivaObject)
    bpy.utils.register_class(VisvivaScene)
    bpy.types.Object.visviva = PointerProperty(type=VisvivaObject)
    bpy.types.Scene.visviva = PointerProperty(type=VisvivaScene)


def unregister():
    del bpy.types.Scene.visviva
    del bpy.types.Object.visviva
    bpy.utils.unregister_class(VisvivaScene)
    bpy.utils.unregister_class(VisvivaObject)
