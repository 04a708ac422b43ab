"""What runs show of themselves in a notebook."""

from __future__ import annotations

import base64
import html
import os
from pathlib import Path
from typing import Any

from .errors import Error, SceneError


class Picture:
    """A picture that a notebook shows."""

    def __init__(self, png: bytes):
        #: The file's bytes
        self.png = png

    def write(self, path: str | os.PathLike) -> Path:
        """Into a PNG file."""
        path = Path(path)
        path.write_bytes(self.png)
        return path

    def _repr_png_(self) -> bytes:
        return self.png


class Plot:
    """A figure that a notebook shows."""

    def __init__(self, svg: str, png: bytes):
        #: The text of an SVG file
        self.svg = svg
        #: The bytes of a PNG file
        self.png = png

    def write(self, path: str | os.PathLike) -> Path:
        """Into a file, SVG or PNG by the ending of its name."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8")
        elif path.suffix == ".png":
            path.write_bytes(self.png)
        else:
            raise SceneError(f"{path}: the name of a plot ends in .svg or .png")
        return path

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_png_(self) -> bytes:
        return self.png


class Page:
    """A run as a page of its own, to turn and to play: a notebook shows it, a browser opens it."""

    def __init__(self, text: str):
        #: The text of an HTML file that needs nothing else
        self.html = text

    def write(self, path: str | os.PathLike) -> Path:
        """Into an HTML file."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="600" style="border: 0" srcdoc="{html.escape(self.html)}"></iframe>'


def run_page(run: Any) -> str:
    """Title, how it ended, the energies and a picture of a run; what cannot be drawn is left out."""
    parts = [f"<b>{html.escape(_title(run))}</b><br>{html.escape(_ending(run))}"]
    for draw in (lambda: run.picture(superimpose=8, size=(640, 360)), lambda: run.plot("energy")):
        try:
            png = base64.b64encode(draw().png).decode()
        except Error as error:
            parts.append(f"<br><i>{html.escape(str(error))}</i>")
        else:
            parts.append(f'<br><img width="640" src="data:image/png;base64,{png}">')
    return "".join(parts)


def _title(run: Any) -> str:
    try:
        return run.scene.title
    except Error:
        return str(run.path)


def _ending(run: Any) -> str:
    summary = run.summary
    if summary is None:
        return f"{run.path}: going on, or cut short"
    ending = " because ".join(filter(None, (summary["ending"]["kind"], summary["ending"].get("reason"))))
    return f"{run.path}: {summary['steps']} steps to t = {summary['time']:.4g} s with {summary['integrator']}, {ending}"
