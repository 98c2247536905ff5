"""Sphinx extension: the directive ``lanescope`` is drawn at build time.

In ``conf.py``::

    extensions = ["lanescope.sphinx"]
    lanescope_page = "https://example.org/lanescope/"    # only for live cards

The directive has the options of the command line on its first line::

    .. lanescope:: --decl 'float tile[32][32]' --block 32,32

       tile[threadIdx.x][threadIdx.y]

In MyST it is the fence ``{lanescope}``. Builders other than HTML show the table as text.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from . import __version__
from .card import card
from .cell import analyzed
from .errors import LanescopeError


class lanescope_card(nodes.General, nodes.Element):  # noqa: N801
    """A card in ``html``; its child is the table as text, for builders that have no HTML."""


class Lanescope(SphinxDirective):
    """Analyses its content and shows the card."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The card, or an error at the directive's line."""
        options = self.arguments[0] if self.arguments else ""
        try:
            result, _ = analyzed(options.replace("\n", " "), "\n".join(self.content))
            html = card(result, self.config.lanescope_page or None)
        except LanescopeError as error:
            raise self.error(str(error)) from error
        text = str(result)
        shown = nodes.literal_block(text, text, language="none")
        node = lanescope_card("", shown, html=html)
        self.set_source_info(node)
        return [node]


def _visit_html(translator: Any, node: lanescope_card) -> None:
    translator.body.append(node["html"])
    raise nodes.SkipNode


def _pass(translator: Any, node: lanescope_card) -> None:
    """The child says it."""


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_config_value("lanescope_page", "", "env", [str])
    others: dict[str, Any] = {name: (_pass, _pass) for name in ("latex", "text", "man", "texinfo")}
    app.add_node(lanescope_card, html=(_visit_html, None), **others)
    app.add_directive("lanescope", Lanescope)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
