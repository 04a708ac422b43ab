"""Scenes from every source, and what is said of those that are wrong."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import visviva as vv

TOML = """
title = "A ball"
[run]
h = "1/100"
duration = 0.1
[[body]]
name = "ball"
material = { youngs_modulus = 2e5, friction = 0.3 }
ball = { radius = 0.05, shells = 2 }
translate = [0, 0, 0.2]
[[obstacle]]
name = "floor"
plane = {}
"""


def test_a_scene_is_the_same_from_a_file_a_dictionary_words_and_code(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(TOML)
    body = {
        "name": "ball",
        "material": {"youngs_modulus": 2e5, "friction": 0.3},
        "ball": {"radius": 0.05, "shells": 2},
        "translate": [0, 0, 0.2],
    }
    words = {"title": "A ball", "run": {"h": "1/100", "duration": 0.1}, "body": [body], "obstacle": [{"name": "floor", "plane": {}}]}
    ball = vv.Body.ball(0.05, 2).material(vv.Material(2e5).friction(0.3)).at(np.array([0, 0, 0.2]))
    built = vv.Scene.new("A ball").body(ball).floor().step("1/100").duration(np.float64(0.1))
    wanted = vv.Scene(path).to_toml()
    assert vv.Scene(words).to_toml() == wanted
    assert vv.Scene(**words).to_toml() == wanted
    assert built.to_toml() == wanted
    assert pickle.loads(pickle.dumps(built)).to_toml() == wanted


def test_gallery_scenes_are_found_by_name_and_changed_like_on_the_command_line():
    scene = vv.Scene("bouncing-ball-soft", set={"run.h": "1/60", "body.0.ball": {"radius": 0.05, "shells": 2}, "energy.target": "decay", "energy.tau": 2})
    assert scene.words["run"]["h"] == "1/60"
    assert scene.words["energy"]["tau"] == 2
    assert scene.set({"energy.tau": 3}).words["energy"]["tau"] == 3
    assert scene.words["energy"]["tau"] == 2, "a scene does not change"
    assert "bouncing-ball-soft" in vv.gallery()


def test_a_mistake_is_told_in_the_words_of_the_command_line(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(TOML.replace("shells", "shels"))
    with pytest.raises(vv.SceneError) as raised:
        vv.Scene(path)
    said = subprocess.run([sys.executable, "-m", "visviva", "check", path], capture_output=True, text=True)
    assert said.returncode == 2
    assert said.stderr.strip() == f"error: {raised.value}"
    assert "did you mean `shells`?" in str(raised.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bodi": []}, "did you mean `body`?"),
        ({"gravity": [0, 0]}, "gravity"),
        ({"gravity": [0, 0, float("nan")]}, "gravity"),
        ({"gravity": [0, 0, "down"]}, "expected a number"),
        ({"title": 3}, "title"),
        ({"run": {"h": -1, "duration": 1}}, "h"),
        ({"run": None}, "run"),
        ({"body": [{"name": "b", "material": "rubber", "ball": {"radius": object(), "shells": 2}}]}, "body.0.ball.radius: a object"),
        ({3: 4}, "the key 3 is not text"),
        ({"energy": {"target": "decay", "tau": 10**400}}, "energy.tau"),
    ],
)
def test_what_is_wrong_with_words_is_named(falling, change, said):
    with pytest.raises(vv.SceneError) as raised:
        vv.Session(vv.Scene({**falling.words, **change}))
    assert said in str(raised.value)


def test_dictionaries_without_an_end_are_refused(falling):
    endless = {}
    endless["camera"] = endless
    with pytest.raises(vv.SceneError, match="too deep"):
        vv.Scene({**falling.words, **endless})


def test_bodies_that_overlap_are_refused_when_a_session_begins(falling):
    with pytest.raises(vv.SceneError, match="intersect|near"):
        vv.Session(falling.set({"body.0.translate": [0, 0, 0.04]}))


def test_check_warns_of_what_is_hardly_meant(falling):
    warnings, hints = falling.set({"body.0.translate": [0, 0, 1e6]}).check()
    assert warnings and isinstance(hints, list)


@pytest.mark.parametrize("integrator", vv.integrators())
def test_every_integrator_is_known_by_its_name(floating, integrator):
    assert vv.Session(floating.integrator(integrator)).integrator.startswith(integrator)


def test_changes_that_are_no_dictionary_are_refused(floating):
    with pytest.raises(TypeError, match="dict of keys and values"):
        floating.set("run.h=1/60")
