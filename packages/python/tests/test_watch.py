from __future__ import annotations

import json

import numpy as np
import pytest

import lanescope

triton = pytest.importorskip("triton")

import kernels  # noqa: E402

ROWS, COLUMNS = 512, 768
MATRIX = lanescope.spec((ROWS, COLUMNS))
WIDE = lanescope.spec((ROWS, 2 * COLUMNS))
ROW = lanescope.spec(ROWS)


def has_gpu() -> bool:
    try:
        from triton.runtime.driver import driver

        driver.active.get_current_target()
    except Exception:
        return False
    return True


pytestmark = pytest.mark.skipif(has_gpu(), reason="arguments that need not exist do not run")


def program() -> str:
    for _ in range(3):
        kernels.scale[(ROWS,)](MATRIX, MATRIX, ROW, COLUMNS, BLOCK=1024)
    kernels.scale[(ROWS,)](WIDE, WIDE, ROW, 2 * COLUMNS, BLOCK=2048)
    kernels.softmax[(ROWS,)](MATRIX, MATRIX, COLUMNS, BLOCK=1024)
    kernels.transpose[lambda meta: (ROWS // meta["B"], COLUMNS // meta["B"])](MATRIX, MATRIX, ROWS, COLUMNS, B=64)
    return "done"


def test_every_launch_is_counted_by_kernel_and_shape() -> None:
    with lanescope.watch() as w:
        assert program() == "done"
    assert [(one.name, one.times, one.grid) for one in w.launches] == [
        ("scale", 3, (ROWS, 1, 1)),
        ("scale", 1, (ROWS, 1, 1)),
        ("softmax", 1, (ROWS, 1, 1)),
        ("transpose", 1, (8, 12, 1)),
    ]
    report = w.report()
    assert not report.ran
    alone = lanescope.triton(kernels.scale, MATRIX, MATRIX, ROW, COLUMNS, grid=ROWS, BLOCK=1024)
    [scaled] = [row for row in report.to_dict() if row["launches"] == 3]
    assert scaled["sectors"] == alone.totals.sectors and scaled["status"] == alone.status
    assert scaled["arguments"].startswith("x_ptr=float32[512, 768] y_ptr=float32[512, 768]")
    costs = [row.cost for row in report.rows]
    assert costs == sorted(costs, reverse=True) and costs[-1] > 0
    assert "softmax" in str(report) and "No GPU" in str(report) and "<pre>" in report._repr_html_()
    assert json.loads(report.to_json()) == report.to_dict()


def test_a_function_is_watched_and_the_launcher_is_as_it_was() -> None:
    from triton.runtime.jit import JITFunction

    before = JITFunction.run
    watched = lanescope.watch(program)
    assert watched() == "done" and watched() == "done"
    assert [one.times for one in watched.watch.launches] == [6, 2, 2, 2]
    assert JITFunction.run is before
    with pytest.raises(ZeroDivisionError), lanescope.watch():
        _ = 1 // 0
    assert JITFunction.run is before


def test_of_an_autotuned_kernel_the_cheapest_configuration_counts() -> None:
    configs = [triton.Config({"B": width}, num_warps=4) for width in (16, 64)]
    tuned = triton.autotune(configs=configs, key=["rows"])(kernels.transpose)
    with lanescope.watch() as w:
        tuned[lambda meta: (ROWS // meta["B"], COLUMNS // meta["B"])](MATRIX, MATRIX, ROWS, COLUMNS)
    [launch] = w.launches
    report = lanescope.autotune_report(
        kernels.transpose, configs, MATRIX, MATRIX, ROWS, COLUMNS,
        grid=lambda meta: (ROWS // meta["B"], COLUMNS // meta["B"]),
    )
    assert launch.arguments["B"] == min(report.rows, key=lambda row: sum(row.cost)).config["B"]


def test_what_cannot_be_launched_is_said_first() -> None:
    with lanescope.watch(), pytest.raises(lanescope.LanescopeError, match="no parameter `BLOK`"):
        kernels.softmax[(ROWS,)](MATRIX, MATRIX, COLUMNS, BLOCK=1024, BLOK=2)
    with pytest.raises(lanescope.LanescopeError, match="gfx942"):
        lanescope.triton(kernels.softmax, MATRIX, MATRIX, COLUMNS, grid=ROWS, target="gfx942", BLOCK=1024)


def test_what_arrays_hold_at_their_first_launch_is_kept() -> None:
    at = np.arange(0, 8 * 128, 8, dtype=np.int32)
    with lanescope.watch() as w:
        kernels.gather[(1,)](lanescope.spec(4096), at, lanescope.spec(128), BLOCK=128)
        at[:] = 0
        kernels.gather[(1,)](lanescope.spec(4096), at, lanescope.spec(128), BLOCK=128)
    [row] = w.report().to_dict()
    # 128 words, each in a sector of its own; 128 indices one behind the other; 128 results.
    assert (row["launches"], row["status"], row["sectors"]) == (2, "counted", 128 + 16 + 16)
