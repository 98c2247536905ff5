"""Predictions beside what Nsight Compute measured."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _lanescope
from .errors import LanescopeError, ToolMissing, called
from .result import Result, Status
from .tools import run

if TYPE_CHECKING:
    import pandas as pd

#: Why a prediction and a measurement differ: not at all; nothing was measured; wavefronts that the hardware repeats
#: whatever the addresses are; the prediction assumed data or arguments; it is incomplete; it is not known.
Difference = Literal["equal", "not-measured", "arbitration", "data", "not-counted", "not-known"]

#: Where a report says what was launched: three metrics each.
_GRID = tuple(f"launch__grid_dim_{axis}" for axis in "xyz")
_BLOCK = tuple(f"launch__block_dim_{axis}" for axis in "xyz")
_CAPABILITY = tuple(f"device__attribute_compute_capability_{part}" for part in ("major", "minor"))


@dataclass(frozen=True)
class TotalRow:
    """A sum over the launch, predicted and measured."""

    #: As in :class:`lanescope.Totals`.
    total: str
    #: The hardware's counter.
    counter: str
    predicted: int
    measured: int | None
    difference: Difference


@dataclass(frozen=True)
class InstructionRow:
    """An instruction of the listing that the report's source page holds, predicted and measured."""

    line: int
    #: Bytes from the kernel's beginning.
    offset: int
    instruction: str
    #: ``wavefronts`` or ``sectors``.
    unit: str
    predicted: int
    measured: int | None
    difference: Difference


@dataclass(frozen=True, repr=False)
class Comparison:
    """What :func:`lanescope.compare` gives."""

    #: The kernel's name in the report.
    kernel: str
    #: The launch's blocks and threads of a block, where the report says them.
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    #: How far the prediction can be relied on.
    status: Status
    totals: list[TotalRow]
    #: Only where the SASS that was counted is the report's own.
    instructions: list[InstructionRow]

    @property
    def agrees(self) -> bool:
        """Whether everything that was measured is equal."""
        return self._differences() <= {"equal", "not-measured"}

    @property
    def explained(self) -> bool:
        """Whether everything that was measured is equal, or differs for a reason that is known."""
        return self._differences().isdisjoint({"not-counted", "not-known"})

    def _differences(self) -> set[Difference]:
        return {row.difference for row in self.totals} | {row.difference for row in self.instructions}

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    def to_pandas(self, of: Literal["totals", "instructions"] = "totals") -> pd.DataFrame:
        """Rows as a data frame. Needs pandas."""
        import pandas as pd

        return pd.DataFrame([asdict(row) for row in (self.totals if of == "totals" else self.instructions)])

    def __repr__(self) -> str:
        equal = sum(row.difference == "equal" for row in self.totals)
        return f"<lanescope.Comparison of {self.kernel}: {equal} of {len(self.totals)} totals equal>"

    def __str__(self) -> str:
        rows = [("total", "predicted", "measured", "difference")]
        rows += [
            (row.total, str(row.predicted), "" if row.measured is None else str(row.measured), row.difference)
            for row in self.totals
        ]
        rows += [
            (
                f"{row.instruction} ({row.unit})",
                str(row.predicted),
                "" if row.measured is None else str(row.measured),
                row.difference,
            )
            for row in self.instructions
        ]
        widths = [max(len(row[at]) for row in rows) for at in range(4)]
        table = [
            f"{name.ljust(widths[0])}  {said.rjust(widths[1])}  {found.rjust(widths[2])}  {why}".rstrip()
            for name, said, found, why in rows
        ]
        return "\n".join([f"{self.kernel} ({self.status})", "", *table])

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def compare(
    result: Result,
    report: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    kernel: str | None = None,
    nth: int | None = None,
) -> Comparison:
    """Lays a prediction beside what Nsight Compute measured of the same launch.

    ``report`` is a ``.ncu-rep`` (read by the ``ncu-report`` package, else by ``ncu`` on ``PATH``), or CSV of ``ncu --csv``
    (pages ``raw``, ``details``, ``source``), or several files of one report. ``kernel`` chooses a kernel of a report with
    several, ``nth`` one of its launches, from 1.

    Raises :class:`LanescopeError` where the report has no such kernel, another grid or block, or no counter of memory.
    """
    if result._origin.subject is None:
        raise LanescopeError("a trace is no launch; its own columns hold what was measured")
    files = [report] if isinstance(report, (str, os.PathLike)) else list(report)
    exports = [_export(Path(file)) for file in files]
    raw = json.loads(called(_lanescope.compare, result._origin.subject, exports, kernel, result.kernel or None, nth))
    compared = Comparison(
        kernel=raw["kernel"],
        grid=_extent(raw["grid"]),
        block=_extent(raw["block"]),
        status=raw["status"],
        totals=[TotalRow(**row) for row in raw["totals"]],
        instructions=[
            InstructionRow(**{name: value for name, value in row.items() if name != "source"})
            for row in raw["instructions"]
        ],
    )
    for name, theirs, ours in (("grid", compared.grid, result.grid), ("block", compared.block, result.block)):
        if theirs is not None and theirs != ours:
            raise LanescopeError(f"another launch: the {name} is {theirs} in the report and {ours} in the prediction")
    return compared


def _extent(numbers: list[int] | None) -> tuple[int, int, int] | None:
    return None if numbers is None else (numbers[0], numbers[1], numbers[2])


def _export(path: Path) -> str:
    """A report's file as CSV."""
    if path.suffix.lower() not in (".ncu-rep", ".ncu-repz"):
        try:
            return path.read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise LanescopeError(f"cannot read {path}: {error.strerror}") from error
    if not path.is_file():
        raise LanescopeError(f"cannot read {path}: no such file")
    try:
        import ncu_report  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        ncu = shutil.which("ncu")
        if ncu is None:
            raise ToolMissing(
                f"nothing here reads {path.name}; pip install ncu-report, or export it: ncu --import {path.name} --csv --page raw"
            ) from None
        return run([ncu, "--import", path, "--csv", "--page", "raw"], "ncu")
    try:
        context = ncu_report.load_report(str(path))
        ranges = [context.range_by_idx(at) for at in range(context.num_ranges())]
    except Exception as error:
        raise LanescopeError(f"ncu-report cannot read {path}: {error}") from error
    actions = [one.action_by_idx(at) for one in ranges for at in range(one.num_actions())]
    if not actions:
        raise LanescopeError(f"{path} has no kernel")
    return _raw_page(actions, ncu_report.IAction.NameBase_DEMANGLED)


def _raw_page(actions: Sequence[Any], demangled: int) -> str:
    """Actions of ``ncu-report`` as the profiler's raw page: whole numbers in base units."""
    found = [{name: action.metric_by_name(name) for name in action.metric_names()} for action in actions]
    names = sorted({name for metrics in found for name, metric in metrics.items() if _whole(metric) is not None})
    page = io.StringIO()
    rows = csv.writer(page, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerow(["ID", "Kernel Name", "Block Size", "Grid Size", "CC", *names])
    rows.writerow([""] * (5 + len(names)))
    for at, (action, metrics) in enumerate(zip(actions, found)):
        cells = [_whole(metrics.get(name)) for name in names]
        block, grid = (_told(metrics, which, "({}, {}, {})") for which in (_BLOCK, _GRID))
        launch = [str(at), action.name(demangled), block, grid, _told(metrics, _CAPABILITY, "{}.{}")]
        rows.writerow([*launch, *("" if cell is None else str(cell) for cell in cells)])
    return page.getvalue()


def _told(metrics: dict[str, Any], names: Sequence[str], form: str) -> str:
    """What several metrics say together; nothing where one is missing."""
    numbers = [_whole(metrics.get(name)) for name in names]
    return "" if None in numbers else form.format(*numbers)


def _whole(metric: Any) -> int | None:
    """A metric's whole number; ``None`` where it has none or is a ratio or a text."""
    if metric is None or not metric.has_value():
        return None
    value = metric.value()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if float(value).is_integer() and value >= 0 else None
