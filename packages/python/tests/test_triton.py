from __future__ import annotations

from typing import Any

import pytest

import lanescope
from lanescope.tools import find

pytest.importorskip("triton")

import kernels  # noqa: E402

pytestmark = pytest.mark.parametrize("code", ["sass", "ptx"])

ROWS, COLUMNS = 512, 768
MATRIX = ((ROWS, COLUMNS), "float32")
#: Sectors of the whole matrix, and requests of it where each lane moves 16 bytes.
SECTORS = ROWS * COLUMNS * 4 // 32


@pytest.fixture(autouse=True)
def disassembler(code: str) -> None:
    if code == "sass" and find("nvdisasm") is None:
        pytest.skip("no nvdisasm")


def counted(code: Any, kernel: Any, *args: Any, **constants: Any) -> lanescope.Result:
    return lanescope.triton(kernel, *args, code=code, **constants)


def test_scale(code: str) -> None:
    result = counted(code, kernels.scale, MATRIX, MATRIX, (ROWS, "float32"), COLUMNS, grid=ROWS, BLOCK=1024)
    assert result.status == "counted", result.reasons
    totals = result.totals
    # The matrix once in and once out; the factor one sector for each of four warps of a row.
    assert totals.global_store_sectors == SECTORS
    assert totals.global_load_sectors == SECTORS + 4 * ROWS
    assert totals.wavefronts == 0
    assert result.lines[0].file is not None and result.lines[0].file.endswith("kernels.py")
    assert "tl.load(" in result.lines[0].text


def test_softmax(code: str) -> None:
    result = counted(code, kernels.softmax, MATRIX, MATRIX, COLUMNS, grid=(ROWS,), BLOCK=1024)
    assert result.status == "counted", result.reasons
    assert result.totals.global_load_sectors == result.totals.global_store_sectors == SECTORS
    assert result.totals.shared_load_wavefronts > 0 and result.conflicts == 0


def test_transpose(code: str) -> None:
    grid = lambda meta: (ROWS // meta["B"], COLUMNS // meta["B"])  # noqa: E731
    result = counted(code, kernels.transpose, MATRIX, MATRIX, ROWS, COLUMNS, grid=grid, B=64)
    assert result.status == "counted", result.reasons
    assert result.grid == (8, 12, 1) and result.block == (128, 1, 1)
    assert result.totals.global_load_sectors == result.totals.global_store_sectors == SECTORS
    # Through shared memory once in and once out, and without a conflict.
    assert result.totals.shared_load_wavefronts >= SECTORS * 32 // 128
    assert {line.file for line in result.lines} == {kernels.__file__}


def test_autotune(code: str) -> None:
    configs = [{"B": 32, "num_warps": 4}, {"B": 64, "num_warps": 4}]
    report = lanescope.autotune_report(
        kernels.transpose,
        configs,
        MATRIX,
        MATRIX,
        ROWS,
        COLUMNS,
        grid=lambda meta: (ROWS // meta["B"], COLUMNS // meta["B"]),
        code=code,
    )
    assert len(report.rows) == 2 and not report.failed
    assert report.rows[0].cost <= report.rows[1].cost
    assert report.best.config in configs
    assert "wavefronts" in str(report)


def test_what_makes_no_sense_is_refused(code: str) -> None:
    for args, constants in (
        ((MATRIX,), {"BLOCK": 1024}),
        ((MATRIX, MATRIX, COLUMNS), {"BLOCK": 1024, "WARPS": 4}),
        ((MATRIX, MATRIX, "n"), {"BLOCK": 1024}),
        ((MATRIX, MATRIX, COLUMNS), {"BLOCK": 1000}),
    ):
        with pytest.raises(lanescope.LanescopeError):
            counted(code, kernels.softmax, *args, grid=ROWS, **constants)
