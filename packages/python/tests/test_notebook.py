from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lanescope
from lanescope.cell import analyzed

TUTORIAL = Path(__file__).parent.parent / "tutorial.ipynb"


def test_the_magic() -> None:
    result, into = analyzed("--decl 'float tile[32][32]' --block 32,32 --into tile", "tile[tx][ty]\n")
    assert result.max_ways == 32 and into == "tile"
    kernel = "__global__ void k(float *a, int n) { a[threadIdx.x * n] = 0; }"
    assert analyzed("--grid 1 --block 32x1 --arg n=8", kernel)[0].totals.global_store_sectors == 32
    for line in ("--no-such", "--grid x", "--arg n", "--decl 'float"):
        with pytest.raises(lanescope.LanescopeError):
            analyzed(line, "a[tid]")


def test_the_extension_registers_the_magic() -> None:
    class Shell:
        def __init__(self) -> None:
            self.magics: dict[str, Any] = {}
            self.user_ns: dict[str, Any] = {}

        def register_magic_function(self, function: Any, kind: str) -> None:
            self.magics[function.__name__] = (function, kind)

    shell = Shell()
    lanescope.load_ipython_extension(shell)
    function, kind = shell.magics["lanescope"]
    shown = function("--decl 'float a[64]' --into kept", "a[2*tid]")
    assert kind == "cell" and shell.user_ns["kept"] is shown and shown.max_ways == 2


def test_nbconvert_keeps_the_card() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    nbconvert = pytest.importorskip("nbconvert")
    question = 'import lanescope\nlanescope.analyze("a[2*tid]", declarations="float a[64]")'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(question)])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert 'class="lanescope-card"' in page and "data:image/svg+xml;base64," in page
    clean, _ = nbconvert.HTMLExporter(sanitize_html=True).from_notebook_node(notebook)
    assert "2-way bank conflict" in clean
    text, _ = nbconvert.MarkdownExporter().from_notebook_node(notebook)
    assert "2-way bank conflict" in text


def test_the_tutorial_runs() -> None:
    pytest.importorskip("triton")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(TUTORIAL, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    cards = [
        output["data"]["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert len(cards) >= 4 and all("bank conflict" in card or "global memory" in card or "<pre>" in card for card in cards)
    assert any("data:image/svg+xml" in card for card in cards)
    # Lines of a cell are told as lines of a file are.
    assert any("tl.store(y_ptr" in card for card in cards)
