"""CUDA: the source as it is read here, or as nvcc compiles it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ._cubin import device_of
from .analysis import Arguments, Extent, Progress, analyze
from .errors import LanescopeError
from .result import Result, with_source
from .tools import compiled


def cuda(
    source: str | os.PathLike[str],
    *,
    grid: Extent | None = None,
    block: Extent | None = None,
    arguments: Arguments | None = None,
    kernel: str | None = None,
    defines: Mapping[str, Any] | None = None,
    dynamic_shared_bytes: int | None = None,
    launch: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    target: str = "sm_90",
    device: str | None = None,
    compile: bool = False,
    flags: Sequence[str] = ("-O3",),
    blocks: int | None = None,
    max_requests: int = 100_000_000,
    max_seconds: float | None = 60,
    progress: Progress = None,
) -> Result:
    """Counts a CUDA kernel: from its source or, with ``compile=True``, as nvcc compiles it for ``target``.

    nvcc is looked for on ``PATH``, under ``CUDA_HOME`` and among Python's packages (``pip install lanescope[nvcc]``); no
    GPU is needed. Compiled, arguments go by position (a sequence, or a mapping with ``"0"``), nothing that a compiler
    does is guessed, and counts come by instruction in ``accesses`` and by line of the source in ``lines``.
    """
    given: dict[str, Any] = {
        "grid": grid,
        "block": block,
        "arguments": arguments,
        "kernel": kernel,
        "dynamic_shared_bytes": dynamic_shared_bytes,
        "launch": launch,
        "device": device or device_of(target),
        "blocks": blocks,
        "max_requests": max_requests,
        "max_seconds": max_seconds,
        "progress": progress,
    }
    if not compile:
        return analyze(source, language="cuda", defines=defines, **given)
    with tempfile.TemporaryDirectory() as folder:
        path, text, name = _written(source, Path(folder))
        listing = compiled(path, target, flags, defines).replace(os.fspath(path.resolve()), name)
    return with_source(analyze(listing, language="sass", **given), name, text)


def _written(source: str | os.PathLike[str], folder: Path) -> tuple[Path, str, str]:
    """The source as a file, its text, and what to call it."""
    if isinstance(source, str) and ("\n" in source or not Path(source).is_file()):
        path = folder / "kernel.cu"
        path.write_text(source, encoding="utf-8")
        return path, source, path.name
    path = Path(source)
    try:
        return path, path.read_text(encoding="utf-8", errors="replace"), os.fspath(path)
    except OSError as error:
        raise LanescopeError(f"cannot read {path}: {error.strerror}") from error
