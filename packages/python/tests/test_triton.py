from __future__ import annotations

from typing import Any

import pytest

import lanescope
from lanescope.tools import find

triton = pytest.importorskip("triton")

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


#: Counters of an H200 on launches of kernels of the same kinds, which Triton 3.6 had compiled: wavefronts of shared loads
#: and stores, requests and sectors of global loads, requests and sectors of global stores.
MEASURED = {
    "scale": (0, 0, 5120, 51200, 3072, 49152),
    "softmax": (5120, 5120, 3072, 49152, 3072, 49152),
    "transpose": (12288, 12288, 3072, 49152, 3072, 49152),
    "gemm of halves": (0, 6144, 6144, 98304, 1536, 24576),
    "gemm of floats": (0, 6144, 61440, 983040, 1536, 24576),
    "normalize": (5120, 5120, 9216, 147456, 3072, 49152),
}


def launched(code: str, name: str) -> lanescope.Result:
    inner, vector = 256, ((COLUMNS,), "float32")
    product = ((ROWS, COLUMNS), "float16")
    if name == "scale":
        return counted(code, kernels.scale, MATRIX, MATRIX, (ROWS, "float32"), COLUMNS, grid=ROWS, BLOCK=1024)
    if name == "softmax":
        return counted(code, kernels.softmax, MATRIX, MATRIX, COLUMNS, grid=ROWS, BLOCK=1024)
    if name == "transpose":
        return counted(code, kernels.transpose, MATRIX, MATRIX, ROWS, COLUMNS, grid=(8, 12), B=64)
    if name == "normalize":
        arguments = (MATRIX, vector, vector, MATRIX, COLUMNS, 1e-5)
        return counted(code, kernels.normalize, *arguments, grid=ROWS, BLOCK=1024)
    element, side = ("float16", 128) if name == "gemm of halves" else ("float32", 64)
    factors = ((ROWS, inner), element), ((inner, COLUMNS), element)
    return counted(
        code,
        kernels.gemm,
        *factors,
        product,
        ROWS,
        COLUMNS,
        inner,
        grid=(ROWS // side, COLUMNS // side),
        BM=side,
        BN=side,
        BK=32,
    )


@pytest.mark.parametrize("name", MEASURED)
def test_totals_are_those_of_the_hardware(code: str, name: str) -> None:
    if not triton.__version__.startswith("3.6."):
        pytest.skip(f"Triton {triton.__version__} may compile otherwise than 3.6, whose code was measured")
    result = launched(code, name)
    assert result.status == "counted", result.reasons
    totals = result.totals
    assert MEASURED[name] == (
        totals.shared_load_wavefronts,
        totals.shared_store_wavefronts,
        totals.global_load_requests,
        totals.global_load_sectors,
        totals.global_store_requests,
        totals.global_store_sectors,
    )


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
