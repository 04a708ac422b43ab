"""Optuna finds the material, the energy and the throw with which a ball clears a wall and lands in a box.

The ball is thrown down at the floor before the wall; how high it bounces is a matter of its stiffness and of the energy that is left to
it. Needs the packages visviva (scripts/wheel) and optuna: `python examples/optuna_wall.py [FOLDER]`.
"""

import sys
from pathlib import Path

import numpy as np
import optuna
import visviva as vv

WALL, HEIGHT = 1.0, 0.6  # where it stands and how high it is [m]
BOX, INSIDE = 1.7, 0.5  # the middle of the box, and its width [m]
RADIUS = 0.1  # of the ball [m]
AT_REST = 1000 * 4 / 3 * np.pi * RADIUS**3 * 9.8 * RADIUS  # its energy on the floor [J]
FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "optuna-wall")
TRIALS = 60


def scene(stiffness: float, speed: float, tau: float) -> vv.Scene:
    """A ball of Young's modulus ``stiffness`` [Pa], thrown with ``speed`` [m/s]; its energy decays over ``tau`` [s]."""
    down = np.radians(65)
    ball = vv.Body.ball(RADIUS, 2).named("ball").material(vv.Material(stiffness).restitution(1)).at([0, 0, 0.6])
    ball = ball.velocity([speed * np.cos(down), 0, -speed * np.sin(down)])
    wall = vv.Obstacle.cuboid([0.05, 0.8, HEIGHT]).named("wall").at([WALL, 0, HEIGHT / 2 + 0.005])
    box = vv.Obstacle.open_box([INSIDE, 0.5, 0.3]).named("box").at([BOX, 0, 0.02])
    return (
        vv.Scene.new("A ball, a wall and a box")
        .body(ball)
        .floor()
        .obstacle(wall)
        .obstacle(box)
        .energy(vv.Energy.decay(tau).ground(AT_REST))
        .step("1/120")
        .duration(1.4)
        .camera(eye=[0.9, -4.4, 1.4], target=[0.9, 0, 0.7])
    )


def miss(session: vv.Session) -> float:
    """How far the ball passed below the top of the wall and how far beside the box it came down [m]; 0 is a hit."""
    first, end = session.mesh.bodies[0]["vertices"]
    below, x = 0.0, 0.0
    while session.steps < session.step_count:
        session.step()
        before, (x, _, z) = x, session.vertices[first:end].mean(axis=0)
        if before < WALL <= x:
            below = max(0.0, HEIGHT + RADIUS - z)
        if x < before or x > WALL and z < 0.25:
            break  # It was thrown back, or it has come down.
    return below + max(0.0, abs(x - BOX) - (INSIDE / 2 - RADIUS))


def objective(trial: optuna.Trial) -> float:
    stiffness = trial.suggest_float("stiffness", 2e4, 1e6, log=True)
    speed = trial.suggest_float("speed", 2, 7)
    tau = trial.suggest_float("tau", 0.5, 20, log=True)
    try:
        return miss(vv.Session(scene(stiffness, speed, tau)))
    except vv.RunError:
        raise optuna.TrialPruned from None


optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
study.optimize(objective, n_trials=TRIALS, callbacks=[lambda study, trial: study.stop() if trial.value == 0 else None])
best = study.best_trial
print(f"after {len(study.trials)} throws, {best.value:.3f} m off: " + ", ".join(f"{k} = {v:.4g}" for k, v in best.params.items()))
run = vv.run(scene(**best.params), out=FOLDER, overwrite=True, progress=False)
picture = run.picture(superimpose=24).write(FOLDER.with_suffix(".png"))
print(f"the run is in {FOLDER}, a picture of it in {picture}")
