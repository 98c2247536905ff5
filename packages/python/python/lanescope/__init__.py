"""Shared-memory bank conflicts and global sectors of GPU code, counted without a GPU.

>>> import lanescope
>>> result = lanescope.analyze("tile[threadIdx.x][threadIdx.y]", declarations="float tile[32][32]", block=(32, 32))
>>> result.max_ways
32
>>> result.totals.shared_load_wavefronts
1024
"""

from __future__ import annotations

from typing import Any

from ._compare import Comparison, InstructionRow, TotalRow, compare
from ._cubin import cubin
from ._cuda import cuda
from ._fix import CostliestLine, Fixes, fix
from ._fixes import Fix, SassCost, TileLayout
from ._lanescope import __version__
from ._inductor import inductor
from ._layout import LayoutAccess, LayoutCost, LayoutFinding, LayoutResult, Remedy, WidthWays, layout
from ._numba import numba
from ._triton import AutotuneReport, AutotuneRow, autotune_report, triton
from ._watch import Launch, Watch, WatchReport, WatchRow, watch
from .analysis import analyze, devices
from .card import live
from .errors import CompilationError, LanescopeError, SourceError, ToolMissing
from .requests import GlobalRequests, SharedRequests, request
from .result import Access, Diagnostic, Finding, Line, Reason, Result, Totals, Worst
from .spec import Spec, spec
from .testing import assert_coalesced, assert_conflict_free

__all__ = [
    "Access",
    "AutotuneReport",
    "AutotuneRow",
    "Comparison",
    "CompilationError",
    "CostliestLine",
    "Diagnostic",
    "Finding",
    "Fix",
    "Fixes",
    "GlobalRequests",
    "InstructionRow",
    "LanescopeError",
    "Launch",
    "LayoutAccess",
    "LayoutCost",
    "LayoutFinding",
    "LayoutResult",
    "Line",
    "Reason",
    "Remedy",
    "Result",
    "SassCost",
    "SharedRequests",
    "SourceError",
    "Spec",
    "TileLayout",
    "ToolMissing",
    "TotalRow",
    "Totals",
    "Watch",
    "WatchReport",
    "WatchRow",
    "WidthWays",
    "Worst",
    "__version__",
    "analyze",
    "assert_coalesced",
    "assert_conflict_free",
    "autotune_report",
    "compare",
    "cubin",
    "cuda",
    "devices",
    "fix",
    "inductor",
    "layout",
    "live",
    "numba",
    "request",
    "spec",
    "triton",
    "watch",
]


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext lanescope`` makes the cell magic ``%%lanescope`` known."""
    from .magic import register

    register(shell)
