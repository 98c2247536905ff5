"""Python-Markdown extension, for MkDocs and its kin: fences of the language ``lanescope`` are drawn at build time.

In ``mkdocs.yml``::

    markdown_extensions:
      - lanescope.mkdocs:
          page: https://example.org/lanescope/    # only for live cards

A fence has the options of the command line behind its language::

    ```lanescope --decl 'float tile[32][32]' --block 32,32
    tile[threadIdx.x][threadIdx.y]
    ```
"""

from __future__ import annotations

import logging
import re
from html import escape
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from .card import card
from .cell import analyzed
from .errors import LanescopeError

#: Its warnings make ``mkdocs build --strict`` fail.
_LOG = logging.getLogger("mkdocs.plugins.lanescope")

_FENCE = re.compile(
    r"""
    ^(?P<indent>[ ]*)(?P<ticks>`{3,}|~{3,})[ ]*lanescope(?P<options>(?:[ ][^\n]*)?)\n
    (?P<source>.*?)
    ^(?P=indent)(?P=ticks)[ ]*$
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
#: Before fenced_code and SuperFences (25), behind what takes placeholders out of the text (30).
_PRIORITY = 27


class Fences(Preprocessor):
    """Replaces each fence by its card."""

    def __init__(self, markdown: Markdown, page: str | None) -> None:
        super().__init__(markdown)
        self.page = page

    def run(self, lines: list[str]) -> list[str]:
        """The lines, each fence of which is one placeholder."""
        return _FENCE.sub(self._drawn, "\n".join(lines)).split("\n")

    def _drawn(self, found: re.Match[str]) -> str:
        indent = found["indent"]
        source = "\n".join(line.removeprefix(indent) for line in found["source"].splitlines())
        try:
            html = card(analyzed(found["options"], source)[0], self.page)
        except LanescopeError as error:
            _LOG.warning("lanescope fence `%s`: %s", source.strip().split("\n", 1)[0], error)
            html = f'<pre class="lanescope-error">{escape(str(error))}\n\n{escape(source)}</pre>'
        return f"{indent}{self.md.htmlStash.store(html)}"


class LanescopeExtension(Extension):
    """Draws the fences; ``page`` is the folder where Lanescope's page is published, for live cards."""

    def __init__(self, **options: Any) -> None:
        self.config = {"page": ["", "The folder where Lanescope's page is published; stills without it"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Registers the preprocessor."""
        md.preprocessors.register(Fences(md, self.getConfig("page") or None), "lanescope", _PRIORITY)


def makeExtension(**options: Any) -> LanescopeExtension:  # noqa: N802
    """What Python-Markdown calls."""
    return LanescopeExtension(**options)
