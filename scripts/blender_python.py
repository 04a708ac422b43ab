"""Finds, or makes, a Python with Blender in it: the package `bpy` in a virtual environment outside the repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BPY = "bpy==5.0.1"
PYTHON = "3.11"
REPOSITORY = Path(__file__).resolve().parent.parent


class NoBlender(Exception):
    """Why there is none."""


def environment() -> Path:
    """Where the package lives: VISVIVA_BLENDER_ENV, or a folder of the user's cache."""
    chosen = os.environ.get("VISVIVA_BLENDER_ENV")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(chosen) if chosen else cache / "visviva" / "blender-5.0"


def python(may_install: bool = True) -> str:
    """A Python that can `import bpy`; made on first use (374 MB to load)."""
    if _has_bpy(sys.executable):
        return sys.executable
    folder = environment()
    inside = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if inside.is_file() and _has_bpy(str(inside)):
        return str(inside)
    if not may_install:
        raise NoBlender(f"{BPY} is not installed in {folder}; scripts/test-blender installs it")
    base = _python_of_that_version()
    print(f"installing {BPY} into {folder} (374 MB)", file=sys.stderr)
    try:
        subprocess.run([base, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(inside), "-m", "pip", "install", "--quiet", BPY], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoBlender(f"{BPY} could not be installed: {error}") from error
    if not _has_bpy(str(inside)):
        raise NoBlender(f"{BPY} was installed but cannot be loaded: `{inside} -c 'import bpy'` says why")
    return str(inside)


def reenter():
    """Goes on with this very script in a Python that has Blender."""
    found = python()
    if found != sys.executable:
        sys.exit(subprocess.run([found, *sys.argv]).returncode)


def visviva() -> str:
    """The program: VISVIVA_PROGRAM, or the one built from this repository."""
    chosen = os.environ.get("VISVIVA_PROGRAM")
    if chosen:
        return str(Path(chosen).resolve())
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "visviva-cli"], cwd=REPOSITORY, check=True)
    return str(REPOSITORY / "target" / "release" / ("visviva.exe" if os.name == "nt" else "visviva"))


def _has_bpy(interpreter: str) -> bool:
    return subprocess.run([interpreter, "-c", "import bpy"], capture_output=True).returncode == 0


def _python_of_that_version() -> str:
    found = shutil.which(f"python{PYTHON}")
    if found and subprocess.run([found, "--version"], capture_output=True).returncode == 0:
        return found
    if shutil.which("uv"):
        answer = subprocess.run(["uv", "python", "find", PYTHON], capture_output=True, text=True)
        if answer.returncode == 0:
            return answer.stdout.strip()
    raise NoBlender(f"{BPY} needs Python {PYTHON}, which is not installed")
