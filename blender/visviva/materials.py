"""Named materials: those the installed program knows, or a list that serves until one is found."""

import json
import subprocess
import zlib
from functools import lru_cache

DEFAULT = "rubber"

# Keys and units as in scene files: [Pa], none, [kg/m³], [m].
BUILT_IN = {
    "rubber": {"youngs_modulus": 1e6, "poisson_ratio": 0.47, "density": 1100, "thickness": 0.002},
    "jelly": {"youngs_modulus": 1e4, "poisson_ratio": 0.45, "density": 1000},
    "foam": {"youngs_modulus": 5e4, "poisson_ratio": 0.2, "density": 60},
    "wood": {"youngs_modulus": 1e10, "poisson_ratio": 0.35, "density": 600},
    "steel": {"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7850},
    "cotton": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 400, "thickness": 0.0005},
    "leather": {"youngs_modulus": 5e7, "poisson_ratio": 0.4, "density": 900, "thickness": 0.0015},
}
SCENE_KEYS = ("youngs_modulus", "poisson_ratio", "density", "thickness", "areal_density", "bending_modulus", "law")


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
