from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanescope

TRANSPOSE = textwrap.dedent(
    """
    __global__ void transpose(float *out, const float *in, int n) {
        __shared__ float tile[32][32];
        int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
        __syncthreads();
        out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    }
    """
)
LAUNCH = {"grid": (4, 4), "block": (32, 32), "arguments": {"n": 128}}

PTX = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry copy(.param .u64 copy_param_0, .param .u64 copy_param_1)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<8>;
    .reg .f32 %f<2>;
    ld.param.u64 %rd1, [copy_param_0];
    ld.param.u64 %rd2, [copy_param_1];
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd5, %r1, 8;
    add.s64 %rd6, %rd3, %rd5;
    ld.global.f32 %f1, [%rd6];
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd7, %rd4, %rd5;
    st.global.f32 [%rd7], %f1;
    ret;
}
"""


def test_an_expression() -> None:
    result = lanescope.analyze(
        "tile[threadIdx.x][threadIdx.y]", declarations="float tile[32][32]", block=(32, 32)
    )
    assert (result.status, result.exact, result.max_ways) == ("counted", True, 32)
    assert result.totals.shared_load_wavefronts == 1024
    assert result.lines[0].ways == 32
    assert result.verdict.startswith("32-way bank conflict on line 1")
    padded = lanescope.analyze("tile[threadIdx.x][threadIdx.y]", declarations="float tile[32][33]", block=(32, 32))
    assert padded.max_ways == 1 and padded.conflicts == 0


def test_a_kernel_its_fix_and_its_picture() -> None:
    result = lanescope.analyze(TRANSPOSE, launch=LAUNCH)
    assert result.kernel == "transpose" and result.grid == (4, 4, 1)
    assert result.totals.shared_load_wavefronts == 16 * 32 * 32
    assert result.totals.global_store_sectors == 128 * 128 * 4 // 32
    assert result.compiled is None
    fixes = result.fixes
    assert fixes and any("33" in fix.changed for fix in fixes)
    mended = lanescope.analyze(fixes[0].changed, launch=LAUNCH)
    assert mended.conflicts == 0
    layout = fixes[0].layouts[0]
    assert layout.array == "tile" and layout.cute_dsl == "cute.make_layout((32, 32), stride=(33, 1))"
    lanescope.assert_conflict_free(f"type f32; {layout.cute}", "load column", "store row")
    assert result.svg().startswith("<svg")
    assert lanescope.analyze(result.link("https://example.org/")).totals == result.totals


def test_a_file_and_what_it_includes(tmp_path: Path) -> None:
    (tmp_path / "side.h").write_text("#define SIDE 33\n")
    source = tmp_path / "t.cu"
    source.write_text('#include "side.h"\n' + TRANSPOSE.replace("tile[32][32]", "tile[32][SIDE]"))
    assert lanescope.analyze(source, launch=LAUNCH).conflicts == 0
    assert lanescope.analyze(str(source), launch=LAUNCH).conflicts == 0


def test_as_written_and_as_compiled() -> None:
    assert lanescope.analyze(TRANSPOSE, launch=LAUNCH, compiler="none").totals.shared_load_wavefronts == 16384
    amd = lanescope.analyze(TRANSPOSE, launch=LAUNCH, device="cdna3")
    assert any("no compiler" in note for note in amd.notes)


def test_wgsl() -> None:
    shader = """
        var<workgroup> tile: array<f32, 1024>;
        @group(0) @binding(0) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_id) id: vec3u) {
            out[id.x] = tile[id.x * 32u];
        }"""
    result = lanescope.analyze(shader)
    assert result.max_ways == 32 and result.block == (32, 1, 1)
    halved = lanescope.analyze(shader, block=16)
    assert halved.max_ways == 16 and halved.block == (16, 1, 1)
    assert any("where the text says (32, 1, 1)" in note for note in halved.notes)


def test_ptx_by_position() -> None:
    result = lanescope.analyze(PTX, grid=2, block=64, arguments=["f32[4096]", np.zeros(4096, dtype=np.float32)])
    assert result.status == "counted"
    assert (result.totals.global_load_requests, result.totals.global_load_sectors) == (4, 32)
    assert result.totals.global_store_sectors == 16
    assert {one.op for one in result.accesses} == {"global_load", "global_store"}
    assert result.compiled == PTX
    assert result.worst is not None and result.worst.space == "global"
    assert result.worst.addresses[1] - result.worst.addresses[0] == 8


def test_a_recorded_launch(tmp_path: Path) -> None:
    pointer = {"bytes": 8, "pointer": {"base_off": 0, "range": 65536, "mod": 0}}
    record = {
        "kernel": "transpose",
        "grid": [4, 4, 1],
        "block": [32, 32, 1],
        "arguments": [pointer, pointer, {"bytes": 4, "hex": "80000000"}],
    }
    expected = lanescope.analyze(TRANSPOSE, launch=LAUNCH).totals
    assert lanescope.analyze(TRANSPOSE, launch=record).totals == expected
    file = tmp_path / "launches.jsonl"
    file.write_text(f"{json.dumps(record)}\n{json.dumps(record)}\n")
    assert lanescope.analyze(TRANSPOSE, launch=f"{file}#2").totals == expected


def test_a_layout_and_a_trace() -> None:
    layout = lanescope.analyze("Swizzle<3,3,3> o (16,64):(64,1)", access="ldmatrix.x4")
    assert [line.wavefronts for line in layout.lines] == [8]
    trace = lanescope.analyze("instruction,lane0,lane1\nld.shared.b32,0,128\nld.shared.b32,0,4\n")
    assert [line.ways for line in trace.lines] == [2, 1]
    assert trace.totals.shared_load_wavefronts == 3
    with pytest.raises(lanescope.LanescopeError):
        trace.svg()


def test_what_is_assumed_is_said() -> None:
    kernel = "__global__ void k(float *a, const int *at) { a[at[threadIdx.x]] = 0; }"
    result = lanescope.analyze(kernel, grid=1, block=32)
    assert result.status == "assumed" and not result.exact
    assert "contents" in {reason.code for reason in result.reasons}


def test_a_kernel_without_results_is_counted_under_a_condition() -> None:
    kernel = "__global__ void k(const float *a) { __shared__ float s[1024]; s[threadIdx.x * 32] = a[threadIdx.x]; }"
    result = lanescope.analyze(kernel, grid=1, block=32)
    assert result.status == "assumed" and not result.exact
    assert [reason.code for reason in result.reasons][0] == "no-result"
    assert "no-result" in {one.code for one in result.diagnostics}
    assert result.totals.shared_store_wavefronts == 32
    kept = kernel.replace("const float *a", "float *a").replace("; }", "; __syncthreads(); a[threadIdx.x] = s[992]; }")
    assert "no-result" not in {one.code for one in lanescope.analyze(kept, grid=1, block=32).reasons}


def test_ptx_that_its_assembler_may_change_is_predicted() -> None:
    load = "ld.global.f32 %f1, [%rd6];"
    shared = PTX.replace(".reg .f32 %f<2>;", ".reg .f32 %f<4>; .shared .align 4 .b8 tile[512];").replace(
        load,
        "ld.global.f32 %f3, [%rd6]; mov.u32 %r2, tile; ld.shared.f32 %f2, [%r2]; ld.shared.f32 %f1, [%r2]; "
        "add.f32 %f1, %f1, %f3;",
    )
    given = {"grid": 1, "block": 32, "arguments": ["f32[64]", "f32[32]"]}
    result = lanescope.analyze(shared, **given)  # type: ignore[arg-type]
    assert (result.status, result.exact) == ("predicted", False)
    assert "assembler-choice" in {one.code for one in result.diagnostics}
    parted = shared.replace("ld.shared.f32 %f2, [%r2];", "")
    assert lanescope.analyze(parted, **given).status == "counted"  # type: ignore[arg-type]


def test_a_fault_names_array_overflow_and_guess() -> None:
    kernel = "__global__ void k(const float *a, float *b, int m) { b[threadIdx.x] = a[(threadIdx.x + 50000) * m]; }"
    kernel = kernel.replace("(threadIdx.x + 50000)", "((int)threadIdx.x + 50000)")
    result = lanescope.analyze(kernel, arguments={"m": 50000, "a": 4096})
    codes = [one.code for one in result.diagnostics]
    assert codes.index("guessed-launch") < codes.index("out-of-bounds")
    fault = result.diagnostics[codes.index("out-of-bounds")].message
    assert "`int` overflow in the index (2500000000 becomes -1794967296)" in fault and "`a`" in fault
    assert result.verdict.startswith("guessed launch (")


def test_errors_have_a_place() -> None:
    with pytest.raises(lanescope.SourceError) as caught:
        lanescope.analyze("nonsense here", declarations="float tile[32]")
    assert caught.value.line == 1 and caught.value.diagnostics
    partly = lanescope.analyze("tile[threadIdx.x", declarations="float tile[32]")
    assert partly.status == "partial" and (partly.diagnostics[0].line, partly.diagnostics[0].column) == (1, 17)
    for question in (
        {"device": "cc99.0"},
        {"block": 0},
        {"launch": {"threads": 32}},
        {"arguments": {"n": object()}},
        {"arguments": [1]},
    ):
        with pytest.raises(lanescope.LanescopeError):
            lanescope.analyze(TRANSPOSE, **question)  # type: ignore[arg-type]
    with pytest.raises(lanescope.LanescopeError):
        lanescope.analyze(Path("no such file.cu"))


def test_plain_data() -> None:
    result = lanescope.analyze("a[2*tid]", declarations="float a[64]")
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain["totals"]["shared_load_wavefronts"] == 2
    assert plain["lines"][0]["ways"] == 2
    assert "2-way" in str(result)


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = lanescope.analyze("a[2*tid]", declarations="float a[64]").to_pandas()
    assert list(frame["ways"]) == [2]


def test_the_card() -> None:
    card = lanescope.analyze("a[2*tid]", declarations="float a[64]")._repr_html_()
    assert "2-way bank conflict" in card and "data:image/svg+xml" in card and "<script" not in card
    assert "&lt;" in lanescope.analyze("a[tid < 4 ? 0 : 1]", declarations="float a[64]")._repr_html_()


def test_assertions_print_the_fix() -> None:
    lanescope.assert_conflict_free(
        lanescope.analyze("tile[tx][ty]", declarations="float tile[32][33]", block=(32, 32))
    )
    result = lanescope.analyze(TRANSPOSE, launch=LAUNCH)
    with pytest.raises(AssertionError) as caught:
        lanescope.assert_conflict_free(result)
    assert "32-way" in str(caught.value) and "fix: " in str(caught.value) and "33" in str(caught.value)
    lanescope.assert_coalesced(result)
    with pytest.raises(AssertionError):
        lanescope.assert_coalesced(lanescope.analyze("a[8*tid]", declarations="float *a"))
    with pytest.raises(AssertionError):
        lanescope.assert_conflict_free(lanescope.analyze(TRANSPOSE, launch=LAUNCH, max_requests=10))


ENDLESS = """
__global__ void k(float *a, int *at) {
    for (int i = 0; i < 100000000; ++i) a[(threadIdx.x * at[i] + blockIdx.x * blockIdx.x + i * i) % 4096] = i;
}
"""


# Seconds in which a busy machine, too, comes to an answer about a part of ENDLESS; all of it would take days.
SOME_SECONDS = 4


def test_its_time_is_bounded() -> None:
    partly = lanescope.analyze(ENDLESS, grid=100000, block=256, max_requests=10**15, max_seconds=SOME_SECONDS)
    assert partly.status == "partial"
    with pytest.raises(lanescope.LanescopeError, match="no limit of time"):
        lanescope.analyze(ENDLESS, max_seconds=0)


def test_fixes_have_the_same_limit() -> None:
    result = lanescope.analyze(ENDLESS, grid=100000, block=256, max_requests=10**15, max_seconds=SOME_SECONDS)
    try:
        assert isinstance(result.fixes, list)
    except lanescope.LanescopeError as error:
        assert "not done within" in str(error)


def test_ctrl_c_ends_it() -> None:
    program = textwrap.dedent(
        """
        import signal
        import lanescope
        # A test run in the background of a shell has inherited that interrupts are ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        kernel = '''__global__ void k(float *a, int *at) {
            for (int i = 0; i < 100000000; ++i) a[(threadIdx.x * 2654435761u + blockIdx.x * blockIdx.x + i * i) % 4096] = i;
        }'''
        print("begun", flush=True)
        try:
            lanescope.analyze(kernel, grid=100000, block=256, max_requests=10**15)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    try:
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said == "interrupted\n" and process.returncode == 0


def test_other_threads_run_meanwhile() -> None:
    results: list[lanescope.Result] = []
    question = {"declarations": "float tile[32][32]", "block": (32, 32), "grid": 4}

    def ask() -> None:
        results.append(lanescope.analyze("tile[tx][ty]", **question))  # type: ignore[arg-type]

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.totals.shared_load_wavefronts for result in results] == [4096] * 4


def test_the_command_line_is_inside() -> None:
    command = [sys.executable, "-m", "lanescope"]
    arguments = ["expr", "tile[tx][ty]", "--decl", "float tile[32][32]", "--block", "32,32", "--format", "json"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    result = lanescope.analyze("tile[tx][ty]", declarations="float tile[32][32]", block=(32, 32))
    printed = json.loads(done.stdout)
    assert printed["totals"] == result.to_dict()["totals"] and printed["lines"] == result._raw["lines"]
    assert subprocess.run([*command, "--no-such"], capture_output=True, check=False).returncode == 2
    assert subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0


def test_the_page_is_served(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<head></head><body>the page</body>")
    command = [sys.executable, "-m", "lanescope", "serve", "--page", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[3]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert b"the page" in answer.read()
        server.send_signal(signal.SIGINT)
        server.wait(30)


def test_devices() -> None:
    assert "cc9.0" in lanescope.devices()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: lanescope.analyze(5), "not int"),  # type: ignore[arg-type]
        (lambda: lanescope.analyze("missing.cu"), "no file missing.cu"),
        (lambda: lanescope.analyze("t[tid]", declarations="float t[32]", grid="32,32"), "no extent"),
        (lambda: lanescope.analyze("t[tid]", declarations="float t[32]", block=(32, 0)), "no extent"),
    ],
)
def test_a_wrong_use_is_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(lanescope.LanescopeError, match=said):
        call()


GATHER = """
__global__ void gather(const float* x, const int* at, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[at[i]];
}
"""


def test_arrays_hold_what_they_hold() -> None:
    x, y = lanescope.spec(4096), lanescope.spec(128)
    launch: dict[str, Any] = {"grid": 4, "block": 32}
    unknown = lanescope.analyze(GATHER, arguments={"x": x, "at": lanescope.spec(128, "int32"), "y": y}, **launch)
    assert unknown.status == "assumed"
    for step, sectors in ((1, 16), (8, 128)):
        at = np.arange(0, 128 * step, step, dtype=np.int32)
        known = lanescope.analyze(GATHER, arguments={"x": x, "at": at, "y": y}, **launch)
        assert known.status in ("counted", "predicted")
        assert known.totals.global_load_sectors == sectors + 16
    # A view of every second element does not stand as the kernel reads it.
    view = np.arange(256, dtype=np.int32)[::2]
    assert lanescope.analyze(GATHER, arguments={"x": x, "at": view, "y": y}, **launch).status == "assumed"


def test_arrays_of_compiled_code_hold_what_they_hold() -> None:
    ptx = """
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry gather(.param .u64 x, .param .u64 at)
    {
      .reg .b32 %r<4>;
      .reg .b64 %rd<8>;
      ld.param.u64 %rd1, [x];
      ld.param.u64 %rd2, [at];
      mov.u32 %r1, %tid.x;
      mul.wide.u32 %rd3, %r1, 4;
      add.s64 %rd4, %rd2, %rd3;
      ld.global.u32 %r2, [%rd4];
      mul.wide.u32 %rd5, %r2, 4;
      add.s64 %rd6, %rd1, %rd5;
      st.global.u32 [%rd6], %r1;
      ret;
    }
    """
    at = np.arange(0, 256, 8, dtype=np.int32)
    known = lanescope.analyze(ptx, grid=1, block=32, arguments=[lanescope.spec(4096), at])
    assert known.status in ("counted", "predicted") and known.totals.global_store_sectors == 32


SEVERAL = """
__global__ void wide(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i * 8] = 1; }
__global__ void idle(int n) {}
__global__ void strided(float *a) {
    __shared__ float s[256];
    s[threadIdx.x * 4] = 1; __syncthreads(); a[threadIdx.x] = s[threadIdx.x * 4]; }
__global__ void unknown(float *a) { a[threadIdx.x] = 1; }
int main() {
    const int n = 256;
    wide<<<n / 64, 64>>>(a, n);
    idle<<<1, 32>>>(n);
    strided<<<2, 64>>>(a);
}
"""


def test_every_kernel_whose_launch_the_text_has_is_counted() -> None:
    last = lanescope.analyze(SEVERAL)
    assert (last.kernel, [one.kernel for one in last.others]) == ("strided", ["wide"])
    [wide] = last.others
    assert (wide.grid, wide.totals.global_store_sectors, wide.others) == ((4, 1, 1), 256, [])
    assert last.totals.shared_store_wavefronts == 16
    assert any("no launch of unknown" in note for note in last.notes)
    assert any("idle has no access" in note for note in last.notes)
    assert [one["kernel"] for one in last.to_dict()["others"]] == ["wide"]
    # Each is a whole result, with pictures of its own.
    assert "<svg" in wide.svg()
    assert lanescope.analyze(SEVERAL, kernel="wide").others == []
    assert lanescope.analyze(SEVERAL, grid=1, block=32).others == []
    assert lanescope.analyze(SEVERAL, arguments={"n": 128}).others[0].totals.global_store_sectors == 128
    with pytest.raises(lanescope.LanescopeError, match="none of the kernels has a parameter `m`"):
        lanescope.analyze(SEVERAL, arguments={"m": 1})
