"""What other compilers make: nvcc, cubins and fatbins, Numba. Each test needs its compiler, and no GPU."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

import lanescope
from lanescope.tools import Tool, find, run

TRANSPOSE = """
__global__ void transpose(float *out, const float *in, int n) {
    __shared__ float tile[32][SIDE];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
"""
WARPS = 4 * 4 * 32
MATRIX = lanescope.spec((128, 128), "float32")


@pytest.mark.skipif(os.name != "posix", reason="a shell is needed")
def test_a_tool_that_hangs_ends_with_all_it_has_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f"sleep 1000 & echo $$ $! > {pids}; wait"
    with pytest.raises(lanescope.CompilationError, match="had not ended after"):
        run(["sh", "-c", script], "sh", seconds=0.5)
    time.sleep(0.2)
    for pid in pids.read_text().split():
        stat = Path(f"/proc/{pid}/stat")
        assert not stat.exists() or ") Z" in stat.read_text(), f"process {pid} goes on"


def need(*tools: Tool) -> None:
    for tool in tools:
        if find(tool) is None:
            pytest.skip(f"no {tool}: pip install lanescope[nvcc]")


def counted(side: int, **options: object) -> lanescope.Result:
    need("nvcc", "nvdisasm")
    return lanescope.cuda(
        TRANSPOSE,
        compile=True,
        grid=(4, 4),
        block=(32, 32),
        arguments=[MATRIX, MATRIX, 128],
        defines={"SIDE": side},
        **options,  # type: ignore[arg-type]
    )


def check(result: lanescope.Result, ways: int) -> None:
    """By the definition: a column of 32 rows lies in one bank, a row in all; rows of 128 bytes are four sectors."""
    assert result.status == "counted", result.reasons
    totals = result.totals
    assert result.max_ways == ways
    assert totals.shared_load_wavefronts == WARPS * ways and totals.shared_store_wavefronts == WARPS
    assert totals.global_load_sectors == totals.global_store_sectors == WARPS * 4


@pytest.mark.parametrize(("target", "device"), [("sm_80", "cc8.0"), ("sm_90", "cc9.0"), ("sm_100", "cc10.x")])
def test_nvcc(target: str, device: str) -> None:
    result = counted(32, target=target)
    check(result, 32)
    assert result.device == device
    worst = max(result.lines, key=lambda line: line.ways)
    assert (worst.line, worst.text) == (7, TRANSPOSE.splitlines()[6].strip())
    assert result.compiled is not None and "STS" in result.compiled and "/tmp" not in result.compiled
    check(counted(33, target=target), 1)


def test_nvcc_takes_files_and_flags(tmp_path: Path) -> None:
    need("nvcc", "nvdisasm")
    (tmp_path / "side.h").write_text("#define SIDE 33\n")
    source = tmp_path / "transpose.cu"
    source.write_text('#include "side.h"\n' + TRANSPOSE)
    result = lanescope.cuda(
        source, compile=True, flags=["-O1"], grid=(4, 4), block=(32, 32), arguments={"0": MATRIX, "1": MATRIX, "2": 128}
    )
    check(result, 1)
    assert {line.file for line in result.lines} == {str(source)}


def test_nvcc_refuses() -> None:
    need("nvcc")
    with pytest.raises(lanescope.CompilationError, match=r"kernel\.cu\(1\)"):
        lanescope.cuda("__global__ void k(float *a) { a[b] = 0; }", compile=True, block=32)


def test_cubins_and_fatbins(tmp_path: Path) -> None:
    need("nvcc", "nvdisasm", "cuobjdump")
    source = tmp_path / "transpose.cu"
    source.write_text(TRANSPOSE + "__global__ void other(float *a) { a[threadIdx.x] = 0; }\n")
    launch = {"grid": (4, 4), "block": (32, 32), "arguments": [MATRIX, MATRIX, 128]}
    for form in ("cubin", "fatbin"):
        made = tmp_path / f"transpose.{form}"
        command = [str(find("nvcc")), "-arch=sm_90", f"-{form}", "-DSIDE=32", "-o", str(made), str(source)]
        subprocess.run(command, check=True)
        for code in (made, str(made), made.read_bytes()):
            check(lanescope.cubin(code, kernel="transpose", launch=launch), 32)
        other = lanescope.cubin(made, kernel="other", grid=1, block=32, arguments=[MATRIX])
        assert other.totals.global_store_sectors == 4


def test_what_is_no_cubin_is_refused(tmp_path: Path) -> None:
    for code in (b"", b"\x7fELF", b"MZ" * 100, tmp_path / "none.cubin"):
        with pytest.raises(lanescope.LanescopeError):
            lanescope.cubin(code, grid=1, block=32)


def test_numba() -> None:
    pytest.importorskip("numba.cuda", reason="Numba is not installed: pip install lanescope[numba]")
    import numba_kernels

    result = lanescope.numba(numba_kernels.transpose, MATRIX, MATRIX, grid=(4, 4), block=(32, 32))
    check(result, 32)
    worst = max(result.lines, key=lambda line: line.ways)
    assert worst.file == numba_kernels.__file__ and "tile[" in worst.text


def test_numba_takes_plain_functions_and_numbers() -> None:
    pytest.importorskip("numba.cuda", reason="Numba is not installed: pip install lanescope[numba]")
    import numba_kernels

    array = ((4096,), "float32")
    result = lanescope.numba(numba_kernels.scaled, array, array, 2.5, 96, grid=1, block=128)
    assert result.status == "counted", result.reasons
    assert (result.totals.global_load_sectors, result.totals.global_store_sectors) == (3 * 8, 3 * 4)
    with pytest.raises(lanescope.LanescopeError):
        lanescope.numba(numba_kernels.scaled, array, array, "n", 96, grid=1, block=128)
    with pytest.raises(lanescope.CompilationError):
        lanescope.numba(lambda out: out.nothing(), array, grid=1, block=32)
