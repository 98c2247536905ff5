"""Presses Run, and the first fix, of kernels in a headless Chromium on this machine's GPU:
run_card.py CHROMIUM DIST OUT TEXTS [SIDE [BLOCK [KERNEL...]]]

TEXTS is the folder `crates/lab/tests/emitted`. Every kernel of its transposes and reductions (or only those that are named)
is pasted into the page, for SIDE x SIDE floats (4096 without it; a multiple of 32) in blocks of BLOCK x BLOCK (32 without
it), the reductions in blocks of 256. What the page predicts of each and what its run card says is a line of JSON, printed
as soon as it is said; a picture of each is left in OUT. The environment's CHROMIUM_FLAGS take the place of those for a GPU,
as in `--enable-unsafe-webgpu` for one of software.
"""

import json
import os
import sys
import time
import urllib.parse

import chromium

TRANSPOSES = ["copyRow", "copyCol", "naiveRow", "naiveCol", "unrolledRow", "diagonalRow", "tiled", "padded"]
REDUCTIONS = ["divergent", "interleaved", "sequential"]
REDUCTION_THREADS = 256
MOST_SECONDS = 60
# The last of Chromium's flags here are for a GPU.
GPU_FLAGS = 5

SAID = {"adapter": "run-adapter", "verdict": "run-verdict", "results": "run-results", "fault": "run-fault",
        "equal": "run-equal", "prediction": "verdict"}


def part(name):
    return f"document.querySelector('[data-testid={name}]')"


IS_OVER = f"({part('run-again')} !== null && !('running' in {part('run-again')}.dataset))"


def links(texts, side, block):
    """Each kernel and its link, less the page's address."""
    blocks, elements = side // block, side * side
    launches = {
        "transposes": (TRANSPOSES, f"&b={block},{block}&g={blocks},{blocks}&a=nx={side}&a=ny={side}"),
        "reductions": (REDUCTIONS, f"&b={REDUCTION_THREADS}&g={elements // REDUCTION_THREADS}"
                                   f"&s={4 * REDUCTION_THREADS}&a=n={elements}"),
    }
    for name, (kernels, launch) in launches.items():
        with open(os.path.join(texts, f"{name}.cu"), encoding="utf-8") as file:
            text = file.read()
        if name == "transposes":
            text = text.replace("#define BDIMX 32", f"#define BDIMX {block}").replace("#define BDIMY 32", f"#define BDIMY {block}")
        for kernel in kernels:
            yield kernel, f"#k=t.{urllib.parse.quote(text, safe='')}&n={kernel}{launch}&lang=en"


def wait(page, expression):
    """Whether it came true in time."""
    end = time.time() + MOST_SECONDS
    while time.time() < end:
        if page.ask(expression):
            return True
        time.sleep(0.25)
    return False


def press(page, name):
    page.ask(f"{part(name)}?.click()")


def told(page):
    said = {name: page.ask(f"{part(place)}?.innerText ?? ''") for name, place in SAID.items()}
    return {name: words for name, words in said.items() if words}


def run(page, kernel):
    """Runs a kernel, and the first fix of the tiled transpose; says how far it came."""
    is_ready = f"{part('run-open')} !== null && !{part('run-open')}.disabled && !{part('run-card')}.hidden"
    if not wait(page, is_ready):
        return "no card"
    press(page, "run-open")
    if not wait(page, f"{part('run-again')} !== null"):
        return "card did not open"
    if not wait(page, IS_OVER):
        return "run did not end"
    if kernel != "tiled":
        return "run"
    if not wait(page, f"{part('run-fix')} !== null"):
        return "no fix"
    press(page, "run-fix")
    return "fix" if wait(page, f"{part('run-equal')} !== null && {IS_OVER}") else "fix did not end"


def main(program, dist, out, texts, side="4096", block="32", *wanted):
    if flags := os.environ.get("CHROMIUM_FLAGS"):
        chromium.FLAGS[-GPU_FLAGS:] = flags.split()
    origin = chromium.serve(dist)
    os.makedirs(out, exist_ok=True)
    browser = chromium.Browser(program, os.path.join(out, "profile"))
    for kernel, link in links(texts, int(side), int(block)):
        if wanted and kernel not in wanted:
            continue
        began = time.time()
        page = chromium.Page(browser, origin + link)
        came = run(page, kernel)
        row = {"kernel": kernel, "came": came, "seconds": round(time.time() - began, 1), **told(page)}
        print(json.dumps(row, ensure_ascii=False), flush=True)
        page.picture(os.path.join(out, f"{kernel}.png"))
        page.close()
    browser.process.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
