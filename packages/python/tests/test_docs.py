"""The fences of MkDocs and Sphinx, each built by the program itself."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import lanescope
from lanescope.card import LONGEST_LINK, card

PAGE = "https://example.org/lanescope/"
FENCE = """
# Tiles

- in a list:

    ```lanescope --decl 'float tile[32][32]' --block 32,32
    tile[threadIdx.x][threadIdx.y]
    ```

```lanescope --grid 1 --block 32 --arg n=8
__global__ void k(float *a, int n) {

    a[threadIdx.x * n] = 0;
}
```

```text
lanescope
```
"""
MKDOCS = """
site_name: Tiles
theme: mkdocs
markdown_extensions:
  - lanescope.mkdocs{options}
"""
DIRECTIVE = """
Tiles
=====

.. lanescope:: --decl 'float tile[32][32]' --block 32,32

   tile[threadIdx.x][threadIdx.y]
"""
CONFIGURATION = """
project = "Tiles"
extensions = ["lanescope.sphinx"]
lanescope_page = "{page}"
"""


def mkdocs(folder: Path, text: str, options: str = "") -> tuple[int, str, str]:
    """Exit status, page and messages of a strict build."""
    pytest.importorskip("mkdocs")
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs/index.md").write_text(text)
    (folder / "mkdocs.yml").write_text(MKDOCS.format(options=options))
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"], cwd=folder, capture_output=True, text=True, check=False
    )
    page = folder / "site/index.html"
    return done.returncode, page.read_text() if page.exists() else "", done.stderr


def sphinx(folder: Path, text: str, builder: str = "html", page: str = "") -> tuple[int, str, str]:
    """Exit status, page and messages of a build whose warnings are errors."""
    pytest.importorskip("sphinx")
    (folder / "index.rst").write_text(text)
    (folder / "conf.py").write_text(CONFIGURATION.format(page=page))
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", builder, ".", "built"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    suffix = {"html": "html", "text": "txt", "latex": "tex"}[builder]
    name = "tiles.tex" if builder == "latex" else f"index.{suffix}"
    made = folder / "built" / name
    return done.returncode, made.read_text() if made.exists() else "", done.stderr


def test_mkdocs_draws_fences(tmp_path: Path) -> None:
    status, page, said = mkdocs(tmp_path, FENCE)
    assert status == 0, said
    assert page.count('class="lanescope-card"') == page.count("data:image/svg+xml") == 2
    assert "32-way bank conflict" in page and "<lane-scope" not in page
    # Within its item of the list; and the fence of another language is left alone.
    assert "</div></li>" in page.replace("\n", "").replace("</div> ", "</div>") and "lanescope\n</code>" in page


def test_mkdocs_live(tmp_path: Path) -> None:
    status, page, said = mkdocs(tmp_path, FENCE, f":\n      page: {PAGE}")
    assert status == 0, said
    assert page.count(f'<lane-scope src="{PAGE}#v=1') == 2 and page.count('class="lanescope-card"') == 2


def test_mkdocs_says_what_is_wrong(tmp_path: Path) -> None:
    status, _, said = mkdocs(tmp_path, "```lanescope --decl 'float tile[32]'\nnonsense here\n```\n")
    assert status != 0 and "nonsense here" in said and ":1:" in said


def test_sphinx_draws_directives(tmp_path: Path) -> None:
    status, page, said = sphinx(tmp_path, DIRECTIVE)
    assert status == 0, said
    assert page.count('class="lanescope-card"') == page.count("data:image/svg+xml") == 1
    assert "32-way bank conflict" in page and "<lane-scope" not in page


def test_sphinx_live(tmp_path: Path) -> None:
    status, page, said = sphinx(tmp_path, DIRECTIVE, page=PAGE)
    assert status == 0, said
    assert page.count(f'<lane-scope src="{PAGE}#v=1') == 1


@pytest.mark.parametrize("builder", ["text", "latex"])
def test_sphinx_without_html(tmp_path: Path, builder: str) -> None:
    status, made, said = sphinx(tmp_path, DIRECTIVE, builder)
    assert status == 0, said
    assert "way bank conflict" in made and "1024" in made and "<div" not in made


def test_sphinx_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    status, _, said = sphinx(tmp_path, ".. lanescope:: --no-such\n\n   a[tid]\n")
    assert status != 0 and "index.rst:1" in said and "--no-such" in said


def test_myst_fences(tmp_path: Path) -> None:
    pytest.importorskip("myst_parser")
    (tmp_path / "index.md").write_text("# Tiles\n\n```{lanescope} --decl 'float a[64]'\na[2*tid]\n```\n")
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser", "lanescope.sphinx"]')
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "built"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "2-way bank conflict" in (tmp_path / "built/index.html").read_text()


def test_live_cards() -> None:
    result = lanescope.analyze("a[2*tid]", declarations="float a[64]")
    live = card(result, "https://example.org/lanescope")
    assert live.startswith(f'<script type="module" src="{PAGE}lane-scope.js">')
    assert f'base="{PAGE}"' in live and card(result) in live
    lanescope.live(PAGE)
    try:
        assert result._repr_html_() == live
    finally:
        lanescope.live(None)
    assert result._repr_html_() == card(result) and "<script" not in card(result)
    for page in ("ftp://example.org", 'https://example.org/"onload', "example.org"):
        with pytest.raises(lanescope.LanescopeError):
            lanescope.live(page)


def test_what_no_link_holds_stays_still() -> None:
    pointer = {"bytes": 8, "pointer": {"base_off": 0, "range": 4096, "mod": 0}}
    record = {"kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "arguments": [pointer]}
    kernel = "__global__ void k(float *a) { a[threadIdx.x] = 0; }"
    long = kernel + "// " + random.Random(7).randbytes(LONGEST_LINK).hex()
    trace = lanescope.analyze("instruction,lane0,lane1\nld.shared.b32,0,128\n")
    recorded = lanescope.analyze(kernel, launch=record)
    first = lanescope.analyze(kernel, grid=8, block=32, blocks=1)
    for result in (trace, recorded, first, lanescope.analyze(long, grid=1, block=32)):
        assert card(result, PAGE) == card(result)
    assert card(lanescope.analyze(kernel, grid=1, block=32), PAGE) != card(lanescope.analyze(kernel, grid=1, block=32))
