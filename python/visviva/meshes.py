"""Meshes of other packages as arrays: anything with vertices and triangles or tets."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import SceneError

Arrays = tuple[np.ndarray, np.ndarray]

#: PyVista's numbers of cell types
_VTK_TRIANGLE, _VTK_TETRA = 5, 10


def mesh_arrays(mesh: Any, cells: Any = None) -> Arrays:
    """Vertices (n, 3) [m] and triangles (m, 3) or tets (m, 4) of a trimesh, meshio or PyVista mesh, or of two arrays."""
    if cells is not None:
        return _checked(mesh, cells)
    if isinstance(mesh, (tuple, list)) and len(mesh) == 2:
        return _checked(*mesh)
    for parts in (_of_trimesh, _of_pyvista, _of_meshio):
        found = parts(mesh)
        if found is not None:
            return _checked(*found)
    raise SceneError(
        f"a {type(mesh).__name__} is no mesh: give one of trimesh, meshio or PyVista with triangles or tets, or vertices and cells"
    )


def _of_trimesh(mesh: Any):
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return mesh.vertices, mesh.faces
    return None


def _of_meshio(mesh: Any):
    if not (hasattr(mesh, "points") and hasattr(mesh, "get_cells_type")):
        return None
    for kind in ("tetra", "triangle"):
        cells = mesh.get_cells_type(kind)
        if len(cells):
            return mesh.points, cells
    return None


def _of_pyvista(mesh: Any):
    if hasattr(mesh, "cells_dict"):
        by_kind = mesh.cells_dict
        if isinstance(by_kind, dict) and (_VTK_TETRA in by_kind or _VTK_TRIANGLE in by_kind):
            return mesh.points, by_kind.get(_VTK_TETRA, by_kind.get(_VTK_TRIANGLE))
    if hasattr(mesh, "regular_faces") and hasattr(mesh, "triangulate"):
        return mesh.points, mesh.triangulate().regular_faces
    return None


def _checked(vertices: Any, cells: Any) -> Arrays:
    vertices, cells = _numbers(vertices, "vertices"), _numbers(cells, "cells")
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise SceneError(f"vertices: an array of shape {vertices.shape}, where (n, 3) is needed")
    if cells.ndim != 2 or cells.shape[1] not in (3, 4):
        raise SceneError(f"cells: an array of shape {cells.shape}, where (n, 3) for triangles or (n, 4) for tets is needed")
    whole = cells.astype(np.int64)
    if not np.array_equal(whole, cells):
        raise SceneError("cells: corners are numbers of vertices, whole ones")
    return np.ascontiguousarray(vertices, dtype=np.float64), np.ascontiguousarray(whole)


def _numbers(values: Any, what: str) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise SceneError(f"{what}: an array of {array.dtype}, where numbers are needed")
    return array


def to_pyvista(vertices: np.ndarray, mesh: Any):
    """Surfaces of all bodies as PyVista's PolyData; the cells' ``body`` counts as `Mesh.bodies` does."""
    import pyvista

    body = np.zeros(len(mesh.triangles), dtype=np.int64)
    for index, owner in enumerate(mesh.bodies):
        body[slice(*owner["triangles"])] = index
    surface = pyvista.PolyData.from_regular_faces(np.asarray(vertices), mesh.triangles.astype(np.int64))
    surface.cell_data["body"] = body
    return surface
