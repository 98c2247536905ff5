"""Inductor's launcher, as far as the watch takes hold of it: a stand-in of the same form, since Inductor itself wants a GPU."""

from __future__ import annotations

import sys
import types
from types import SimpleNamespace
from typing import Any

import pytest

import lanescope

triton = pytest.importorskip("triton")

import kernels  # noqa: E402

ROWS, COLUMNS = 512, 768


class CachingAutotuner:
    """What PyTorch's class of this name has and the watch reads."""

    def __init__(self) -> None:
        config = triton.Config({"BLOCK": 1024}, num_warps=4, num_stages=1)
        self.fn = kernels.softmax
        self.launchers = [SimpleNamespace(config=config)]
        self.triton_meta = {"constants": {"BLOCK": 1024}}
        self.ran = 0

    def _interpret_args_grid(self, args: tuple[Any, ...], config: Any) -> tuple[tuple[Any, ...], tuple[int, int, int]]:
        return args, (ROWS, 1, 1)

    def run(self, *args: Any, stream: Any, benchmark_run: bool = False, **keywords: Any) -> str:
        self.ran += 1
        return "ran"


@pytest.fixture
def tuner(monkeypatch: pytest.MonkeyPatch) -> CachingAutotuner:
    names = ["torch", "torch._inductor", "torch._inductor.runtime", "torch._inductor.runtime.triton_heuristics"]
    modules = [types.ModuleType(name) for name in names]
    modules[-1].CachingAutotuner = CachingAutotuner  # type: ignore[attr-defined]
    modules[0].cuda = SimpleNamespace(is_available=lambda: False)  # type: ignore[attr-defined]
    for name, module in zip(names, modules):
        monkeypatch.setitem(sys.modules, name, module)
    return CachingAutotuner()


def test_what_inductor_launches_is_counted_with_the_rest(tuner: CachingAutotuner) -> None:
    matrix = lanescope.spec((ROWS, COLUMNS))
    run = CachingAutotuner.run
    with lanescope.watch() as w:
        for _ in range(2):
            assert tuner.run(matrix, matrix, COLUMNS, stream=0) == "ran"
        tuner.run(matrix, matrix, COLUMNS, stream=0, benchmark_run=True)
    assert CachingAutotuner.run is run and tuner.ran == 3
    [launch] = w.launches
    assert (launch.name, launch.times, launch.grid) == ("softmax", 2, (ROWS, 1, 1))
    [row] = w.report().to_dict()
    alone = lanescope.triton(kernels.softmax, matrix, matrix, COLUMNS, grid=ROWS, BLOCK=1024, num_warps=4, num_stages=1)
    assert (row["sectors"], row["status"]) == (alone.totals.sectors, alone.status)


def test_without_a_gpu_it_is_said(tuner: CachingAutotuner) -> None:
    with pytest.raises(lanescope.ToolMissing, match="finds none"):
        lanescope.inductor(lambda x: x + 1, (4, 4))
