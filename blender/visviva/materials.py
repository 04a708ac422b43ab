"""Named materials: those the installed program knows, or a list that serves until one is found."""

import json
import subprocess
import zlib
from functools import lru_cache

DEFAULT = "rubber"

# Keys and units as in scene files: [Pa], none, [kg/m³], [m]; some of the program's own rows.
BUILT_IN = {
    "jelly": {"youngs_modulus": 5e3, "poisson_ratio": 0.45, "density": 1050},
    "foam": {"youngs_modulus": 5e4, "poisson_ratio": 0.25, "density": 30},
    "rubber": {"youngs_modulus": 2.5e6, "poisson_ratio": 0.45, "density": 1100},
    "wood": {"youngs_modulus": 1e10, "poisson_ratio": 0.35, "density": 550},
    "steel": {"youngs_modulus": 2e11, "poisson_ratio": 0.29, "density": 7850},
    "cloth": {"youngs_modulus": 5e6, "poisson_ratio": 0.3, "density": 500, "thickness": 4e-4, "bending_modulus": 1e6},
    "leather": {"youngs_modulus": 5e7, "poisson_ratio": 0.4, "density": 900, "thickness": 1.5e-3, "bending_modulus": 1e7},
}
SHEET_KEYS = ("thickness", "bending_modulus")
# Friction is chosen for each object, and what contacts lose follows from the energy that is wanted.
SCENE_KEYS = ("youngs_modulus", "poisson_ratio", "density", *SHEET_KEYS)


@lru_cache(maxsize=4)
def known_to(program: str) -> dict:
    """The program's own table, asked once for each path; the built-in one where it cannot be had."""
    try:
        answer = subprocess.run([program, "materials", "--json"], capture_output=True, text=True, timeout=10, check=True)
        rows = json.loads(answer.stdout)
        return {row["name"]: {key: row[key] for key in SCENE_KEYS if row.get(key) is not None} for row in rows} or BUILT_IN
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return BUILT_IN


def number(name: str) -> int:
    """What a .blend file stores for a name: it must not depend on the others, for lists grow; the default is 0."""
    return 0 if name == DEFAULT else zlib.crc32(name.encode()) & 0x7FFFFFFF
