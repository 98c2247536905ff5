"""Predictions beside pages that Nsight Compute exported on an H200."""

from __future__ import annotations

import csv
import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import lanescope

PAGES = Path(__file__).parents[3] / "tests/golden/profiler"
RAW = PAGES / "raw.csv"
KERNELS = PAGES / "kernels.cu"
LAUNCH: dict[str, Any] = {"grid": (4, 4), "block": (32, 32), "arguments": {"nx": 128, "ny": 128}}


def predicted(kernel: str = "transpose_swizzled", **launch: Any) -> lanescope.Result:
    return lanescope.analyze(KERNELS, kernel=kernel, launch={**LAUNCH, **launch})


def rows_of(compared: lanescope.Comparison) -> dict[str, tuple[int, int | None, str]]:
    return {row.total: (row.predicted, row.measured, row.difference) for row in compared.totals}


def test_a_raw_page() -> None:
    compared = lanescope.compare(predicted(), RAW)
    assert compared.kernel.startswith("transpose_swizzled(") and compared.grid == (4, 4, 1)
    assert compared.agrees and compared.explained
    found = rows_of(compared)
    assert found["shared_load_wavefronts"] == (512, 512, "equal")
    assert found["global_store_sectors"] == (2048, 2048, "equal")
    assert "512" in str(compared) and "<pre>" in compared._repr_html_()
    assert json.loads(json.dumps(compared.to_dict()))["totals"][0]["difference"] == "equal"


def test_what_differs_is_seen() -> None:
    compared = lanescope.compare(predicted("transpose_swizzled"), RAW, kernel="transpose_tiled", nth=1)
    assert not compared.agrees and not compared.explained
    assert rows_of(compared)["shared_load_wavefronts"] == (512, 16384, "not-known")


def test_one_of_several_launches() -> None:
    tiled = predicted("transpose_tiled")
    with pytest.raises(lanescope.LanescopeError, match="2"):
        lanescope.compare(tiled, RAW)
    assert lanescope.compare(tiled, RAW, nth=1).agrees
    with pytest.raises(lanescope.LanescopeError, match="another launch: the grid"):
        lanescope.compare(tiled, RAW, nth=2)
    small = predicted("transpose_tiled", grid=(2, 2), arguments={"nx": 64, "ny": 64})
    assert lanescope.compare(small, RAW, nth=2).agrees


def test_compiled_code() -> None:
    matrix = ((128, 128), "float32")
    try:
        result = lanescope.cuda(
            KERNELS, compile=True, kernel="transpose_naive", grid=(4, 4), block=(32, 32), arguments=[matrix, matrix, 128, 128]
        )
    except lanescope.ToolMissing as error:
        pytest.skip(str(error))
    assert lanescope.compare(result, RAW, kernel="transpose_naive").agrees


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "report.csv"
    text.write_text("a,b\n1,2\n")
    broken = tmp_path / "report.ncu-rep"
    for report in (text, tmp_path / "none.csv", broken, []):
        with pytest.raises(lanescope.LanescopeError):
            lanescope.compare(predicted(), report)
    trace = lanescope.analyze("instruction,lane0,lane1\nld.shared.b32,0,128\n")
    with pytest.raises(lanescope.LanescopeError):
        lanescope.compare(trace, RAW)


class Metric:
    def __init__(self, said: int | float | str | None) -> None:
        self.said = said

    def has_value(self) -> bool:
        return self.said is not None

    def value(self) -> int | float | str | None:
        return self.said


class Action:
    NameBase_DEMANGLED = 1

    def __init__(self, name: str, metrics: dict[str, int | float | str | None]) -> None:
        self.named, self.metrics = name, metrics

    def name(self, base: int = 0) -> str:
        return self.named if base == self.NameBase_DEMANGLED else self.named.split("(")[0]

    def metric_names(self) -> tuple[str, ...]:
        return tuple(self.metrics)

    def metric_by_name(self, name: str) -> Metric:
        return Metric(self.metrics[name])


class Range:
    def __init__(self, actions: list[Action]) -> None:
        self.actions = actions

    def num_actions(self) -> int:
        return len(self.actions)

    def action_by_idx(self, at: int) -> Action:
        return self.actions[at]


class Context:
    def __init__(self, ranges: list[Range]) -> None:
        self.ranges = ranges

    def num_ranges(self) -> int:
        return len(self.ranges)

    def range_by_idx(self, at: int) -> Range:
        return self.ranges[at]


def actions() -> list[Action]:
    """What the package would say of the report that the raw page was exported from."""
    titles, _, *launches = csv.reader(RAW.read_text().splitlines())
    found = []
    for launch in launches:
        said = dict(zip(titles, launch))
        metrics: dict[str, int | float | str | None] = {
            name: None if value in ("", "n/a") else float(value.replace(",", ""))
            for name, value in said.items()
            if "_" in name and value.replace(",", "").replace(".", "").isdecimal()
        }
        for what, column in (("grid", "Grid Size"), ("block", "Block Size")):
            for axis, extent in zip("xyz", said[column].strip("()").split(", ")):
                metrics[f"launch__{what}_dim_{axis}"] = int(extent)
        metrics["device__attribute_display_name"] = "NVIDIA H200"
        metrics["device__attribute_compute_capability_major"] = 9
        metrics["device__attribute_compute_capability_minor"] = 0
        metrics["smsp__nothing.sum"] = None
        found.append(Action(said["Kernel Name"], metrics))
    return found


def test_a_report_by_the_ncu_report_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No report lies here, so the package is played; the test below holds its interface to the true one."""
    report = tmp_path / "report.ncu-rep"
    report.write_bytes(b"NVR\0")
    module = types.ModuleType("ncu_report")
    module.IAction = Action  # type: ignore[attr-defined]
    module.load_report = lambda name: Context([Range(actions()[:4]), Range(actions()[4:])])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ncu_report", module)
    by_package, by_page = lanescope.compare(predicted(), report), lanescope.compare(predicted(), RAW)
    assert by_package == by_page and by_package.agrees
    module.load_report = lambda name: Context([])  # type: ignore[attr-defined]
    with pytest.raises(lanescope.LanescopeError, match="no kernel"):
        lanescope.compare(predicted(), report)


def test_the_interface_of_the_package() -> None:
    package = pytest.importorskip("ncu_report", reason="ncu-report is not installed")
    for ours, theirs in (
        (Context, package.IContext),
        (Range, package.IRange),
        (Action, package.IAction),
        (Metric, package.IMetric),
    ):
        names = {name for name in vars(ours) if not name.startswith("_")}
        assert names <= set(dir(theirs)), names - set(dir(theirs))
    with pytest.raises(FileNotFoundError):
        package.load_report("none.ncu-rep")


def test_without_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = tmp_path / "report.ncu-rep"
    report.write_bytes(b"NVR\0")
    monkeypatch.setitem(sys.modules, "ncu_report", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(lanescope.ToolMissing, match="pip install ncu-report"):
        lanescope.compare(predicted(), report)


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = lanescope.compare(predicted(), RAW).to_pandas()
    assert set(frame["difference"]) == {"equal"}
