"""Compilers and disassemblers that are at hand: on ``PATH``, under ``CUDA_HOME``, or in this environment's packages."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from .errors import CompilationError, LanescopeError, ToolMissing

_HOW = {
    "nvcc": "pip install lanescope[nvcc]",
    "ptxas": "pip install lanescope[nvcc]",
    "nvdisasm": "pip install triton, or lanescope[nvcc]",
    "cuobjdump": "pip install triton, or lanescope[nvcc]",
}
Tool = Literal["nvcc", "ptxas", "nvdisasm", "cuobjdump"]


def find(tool: Tool) -> Path | None:
    """Where ``tool`` is, if it is anywhere."""
    homes = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    candidates = [Path(home) / "bin" / tool for home in homes if home]
    on_path = shutil.which(tool)
    if on_path:
        candidates.append(Path(on_path))
    for package, below in (("nvidia", "cu*/bin"), ("nvidia", "cuda_*/bin"), ("triton", "backends/nvidia/bin")):
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or []) if spec else []:
            candidates += sorted(Path(place).glob(f"{below}/{tool}"), reverse=True)
    return next((path for path in candidates if path.is_file() and os.access(path, os.X_OK)), None)


def needed(tool: Tool) -> Path:
    """Where ``tool`` is. Raises :class:`ToolMissing` with how to get it."""
    found = find(tool)
    if found is None:
        raise ToolMissing(f"no {tool} on PATH, under CUDA_HOME or among Python's packages; {_HOW[tool]}")
    return found


def run(command: Sequence[str | Path], what: str, seconds: float = 300) -> str:
    """What a tool prints. Raises :class:`CompilationError` with its own words where it fails.

    After ``seconds``, on Ctrl-C and at its end it is ended with all that it has started.
    """
    try:
        tool = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise LanescopeError(f"cannot run {command[0]}: {error.strerror}") from error
    try:
        out, err = tool.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise CompilationError(f"{what} was stopped: it had not ended after {seconds} s") from None
    finally:
        _end(tool)
    if tool.returncode != 0:
        said = (err or out).decode(errors="replace").strip()
        raise CompilationError(f"{what} failed: {said}")
    return out.decode(errors="replace")


def _end(tool: subprocess.Popen[bytes]) -> None:
    """Ends a tool and, where there are process groups, all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(tool.pid, signal.SIGKILL)
    elif tool.poll() is None:
        tool.kill()
    tool.wait()


def compiled(source: Path, target: str, flags: Sequence[str], defines: Mapping[str, Any] | None) -> str:
    """The SASS that nvcc makes of a CUDA file for ``target``, with the source's lines."""
    macros = [f"-D{name}={value}" for name, value in (defines or {}).items()]
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder) / "kernel.cubin"
        run([needed("nvcc"), f"-arch={target}", "-lineinfo", "-cubin", *flags, *macros, "-o", into, source], "nvcc")
        return disassembled(into.read_bytes())


def is_object(code: bytes) -> bool:
    """Whether bytes begin as what is disassembled: an ELF file, or one of NVIDIA's fat binaries."""
    return code.startswith((b"\x7fELF", b"\x50\xed\x55\xba"))


def disassembled(code: bytes) -> str:
    """The SASS of a cubin, with the source's lines where the cubin has them; of a fatbin, an object or a program."""
    if not is_object(code):
        raise LanescopeError("neither a cubin nor a fatbin, an object or a program")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "code.cubin"
        path.write_bytes(code)
        if is_cubin(code):
            return outermost(run([needed("nvdisasm"), "-c", "-gi", path], "nvdisasm"))
        return run([needed("cuobjdump"), "-sass", path], "cuobjdump")


def is_cubin(code: bytes) -> bool:
    """Whether an ELF file is for the machine that ELF calls CUDA."""
    return code[:4] == b"\x7fELF" and code[18:20] == (190).to_bytes(2, "little")


def outermost(listing: str) -> str:
    """A listing whose lines of origin are those of the kernel itself, not of what was inlined into it."""
    kept: list[str] = []
    for line in listing.splitlines():
        is_origin = line.lstrip().startswith("//## File")
        if is_origin and kept and kept[-1].lstrip().startswith("//## File"):
            kept.pop()
        kept.append(line)
    return "\n".join(kept) + "\n"
