"""Compiled code that another compiler made: cubins, objects, programs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .analysis import Arguments, Extent, Progress, analyze
from .errors import LanescopeError
from .result import Result
from .tools import disassembled


def device_of(target: str) -> str:
    """The device's id of an architecture: ``sm_90`` is ``cc9.0``."""
    found = re.fullmatch(r"(?:sm|compute)_(\d+?)(\d)[af]?", target)
    if found is None:
        raise LanescopeError(f"`{target}` is no architecture; write as in sm_90")
    return f"cc{found[1]}.{found[2]}"


def cubin(
    code: bytes | str | os.PathLike[str],
    *,
    grid: Extent | None = None,
    block: Extent | None = None,
    arguments: Arguments | None = None,
    kernel: str | None = None,
    dynamic_shared_bytes: int | None = None,
    launch: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    device: str = "cc9.0",
    blocks: int | None = None,
    max_requests: int = 100_000_000,
    max_seconds: float | None = 60,
    progress: Progress = None,
) -> Result:
    """Counts a kernel of a cubin (or fatbin, object, program): what CuTe DSL, CUDA.jl, Mojo or anybody's compiler made.

    ``code`` is the file or its bytes. It is disassembled by ``nvdisasm`` or ``cuobjdump``, which come with CUDA, with
    Triton and by ``pip install lanescope[nvcc]``. Arguments go by position.
    """
    listing = disassembled(code if isinstance(code, bytes) else _bytes(Path(code)))
    return analyze(
        listing,
        language="sass",
        grid=grid,
        block=block,
        arguments=arguments,
        kernel=kernel,
        dynamic_shared_bytes=dynamic_shared_bytes,
        launch=launch,
        device=device,
        blocks=blocks,
        max_requests=max_requests,
        max_seconds=max_seconds,
        progress=progress,
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LanescopeError(f"cannot read {path}: {error.strerror}") from error
