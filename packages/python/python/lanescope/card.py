"""The card that notebooks and documentation show: verdict, table and picture; live where a published page is named.

The still needs no script and stands everywhere: the picture is an image, so that neither its styles nor its identifiers
meet those of the page around. Live, the same still lies between the tags of the page's ``<lane-scope>`` element, which
replaces it when it answers; where scripts do not run, the still stays.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from .errors import LanescopeError

if TYPE_CHECKING:
    from .result import Line, Result

#: Lines that the table has at most.
MOST_LINES = 40
#: Bytes of the longest link that ``<lane-scope>`` takes.
LONGEST_LINK = 16 * 1024
#: Pixels that a live card reserves.
LEAST_HEIGHT = 560
#: The variable that names the published page where :func:`live` does not.
VARIABLE = "LANESCOPE_PAGE"

_COLORS = {"good": ("#1a7f37", "#dafbe1"), "amber": ("#9a6700", "#fff8c5"), "bad": ("#b42318", "#ffe4e0")}


_page: str | None = os.environ.get(VARIABLE) or None


def live(page: str | None) -> None:
    """Makes the cards of this session live: ``page`` is the folder where Lanescope's page is published. ``None`` ends it."""
    global _page
    _page = None if page is None else _folder(page)


def _folder(page: str) -> str:
    if not re.match(r"https?://[^\s\"'<>]+$", page):
        raise LanescopeError(f"`{page}` is no address of a page; write as in https://example.org/lanescope/")
    return page.rstrip("/") + "/"


def card(result: Result, page: str | None = None) -> str:
    """The card as HTML, live where ``page`` (or :func:`live`) names a published page and the question fits a link."""
    page = _page if page is None else page
    fragment = None if page is None else _fragment(result)
    if page is None or fragment is None:
        return still(result)
    folder = escape(_folder(page))
    return (
        f'<script type="module" src="{folder}lane-scope.js"></script>'
        f'<lane-scope src="{folder}{escape(fragment)}" base="{folder}" lang="en" height="{LEAST_HEIGHT}" title="{escape(result.verdict)}">'
        f"{still(result)}</lane-scope>"
    )


def _fragment(result: Result) -> str | None:
    """The link's fragment, if a link holds the whole question."""
    if not result.is_linkable:
        return None
    fragment = result.link()
    return fragment if len(fragment.encode()) <= LONGEST_LINK else None


def still(result: Result) -> str:
    """The card without scripts; colours are literal, so that it stands on light and dark pages alike."""
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
        '<div class="lanescope-card" style="max-width:1000px;border:1px solid #d0d7de;border-radius:6px;background:#fff;'
        'color:#1f2328;color-scheme:light;font-family:system-ui,sans-serif;font-size:13px;line-height:1.4">'
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
    size = re.search(r'width="(\d+)" height="(\d+)"', drawn)
    title = re.search(r"<title[^>]*>(.*?)</title>", drawn)
    said = title[1] if title else escape(result.verdict)
    extent = f' width="{size[1]}" height="{size[2]}"' if size else ""
    data = b64encode(drawn.encode()).decode()
    # Where little space is left, the picture is scrolled, not made unreadably small.
    return (
        '<div style="padding:8px 12px;overflow-x:auto">'
        f'<img alt="{said}"{extent} style="max-width:100%;min-width:640px;height:auto" src="data:image/svg+xml;base64,{data}"></div>'
    )
