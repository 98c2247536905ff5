"""The card that notebooks show: verdict, table and picture, a still that needs no script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .errors import LanescopeError

if TYPE_CHECKING:
    from .result import Line, Result

#: Lines that the table has at most.
MOST_LINES = 40

_COLORS = {"good": ("#1a7f37", "#dafbe1"), "amber": ("#9a6700", "#fff8c5"), "bad": ("#b42318", "#ffe4e0")}


def card(result: Result) -> str:
    """The card as self-contained HTML; colours are literal, so that it stands on light and dark pages alike."""
    ink, paper = _COLORS[_mood(result)]
    head = (
        f'<div style="padding:8px 12px;background:{paper};color:{ink};font-weight:600;border-radius:6px 6px 0 0">'
        f"{escape(result.verdict)}</div>"
    )
    where = " · ".join(
        part
        for part in (
            result.kernel,
            f"grid {_extent(result.grid)}",
            f"block {_extent(result.block)}",
            result.device,
        )
        if part
    )
    below = f'<div style="padding:4px 12px;color:#57606a;font-size:12px">{escape(where)}</div>'
    return (
        '<div class="lanescope-card" style="max-width:860px;border:1px solid #d0d7de;border-radius:6px;background:#fff;'
        'color:#1f2328;font-family:system-ui,sans-serif;font-size:13px;line-height:1.4">'
        f"{head}{below}{_reasons(result)}{_table(result)}{_picture(result)}</div>"
    )


def _mood(result: Result) -> str:
    if result.status != "counted":
        return "amber"
    return "bad" if result.conflicts or result.max_ways > 1 else "good"


def _extent(extent: tuple[int, int, int]) -> str:
    shown = list(extent)
    while len(shown) > 1 and shown[-1] == 1:
        shown.pop()
    return " × ".join(map(str, shown))


def _reasons(result: Result) -> str:
    if not result.reasons:
        return ""
    items = "".join(f"<li>{escape(reason.message)}</li>" for reason in result.reasons[:6])
    return f'<ul style="margin:4px 12px 4px 28px;color:#57606a">{items}</ul>'


def _table(result: Result) -> str:
    if not result.lines:
        return ""
    cell = "padding:2px 8px;text-align:right;border-top:1px solid #eaeef2;white-space:nowrap"
    heads = ("line", "", "requests", "wavefronts", "ideal", "n-way", "sectors", "ideal", "")
    head = "".join(f'<th style="{cell};border-top:0;font-weight:500;color:#57606a">{name}</th>' for name in heads)
    rows = "".join(_row(line, cell) for line in result.lines[:MOST_LINES])
    more = len(result.lines) - MOST_LINES
    rest = f'<div style="padding:2px 12px;color:#57606a">{more} more lines</div>' if more > 0 else ""
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:4px;background:#fff;color:#1f2328">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{rest}"
    )


def _row(line: Line, cell: str) -> str:
    shared = line.op.startswith(("shared", "matrix", "async"))
    dear = line.conflicts > 0 or line.sectors > line.ideal_sectors
    numbers = (
        (line.requests, line.wavefronts, line.ideal_wavefronts, line.ways, "", "")
        if shared
        else (line.requests, "", "", "", line.sectors, line.ideal_sectors)
    )
    counts = "".join(f'<td style="{cell}">{number}</td>' for number in numbers)
    colour = "background:#ffe4e0;" if dear else ""
    return (
        f'<tr style="{colour}"><td style="{cell}">{line.line}</td>'
        f'<td style="{cell};text-align:left">{escape(line.op.replace("_", " "))}</td>{counts}'
        f'<td style="{cell};text-align:left;font-family:ui-monospace,monospace">{escape(line.text)}</td></tr>'
    )


def _picture(result: Result) -> str:
    try:
        drawn = result.svg()
    except LanescopeError:
        return ""
    return f'<div style="padding:8px 12px;overflow-x:auto">{drawn}</div>'
