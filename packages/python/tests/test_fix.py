"""Fixes of a source: with its compiled code beside it, and compiled by nvcc. No test needs a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

import lanescope
from lanescope.tools import Tool, find

TURN = """__global__ void turn(float* out, const float* in, int n) {
    __shared__ float tile[32][32];
    __shared__ float row[32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    if (threadIdx.y == 0) row[threadIdx.x] = in[x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y] + row[threadIdx.y];
}
"""
SHAPE = {"grid": (4, 4), "block": (32, 32), "arguments": {"n": 128}}
#: Warps of the launch: each stores a row of 32 words, and loads a column of 32 in one bank.
WARPS = 4 * 4 * 32
#: What nvcc makes of line 8, cut to it: each warp loads one column. Written by hand.
LISTING = """
\t.target\tsm_90
.text._Z4turnPfPKfi:
\t//## File "/home/me/turn.cu", line 5
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/                   S2R R1, SR_TID.Y ;
        /*0020*/                   IMAD R2, R1, 0x20, R0 ;
        /*0030*/                   SHF.L.U32 R2, R2, 0x2, RZ ;
        /*0040*/                   STS [R2], R0 ;
\t//## File "/home/me/turn.cu", line 8
        /*0050*/                   IMAD R3, R0, 0x20, R1 ;
        /*0060*/                   SHF.L.U32 R3, R3, 0x2, RZ ;
        /*0070*/                   LDS R4, [R3] ;
        /*0080*/                   EXIT ;
"""


def need(*tools: Tool) -> None:
    for tool in tools:
        if find(tool) is None:
            pytest.skip(f"no {tool}: pip install lanescope[nvcc]")


def test_fixes_of_a_source() -> None:
    found = lanescope.fix(TURN, **SHAPE)  # type: ignore[arg-type]
    assert 1 <= found.blocks <= 16 and found.costliest is None and found.sass is None
    first = found[0]
    assert len(found) == len(found.fixes) > 1 and list(found) == list(found.fixes)
    assert first.source == "tile[32][33]" and "float tile[32][33];" in first.changed
    assert first.shared_bytes == (32 * 32 * 4 + 128, 32 * 33 * 4 + 128)
    assert first.blocks_per_sm[0] is not None and first.blocks_per_sm[0] >= (first.blocks_per_sm[1] or 0)
    assert first.sass is None and first.launch == {}


def test_compiled_code_names_its_costliest_line(tmp_path: Path) -> None:
    beside = lanescope.fix(LISTING, source=TURN, **SHAPE)  # type: ignore[arg-type]
    line = beside.costliest
    assert line is not None and line.line == 8
    assert line.wavefronts == (WARPS * 32, WARPS) and line.sectors == (0, 0)
    assert beside[0].array == "tile"
    # As files: the source by its name, which the code names too.
    source, code = tmp_path / "turn.cu", tmp_path / "turn.sass"
    source.write_text(TURN)
    code.write_text(LISTING)
    assert lanescope.fix(code, source=source, **SHAPE).costliest == line  # type: ignore[arg-type]
    assert lanescope.fix(str(code), source=str(source), **SHAPE) == beside  # type: ignore[arg-type]


def test_the_launch_of_compiled_code_is_its_sources() -> None:
    launched = TURN + "int main() { turn<<<dim3(2, 2), dim3(32, 32)>>>(nullptr, nullptr, 64); }\n"
    line = lanescope.fix(LISTING, source=launched).costliest
    assert line is not None and line.wavefronts[0] == 2 * 2 * 32 * 32


def test_what_cannot_be_set_beside_a_source_is_said(tmp_path: Path) -> None:
    with pytest.raises(lanescope.LanescopeError, match="-lineinfo"):
        lanescope.fix(LISTING.replace("//## File", "// file"), source=TURN, **SHAPE)  # type: ignore[arg-type]
    other = tmp_path / "other.cu"
    other.write_text(TURN)
    with pytest.raises(lanescope.LanescopeError, match="other.cu"):
        lanescope.fix(LISTING, source=other, **SHAPE)  # type: ignore[arg-type]
    both = LISTING.replace('turn.cu", line 5', 'load.cuh", line 5')
    with pytest.raises(lanescope.LanescopeError, match="several files"):
        lanescope.fix(both, source=TURN, **SHAPE)  # type: ignore[arg-type]
    for compiled in (LISTING, b"\x7fELF"):
        with pytest.raises(lanescope.LanescopeError, match="as `source`"):
            lanescope.fix(compiled)
    with pytest.raises(lanescope.LanescopeError, match="beside its source"):
        lanescope.fix(TURN, source=TURN)
    with pytest.raises(lanescope.LanescopeError, match="leave out `compile`"):
        lanescope.fix(LISTING, source=TURN, compile=True)


def test_nvcc_compiles_each_fix(tmp_path: Path) -> None:
    need("nvcc", "nvdisasm")
    source = tmp_path / "turn.cu"
    source.write_text('#include "shape.h"\n' + TURN.replace("tile[32][32]", "tile[ROWS][32]"))
    (tmp_path / "shape.h").write_text("#define ROWS 32\n")
    found = lanescope.fix(source, compile=True, **SHAPE)  # type: ignore[arg-type]
    now = found.sass
    # A column of 32 rows lies in one bank; `row` is stored by one warp of 32 and read at one word.
    assert now is not None and now.wavefronts == WARPS + 16 + WARPS * 32 + WARPS
    first = found[0].sass
    assert first is not None and first.wavefronts == WARPS + 16 + WARPS + WARPS
    assert first.sectors == now.sectors
    assert first.instructions is not None and first.integer_instructions is not None
    assert 0 < first.integer_instructions < first.instructions
    for one in found:
        assert one.sass is None or one.sass.wavefronts < now.wavefronts


def test_an_object_with_its_source_beside(tmp_path: Path) -> None:
    need("nvcc", "nvdisasm")
    from lanescope.tools import run

    source, code = tmp_path / "turn.cu", tmp_path / "turn.cubin"
    source.write_text(TURN)
    run(["nvcc" if find("nvcc") is None else str(find("nvcc")), "-arch=sm_90", "-lineinfo", "-cubin", "-o", code, source], "nvcc")
    for given in (code, code.read_bytes()):
        line = lanescope.fix(given, source=source, **SHAPE).costliest  # type: ignore[arg-type]
        assert line is not None and line.line == 8 and line.wavefronts[0] == WARPS * 33
