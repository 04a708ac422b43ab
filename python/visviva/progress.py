"""How far a run has come: a line that is written over in a terminal or a notebook, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

#: Between two looks in a terminal or notebook, and between two lines of a log [s]
_LOOK, _LINE = 0.1, 10.0
_WIDTH = 24


class Progress:
    """Told after every step; says nothing where ``shown`` is False."""

    def __init__(self, session: Any, shown: bool = True):
        self._session, self._shown = session, shown
        self._begun = self._told = time.monotonic()
        self._first = session.steps
        self._display = _notebook_display() if shown else None
        self._live = shown and (self._display is not None or sys.stderr.isatty())

    def step(self) -> None:
        now = time.monotonic()
        if self._shown and now - self._told >= (_LOOK if self._live else _LINE):
            self._told = now
            self._tell(self._line(now))

    def end(self) -> None:
        """The line makes way for what comes after."""
        if self._display is not None:
            self._display.update(_Text(self._line(time.monotonic())))
        elif self._live:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _line(self, now: float) -> str:
        session, total = self._session, max(self._session.step_count, 1)
        done = session.steps
        taken = max(done - self._first, 1)
        left = (now - self._begun) / taken * max(total - done, 0)
        full = _WIDTH * min(done, total) // total
        energies = session.energies
        return (
            f"{'█' * full}{'░' * (_WIDTH - full)} {100 * done // total:>3} %  t = {session.time:.3f} s  "
            f"energy {energies.total:.4f} of {energies.wanted:.4f} J  {_duration(left)} left"
        )

    def _tell(self, line: str) -> None:
        if self._display is not None:
            self._display.update(_Text(line))
        elif self._live:
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
        else:
            print(line, file=sys.stderr, flush=True)


class _Text:
    """What a notebook shows as it is."""

    def __init__(self, text: str):
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _notebook_display() -> Any:
    """A display that can be written over, where this runs in a notebook."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython import display, get_ipython

    return display.display(_Text(""), display_id=True) if get_ipython() is not None else None


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
