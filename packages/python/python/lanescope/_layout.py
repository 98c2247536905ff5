"""Layouts: what their accesses cost, and what frees all of them at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _lanescope
from .errors import LanescopeError, called


@dataclass(frozen=True)
class LayoutCost:
    """What some requests to shared memory cost."""

    requests: int
    wavefronts: int
    ideal_wavefronts: int
    conflicts: int
    ways: int


@dataclass(frozen=True)
class LayoutAccess(LayoutCost):
    """One access of a layout."""

    text: str
    #: Bits a lane.
    bits: int


@dataclass(frozen=True)
class WidthWays:
    """How many ways loads of one width conflict; ``None`` where the layout does not allow them."""

    bits: int
    row: int | None
    column: int | None


@dataclass(frozen=True)
class Remedy:
    """A layout and what its accesses cost."""

    #: What is done to plain rows: ``"Swizzle<3,3,3>"``, ``"pitch 72"``.
    change: str
    #: The layout, in the notation of the question.
    layout: str
    free: bool
    added_bytes: int
    #: Index operations that an access takes more.
    operations: int
    total: LayoutCost
    accesses: tuple[LayoutCost, ...]
    widths: tuple[WidthWays, ...]
    #: The same swizzle elsewhere: ``cute_elements``, ``bytes``, ``absolute_shift``, ``tma``, ``triton``, masks.
    readings: Mapping[str, Any] | None


@dataclass(frozen=True)
class LayoutFinding:
    """The cheapest swizzle or pitch that frees all accesses at once, or the proof that there is none."""

    alignment_bytes: int
    verdict: str
    #: ``"cheapest"``, ``"none_is_free"`` or ``"undecided"``.
    proof: str
    #: Swizzles and pitches that were tried.
    tried: int
    as_written: Remedy
    #: Free layouts, cheapest first; or the nearest one alone.
    remedies: tuple[Remedy, ...]

    @property
    def best(self) -> Remedy | None:
        """The cheapest layout that is free."""
        return next((remedy for remedy in self.remedies if remedy.free), None)


@dataclass(frozen=True)
class LayoutResult:
    """A layout, its accesses and, where it was sought, what frees them."""

    layout: str
    element: str
    element_bytes: int
    rows: int
    columns: int
    bytes: int
    device: str
    #: Whether no element type was given, so that ``element`` is assumed.
    element_assumed: bool
    #: The access that was assumed because none was given: the widest ``ldmatrix`` that fits, or the
    #: widest load of a row on a device without ``ldmatrix``.
    access_assumed: str | None
    accesses: tuple[LayoutAccess, ...]
    #: What could not be read.
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    readings: Mapping[str, Any] | None
    finding: LayoutFinding | None

    @property
    def conflicts(self) -> int:
        """Conflicts of all accesses."""
        return sum(access.conflicts for access in self.accesses)


def layout(
    layout: Any, *accesses: str, device: str = "cc9.0", find: bool = False, alignment: int | None = None
) -> LayoutResult:
    """Counts what ``accesses`` cost on ``layout``: text, or an object that prints as a layout.

    Text is CuTe's, as C++ writes or prints it and as its Python does, or Triton's encodings; objects are those of CuTe DSL,
    pycute and tensor-layouts. A tuple ``(object, "f16")`` names the element type. An access is spelled as on the command
    line: ``"ldmatrix.x4"``, ``"cp.async 16"``, ``"load row bits 128"``. With ``find`` the answer has a :class:`LayoutFinding`:
    the cheapest ``Swizzle<B,M,S>`` or pitch that is free for all accesses at once while rows and groups stay aligned to
    ``alignment`` bytes (the widest access's where none is given), or the proof that there is none.

    >>> result = layout("type f16; (16,64):(64,1)", "ldmatrix.x4", "cp.async 16", find=True)
    >>> result.finding.best.layout
    'Swizzle<3,3,3> o (16,64):(64,1)'
    """
    text = _text(layout)
    raw = json.loads(called(_lanescope.layout, text, list(accesses), device, find or alignment is not None, alignment))
    said = raw["diagnostics"]
    return LayoutResult(
        **{name: raw[name] for name in ("layout", "element", "element_bytes", "rows", "columns", "bytes", "device")},
        element_assumed=raw["element_assumed"],
        access_assumed=raw["access_assumed"],
        accesses=tuple(LayoutAccess(**access) for access in raw["accesses"] if "wavefronts" in access),
        errors=tuple(one["message"] for one in said if one["severity"] == "error"),
        warnings=tuple(one["message"] for one in said if one["severity"] == "warning"),
        readings=raw["readings"],
        finding=_finding(raw["finding"]) if raw["finding"] else None,
    )


def _text(given: Any) -> str:
    """The text of a layout, or of an object that prints as one."""
    if isinstance(given, str):
        return given
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], str):
        return f"type {given[1]}\n{_text(given[0])}"
    text = repr(given)
    if text.startswith("<"):
        text = str(given)
    if text.startswith("<"):
        raise LanescopeError(f"{type(given).__name__} does not print as a layout; give its text")
    return text


def _finding(raw: Mapping[str, Any]) -> LayoutFinding:
    plain = ("alignment_bytes", "verdict", "proof", "tried")
    return LayoutFinding(
        **{name: raw[name] for name in plain},
        as_written=_remedy(raw["as_written"]),
        remedies=tuple(_remedy(one) for one in raw["remedies"]),
    )


def _remedy(raw: Mapping[str, Any]) -> Remedy:
    plain = ("change", "layout", "free", "added_bytes", "operations", "readings")
    widths = raw["widths"]
    return Remedy(
        **{name: raw[name] for name in plain},
        total=LayoutCost(**raw["totals"]),
        accesses=tuple(LayoutCost(**cost) for cost in raw["accesses"]),
        widths=tuple(WidthWays(one["bits"], one["row_ways"], one["column_ways"]) for one in widths),
    )
