"""Cards in JupyterLab itself, in Chromium. Needs JupyterLab, Playwright for Python and Chromium (or Chrome) on PATH."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lanescope

pytest.importorskip("jupyterlab")
nbformat = pytest.importorskip("nbformat")
playwright = pytest.importorskip("playwright.sync_api")

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if BROWSER is None:
    pytest.skip("no Chromium", allow_module_level=True)

ELEMENT = Path(__file__).parents[2] / "element/lane-scope.js"
#: In place of the page: it says how high it is, as the page does.
EMBED = """<!doctype html><title>embed</title><p id="live">live</p>
<script>parent.postMessage({ type: "lanescope", v: 1, height: 444 }, "*")</script>"""
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
QUESTION = """lanescope.analyze("tile[tx][ty]", declarations="float tile[32][32]", block=(32, 32))"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is published: of a build (``LANESCOPE_DIST``), else the true element with a frame that answers."""
    built = os.environ.get("LANESCOPE_DIST")
    folder = Path(built) if built else tmp_path_factory.mktemp("site")
    if not built:
        shutil.copy(ELEMENT, folder)
        (folder / "embed.html").write_text(EMBED)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            # As static hosts do: a module of another origin is loaded only then.
            self.send_header("Access-Control-Allow-Origin", "*")
            super().end_headers()

        def log_message(self, *said: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, site: str) -> Iterator[tuple[str, Path]]:
    """A JupyterLab of its own, and its folder with the notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    new = nbformat.v4
    for name, first in (("still", ""), ("live", f"lanescope.live({site!r})\n")):
        cell = new.new_code_cell(f"import lanescope\n{first}{QUESTION}")
        nbformat.write(new.new_notebook(cells=[cell], metadata=KERNEL), folder / f"{name}.ipynb")
    # Somebody else's: its output is there and not trusted.
    output = new.new_output("execute_result", {"text/html": lanescope_card()}, execution_count=1)
    foreign = new.new_code_cell(QUESTION, outputs=[output], execution_count=1)
    nbformat.write(new.new_notebook(cells=[foreign], metadata=KERNEL), folder / "foreign.ipynb")
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder}", "--LabApp.news_url=", "--expose-app-in-browser"]
    home = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTERLAB_WORKSPACES_DIR", "JUPYTER_RUNTIME_DIR")}
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env={**os.environ, **home})
    try:
        address = f"http://127.0.0.1:{port}/"
        wait_for(f"{address}api", process)
        yield address, folder
    finally:
        process.terminate()
        process.wait(30)


def lanescope_card() -> str:
    result = lanescope.analyze("tile[tx][ty]", declarations="float tile[32][32]", block=(32, 32))
    return result._repr_html_()


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "JupyterLab ended"
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("JupyterLab does not answer")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as program:
        one = program.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield one
        one.close()


def opened(browser: Any, address: str, name: str) -> Any:
    page = browser.new_page(viewport={"width": 1300, "height": 1400})
    page.set_default_timeout(120_000)
    page.goto(f"{address}lab/tree/{name}.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell")
    return page


def run_all(page: Any) -> None:
    """Every cell, once the kernel is there."""
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")


def shot(page: Any, name: str) -> None:
    """A picture for people, where ``LANESCOPE_SHOTS`` names a folder."""
    folder = os.environ.get("LANESCOPE_SHOTS")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png")


def is_painted(page: Any) -> bool:
    """Whether the picture of the card is there and decoded."""
    image = page.wait_for_selector(".jp-OutputArea-output .lanescope-card img, .jp-OutputArea-output img")
    painted: bool = image.evaluate("async (one) => { await one.decode(); return one.naturalWidth > 500 && one.alt.length > 10; }")
    return painted


def test_a_cell_shows_the_card(browser: Any, lab: tuple[str, Path]) -> None:
    page = opened(browser, lab[0], "still")
    run_all(page)
    assert is_painted(page)
    assert "32-way bank conflict" in page.inner_text(".jp-OutputArea-output")
    shot(page, "jupyterlab-still")


def test_an_untrusted_notebook_keeps_the_still(browser: Any, lab: tuple[str, Path]) -> None:
    page = opened(browser, lab[0], "foreign")
    assert is_painted(page)
    assert "32-way bank conflict" in page.inner_text(".jp-OutputArea-output")
    shot(page, "jupyterlab-untrusted")


def test_a_cell_shows_the_live_card(browser: Any, lab: tuple[str, Path]) -> None:
    page = opened(browser, lab[0], "live")
    run_all(page)
    page.wait_for_selector(".jp-OutputArea-output lane-scope")
    page.wait_for_function(
        "document.querySelector('.jp-OutputArea-output lane-scope').shadowRoot?.querySelector('.box.live > iframe') != null"
    )
    assert not page.is_visible(".jp-OutputArea-output .lanescope-card")
    shot(page, "jupyterlab-live")
