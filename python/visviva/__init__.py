"""visviva: elastic bodies that keep their bounce.

Soft solids, thin shells and stiff bodies in frictional contact whose energy you direct. Write a scene, begin a session, step it,
look, and change it under way::

    import visviva as vv

    ball = vv.Body.ball(0.05, 3).material(vv.Material(1e5).friction(0.5)).at([0, 0, 0.5])
    scene = vv.Scene.new("A ball that bounces").body(ball).floor().energy(vv.Energy.decay(5)).step("1/120")
    session = vv.Session(scene)
    session.run_until(1)
    session.set_target("conserve")
    print(session.vertices)

`vv.run(scene, out="runs/ball")` records a run, `vv.Run("runs/ball")` reads one, and `vv.sweep(scene, {...}, out="sweeps/ball")` runs
many. All quantities are in SI units.
"""

from ._visviva import Checkpoint, __version__, gallery, integrators, materials
from .body import Body
from .energy import Energy
from .errors import Error, RunError, SceneError
from .material import Material
from .obstacle import Obstacle
from .pin import Pin
from .run_folder import Frame, Run
from .running import resume, run
from .scene import Scene
from .session import Contacts, Energies, Mesh, Session
from .sweeping import Sweep, between, sweep

__all__ = [
    "Body",
    "Checkpoint",
    "Contacts",
    "Energies",
    "Energy",
    "Error",
    "Frame",
    "Material",
    "Mesh",
    "Obstacle",
    "Pin",
    "Run",
    "RunError",
    "Scene",
    "SceneError",
    "Session",
    "Sweep",
    "__version__",
    "between",
    "gallery",
    "integrators",
    "materials",
    "resume",
    "run",
    "sweep",
]
