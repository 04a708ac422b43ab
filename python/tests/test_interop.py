"""Meshes, matrices and arrays of other packages, with the packages themselves."""

import numpy as np
import pytest

import visviva as vv

BOX = np.array([[x, y, z] for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)])


def drop(body):
    return vv.Session(vv.Scene.new("It falls").body(body.at([0, 0, 0.3])).floor())


def test_a_trimesh_mesh_becomes_a_solid_and_an_obstacle():
    trimesh = pytest.importorskip("trimesh")
    sphere = trimesh.creation.icosphere(subdivisions=2, radius=0.1)
    session = drop(vv.Body.mesh(sphere).cells(6))
    assert len(session.mesh.tets) > 50
    volume = session.mass().sum() / 3 / 1000
    # Cells of 3 cm cut corners of a ball of 20 cm.
    assert volume == pytest.approx(sphere.volume, rel=0.1)
    session.step(3)
    table = vv.Obstacle.mesh(trimesh.creation.box((1, 1, 0.1))).named("table")
    scene = vv.Scene.new("On a table").body(vv.Body.ball(0.05, 2).at([0, 0, 0.2])).obstacle(table)
    assert vv.Session(scene).mesh.bodies[1]["name"] == "table"


def test_meshes_in_memory_are_recorded_and_gone_on_with(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    body = vv.Body.mesh(trimesh.creation.icosphere(subdivisions=1, radius=0.1)).affine().named("stone").at([0, 0, 0.3])
    scene = vv.Scene.new("A stone").body(body).floor().duration(0.05)
    run = vv.run(scene, tmp_path / "run", progress=False)
    again = vv.run(run.scene, tmp_path / "again", progress=False)
    assert np.array_equal(run.frames[-1].positions, again.frames[-1].positions)


def test_a_meshio_mesh_of_tets_becomes_a_solid():
    meshio = pytest.importorskip("meshio")
    tets = [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]]
    session = drop(vv.Body.mesh(meshio.Mesh(BOX, [("tetra", tets)])))
    assert len(session.mesh.tets) == 6
    assert session.mass().sum() / 3 == pytest.approx(1.0)


def test_pyvista_gives_and_takes_meshes(falling, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    session = drop(vv.Body.mesh(pyvista.Sphere(radius=0.1, theta_resolution=12, phi_resolution=12)).affine())
    shown = session.to_pyvista()
    assert shown.n_cells == len(session.mesh.triangles) and set(shown.cell_data["body"]) == {0, 1}
    assert shown.bounds[4] == pytest.approx(0.0) and shown.bounds[5] > 0.3
    run = vv.run(falling, tmp_path / "run", progress=False)
    assert run.frames[-1].to_pyvista().points[:, 2].max() < 0.2


@pytest.mark.parametrize(
    ("vertices", "cells", "said"),
    [
        (BOX[:, :2], [[0, 1, 2]], "where \\(n, 3\\) is needed"),
        (BOX, [[0, 1, 2, 3, 4]], "for triangles"),
        (BOX, [[0, 1, 8]], "names vertex 8, and there are 8"),
        (BOX, [[0, 1, -1]], "names vertex -1"),
        (BOX, [[0.5, 1, 2]], "whole"),
        (BOX * np.nan, [[0, 1, 2]], "no finite number"),
        (BOX.astype(str), [[0, 1, 2]], "where numbers are needed"),
    ],
)
def test_arrays_that_are_no_mesh_are_refused(vertices, cells, said):
    with pytest.raises(vv.SceneError, match=said):
        drop(vv.Body.mesh(vertices, cells).affine())


def test_what_is_no_mesh_is_refused():
    with pytest.raises(vv.SceneError, match="a int is no mesh"):
        vv.Body.mesh(7)


def test_modes_of_a_free_bar_come_from_scipy():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    bar = vv.Body.cuboid([1, 0.1, 0.1], [40, 2, 2]).material(vv.Material(1e7).poisson_ratio(0))
    session = vv.Session(vv.Scene.new("A bar").body(bar).gravity([0, 0, 0]))
    stiffness, mass = session.stiffness(), session.mass()
    assert abs(stiffness - stiffness.T).max() < 1e-9 * abs(stiffness).max()
    assert mass.sum() / 3 == pytest.approx(10)
    squares = linalg.eigsh(stiffness, k=30, M=mass, sigma=-1.0, return_eigenvectors=False)
    frequencies = np.sqrt(np.maximum(np.sort(squares), 0)) / (2 * np.pi)
    # It moves as a whole in six ways.
    assert frequencies[5] < 1e-3 * frequencies[6]
    # f = c/2L, c² = E/ρ: the first wave along it, which linear elements have to 1e-3 here.
    wave = np.sqrt(1e7 / 1000) / 2
    assert np.abs(frequencies - wave).min() < 2e-3 * wave


def test_what_is_held_has_no_free_coordinates(held):
    session = vv.Session(held)
    free = session.free
    assert free.shape == (session.positions.size,) and (~free).sum() == 3 * 4
    assert session.stiffness()[free][:, free].shape == (free.sum(), free.sum())


@pytest.mark.parametrize("package", ["torch", "jax.numpy"])
def test_arrays_are_tensors_without_a_copy(falling, package):
    tensors = pytest.importorskip(package)
    x = vv.Session(falling).positions
    tensor = tensors.from_dlpack(x)
    assert tensor.shape == x.shape
    assert np.allclose(np.asarray(tensor), x)
