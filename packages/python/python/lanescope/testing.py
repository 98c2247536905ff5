"""Assertions for test suites: what fails says where, and what would mend it."""

from __future__ import annotations

from typing import Any

from ._layout import LayoutResult, layout
from .result import Result

#: Lines and fixes that a failure names.
_MOST = 5


def assert_conflict_free(result: Any, *accesses: str, max_ways: int = 1, alignment: int | None = None) -> None:
    """Fails unless every request to shared memory is at most ``max_ways``-way and everything was counted.

    ``result`` is an answer of :func:`lanescope.analyze` or :func:`lanescope.layout`, or a layout as :func:`lanescope.layout`
    takes it, with its ``accesses``. Of a layout, the failure names the swizzle or pitch that frees all accesses while rows
    stay aligned to ``alignment`` bytes, or says that none does.

    >>> assert_conflict_free("type f16; Swizzle<3,3,3> o (16,64):(64,1)", "ldmatrix.x4", "cp.async 16")
    """
    __tracebackhide__ = True
    if not isinstance(result, Result):
        _assert_layout_conflict_free(result, accesses, max_ways, alignment)
        return
    if result.status == "partial":
        raise AssertionError(_said(result, "not fully counted"))
    if result.max_ways > max_ways or (max_ways == 1 and result.conflicts > 0):
        raise AssertionError(_said(result, f"bank conflicts: {result.max_ways}-way, at most {max_ways} wanted"))


def _assert_layout_conflict_free(given: Any, accesses: tuple[str, ...], max_ways: int, alignment: int | None) -> None:
    __tracebackhide__ = True
    answer = given if isinstance(given, LayoutResult) else layout(given, *accesses, find=True, alignment=alignment)
    if not answer.accesses or answer.errors:
        raise AssertionError("\n".join(["not counted", *(f"  {error}" for error in answer.errors)]))
    ways = max(access.ways for access in answer.accesses)
    conflicts = sum(access.conflicts for access in answer.accesses)
    if ways <= max_ways and (max_ways > 1 or conflicts == 0):
        return
    said = [f"bank conflicts: {ways}-way, at most {max_ways} wanted", f"  {answer.layout}"]
    for one in answer.accesses:
        said.append(f"  {one.text}: {one.wavefronts} wavefronts, ideal {one.ideal_wavefronts}, {one.ways}-way")
    if answer.finding is not None:
        said.append(f"  {answer.finding.verdict}")
        for remedy in answer.finding.remedies[:_MOST]:
            price = f"{remedy.added_bytes} bytes more"
            said.append(f"  {remedy.change}: {remedy.layout} ({remedy.total.wavefronts} wavefronts, {price})")
    raise AssertionError("\n".join(said))


def assert_coalesced(result: Result, *, at_most: float = 1.0) -> None:
    """Fails unless global accesses take at most ``at_most`` times the fewest sectors and the launch was wholly counted."""
    __tracebackhide__ = True
    if result.status == "partial":
        raise AssertionError(_said(result, "not fully counted"))
    sectors = sum(one.sectors for one in result.accesses)
    ideal = sum(one.ideal_sectors for one in result.accesses)
    if sectors > ideal * at_most:
        raise AssertionError(_said(result, f"{sectors} sectors, {ideal} would do"))


def _said(result: Result, what: str) -> str:
    said = [what, f"  {result.verdict}"]
    dear = [one for one in result.lines if one.conflicts or one.sectors > one.ideal_sectors or one.unknown]
    for one in sorted(dear, key=lambda one: (-one.conflicts, one.ideal_sectors - one.sectors))[:_MOST]:
        place = f"{one.file}:{one.line}" if one.file else f"line {one.line}"
        counts = f"{one.wavefronts} wavefronts, ideal {one.ideal_wavefronts}, {one.ways}-way"
        if one.sectors:
            counts = f"{one.sectors} sectors, ideal {one.ideal_sectors}"
        said.append(f"  {place}: {one.op.replace('_', ' ')}: {counts}: {one.text}")
    said += [f"  {reason.message}" for reason in result.reasons[:_MOST]]
    for fix in result.fixes[:_MOST]:
        before, after = fix.wavefronts
        sectors = f", {fix.sectors[0]} → {fix.sectors[1]} sectors" if fix.sectors[0] != fix.sectors[1] else ""
        said.append(f"  fix: {fix.kind}: {fix.source} ({before} → {after} wavefronts{sectors})")
    return "\n".join(said)
