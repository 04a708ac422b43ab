"""What is printed works: the README's Python, the notebooks, docstrings and stubs."""

import inspect
import re
from pathlib import Path

import pytest

import visviva as vv

REPOSITORY = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb"))


def test_the_readme_works_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "kept without what they show"
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_everything_public_says_what_it_is():
    silent = []
    for name in vv.__all__:
        thing = getattr(vv, name)
        if not inspect.getdoc(thing):
            silent.append(name)
        if inspect.isclass(thing):
            named = [(own, member) for own, member in vars(thing).items() if not own.startswith("_")]
            own = [(own, getattr(member, "__func__", member)) for own, member in named]
            silent += [f"{name}.{own}" for own, member in own if not inspect.getdoc(member)]
    assert [name for name in silent if name != "__version__"] == []


def test_types_come_with_the_package():
    folder = Path(vv.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_visviva.pyi").exists()


def test_stubs_name_what_the_native_half_has():
    stub = (Path(vv.__file__).parent / "_visviva.pyi").read_text(encoding="utf-8")
    from visviva import _visviva

    names = [name for name in dir(_visviva) if not name.startswith("_")]
    for thing in (_visviva.Scene, _visviva.Session, _visviva.Checkpoint):
        names += [name for name in vars(thing) if not name.startswith("_")]
    assert [name for name in names if not re.search(rf"(def|class) {name}\b", stub)] == []
