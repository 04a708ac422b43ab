"""visviva in Blender: objects become elastic bodies, the simulator runs beside Blender, its motion comes back as caches."""

from . import operators, panel, preferences, properties

PARTS = (preferences, properties, operators, panel)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
