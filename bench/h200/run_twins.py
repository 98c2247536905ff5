"""Times the lab's CUDA twins, emitted, against its own WGSL in a headless Chromium on this machine's GPU:
run_twins.py CHROMIUM TWINS.JSONL

TWINS.JSONL is what `cargo run --release -p lanescope-lab --example twins -- 33554432 4096 json` prints. A row of JSON each:
the microseconds of both, medians of 15 rounds in turn of 40 dispatches a pass by the device's clock, the median of the rounds'
ratios, and whether what one dispatch leaves is equal. The environment's CHROMIUM_FLAGS take the place of those for a GPU,
MOST_SECONDS that of 300.
"""

import json
import os
import shutil
import sys
import tempfile
import time

import chromium

# The last of Chromium's flags are for a GPU.
GPU_FLAGS = 5
MOST_SECONDS = float(os.environ.get("MOST_SECONDS", 300))


def main(program, twins):
    if flags := os.environ.get("CHROMIUM_FLAGS"):
        chromium.FLAGS[-GPU_FLAGS:] = flags.split()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "twins.html"), folder)
        shutil.copy(twins, os.path.join(folder, "twins.jsonl"))
        browser = chromium.Browser(program, os.path.join(folder, "profile"))
        page = chromium.Page(browser, chromium.serve(folder) + "twins.html")
        told, faults, end = 0, 0, time.time() + MOST_SECONDS
        while time.time() < end:
            rows = page.ask("window.rows") or []
            for row in rows[told:]:
                print(json.dumps(row), flush=True)
            told = len(rows)
            for fault in (page.ask("window.faults") or [])[faults:]:
                print(fault, file=sys.stderr, flush=True)
                faults += 1
            if page.ask("window.isOver === true") or faults and not told:
                break
            time.sleep(1)
        else:
            print(f"not over in {MOST_SECONDS} s: {page.ask('window.at')}", file=sys.stderr)
        browser.process.kill()
        browser.process.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
