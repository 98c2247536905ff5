"""The build backend: which wheel has the page of ``lanescope serve``."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[1] / "backend" / "lanescope_build.py"


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The backend, with nothing of maturin behind it: only what it is told is looked at."""
    maturin = ModuleType("maturin")
    hooks = ["build_sdist", *(f"get_requires_for_build_{what}" for what in ("editable", "sdist", "wheel"))]
    for name in [*hooks, "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]:
        setattr(maturin, name, None)
    monkeypatch.setitem(sys.modules, "maturin", maturin)
    monkeypatch.delenv("MATURIN_PEP517_ARGS", raising=False)
    spec = importlib.util.spec_from_file_location("lanescope_build", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_clone_builds_its_page_once(backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xtask").mkdir()
    calls = []

    def build(command: list[str], *, cwd: Path, check: bool) -> None:
        calls.append(command)
        (cwd / "dist").mkdir()
        (cwd / "dist" / "index.html").write_text("")

    monkeypatch.setattr(subprocess, "run", build)
    for _ in range(2):
        assert backend.settings({"a": "b"}, tmp_path) == {"a": "b", "build-args": "--features page"}
    assert calls == [["cargo", "xtask", "build", "--fast", "--page-only"]]


def test_without_a_page_there_is_still_a_wheel(
    backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert backend.settings(None, tmp_path) is None  # a source distribution has no tasks
    (tmp_path / "xtask").mkdir()

    def fail(command: list[str], *, cwd: Path, check: bool) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fail)
    assert backend.settings(None, tmp_path) is None
    assert "without the page" in capsys.readouterr().err


def test_arguments_of_the_caller_are_all(backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "index.html").write_text("")
    given = {"build-args": "--locked"}
    assert backend.settings(given, tmp_path) is given
    monkeypatch.setenv("MATURIN_PEP517_ARGS", "--locked")
    assert backend.settings(None, tmp_path) is None
