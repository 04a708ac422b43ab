"""Runs: a scene into a run folder, to its end."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .errors import RunError
from .progress import Progress
from .run_folder import Run
from .scene import Scene
from .session import Session


def run(
    scene: Scene | str | os.PathLike | Mapping[str, Any],
    out: str | os.PathLike | None = None,
    *,
    set: Mapping[str, Any] | None = None,  # noqa: A002, the command's word
    overwrite: bool = False,
    progress: bool = True,
    on_step: Callable[[Session], Any] | None = None,
) -> Run:
    """Runs a scene into a folder and returns the run; ``out`` is ``runs/SCENE-INTEGRATOR`` where it is not given.

    ``on_step`` is called with the session after each step and may change it. Ctrl-C, a failure and what a callback raises end the
    run cleanly, with its checkpoint and its summary, before they come out of here; `resume` goes on.
    """
    scene = scene if isinstance(scene, Scene) and not set else Scene(scene, set=set)
    session = Session(scene)
    for warning in session.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    folder = Path(out) if out is not None else _usual_folder(scene, session)
    session.record(folder, overwrite=overwrite)
    return _carry_on(session, folder, progress, on_step)


def resume(
    folder: str | os.PathLike,
    *,
    force: bool = False,
    progress: bool = True,
    on_step: Callable[[Session], Any] | None = None,
) -> Run:
    """Goes on with a run that was interrupted or cut short, to its end, and returns it."""
    session = Session.resume(folder, force=force)
    for warning in session.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return _carry_on(session, Path(folder), progress, on_step)


def _carry_on(session: Session, folder: Path, progress: bool, on_step: Callable[[Session], Any] | None) -> Run:
    if on_step is not None:
        session.on_step(on_step)
    shown = Progress(session, progress)
    try:
        while session.steps < session.step_count:
            session.step()
            shown.step()
    except KeyboardInterrupt:
        session.conclude("interrupted")
        raise
    except RunError as error:
        session.conclude(str(error))
        t = session.time
        raise RunError(f"the run stopped after t = {t:.4f} s: {error}; what was done until then is in {folder}") from error
    except BaseException as error:
        session.conclude(f"{type(error).__name__}: {error}")
        raise
    finally:
        shown.end()
    session.conclude()
    return Run(folder)


def _usual_folder(scene: Scene, session: Session) -> Path:
    """As the command names it."""
    name = scene.name.removesuffix(" (gallery)")
    stem = Path(name).stem if name != "made in Python" else re.sub(r"\W+", "-", scene.title).strip("-").lower()
    return Path("runs") / f"{stem}-{re.sub(r'[^0-9A-Za-z-]', '_', session.integrator)}"
