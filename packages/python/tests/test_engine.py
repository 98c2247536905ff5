"""One engine: the module and the command line give the same totals, lines, reasons and sentence of measured kernels."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import lanescope

GOLDEN = Path(__file__).parents[3] / "tests" / "golden"
SAME = ("totals", "lines", "verdict", "status", "reasons")

pytestmark = pytest.mark.skipif(not GOLDEN.is_dir(), reason="the measured kernels are in the repository alone")


def kernels() -> list[dict[str, Any]]:
    """All kernels of the two small sets, and each eighth of the large one: the command line starts anew for each."""
    sets = (("h200_kernels.json", 1), ("h200_apart_kernels.json", 1), ("h200_more_kernels.json", 8))
    return [entry for name, step in sets for entry in json.loads((GOLDEN / name).read_text())[::step]]


def arguments(entry: dict[str, Any]) -> dict[str, str]:
    pairs = (one.replace(":", "=", 1).partition("=") for one in entry["arguments"].split())
    return {name: value for name, _, value in pairs}


def of_command_line(entry: dict[str, Any]) -> dict[str, Any]:
    def extent(key: str) -> str:
        return ",".join(map(str, entry[key]))

    command = [sys.executable, "-m", "lanescope", "kernel", str(GOLDEN / entry["file"]), "--format", "json"]
    command += ["--kernel", entry.get("launch", entry["kernel"]), "--grid", extent("grid"), "--block", extent("block")]
    command += ["--dynamic-shared", str(entry.get("dynamic_shared_bytes", 0))]
    for name, value in arguments(entry).items():
        command += ["--arg", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def of_module(entry: dict[str, Any]) -> dict[str, Any]:
    result = lanescope.analyze(
        GOLDEN / entry["file"],
        kernel=entry.get("launch", entry["kernel"]),
        grid=tuple(entry["grid"]),
        block=tuple(entry["block"]),
        dynamic_shared_bytes=entry.get("dynamic_shared_bytes", 0),
        arguments=arguments(entry),
    )
    return dict(result._raw)


def difference(entry: dict[str, Any]) -> str | None:
    printed, given = of_command_line(entry), of_module(entry)
    apart = [key for key in SAME if printed.get(key) != given.get(key)]
    return f"{entry['kernel']}: {', '.join(apart)}" if apart else None


def test_the_module_says_what_the_command_line_says() -> None:
    with ThreadPoolExecutor(2) as pool:
        compared = list(pool.map(difference, kernels()))
    assert len(compared) > 100
    assert [one for one in compared if one] == []
