"""Numba kernels: compiled to PTX by Numba's own compiler, without a GPU, and counted as compiled."""

from __future__ import annotations

import inspect
import os
import re
from importlib import import_module
from typing import Any

from ._cubin import device_of
from .analysis import HELD, Device, Extent, Progress, analyze, extents
from .errors import CompilationError, LanescopeError, ToolMissing
from .result import Result, with_source
from .spec import Spec, array_of

#: Numba's names of types by ours, where they differ.
_NAMES = {"bool": "boolean"}


def numba(
    kernel: Any,
    *args: Any,
    grid: Extent,
    block: Extent,
    dynamic_shared_bytes: int = 0,
    target: str = "sm_90",
    device: Device | None = None,
    blocks: int | None = None,
    max_requests: int = 100_000_000,
    max_seconds: float | None = 60,
    progress: Progress = None,
) -> Result:
    """Counts a ``@cuda.jit`` kernel (or the plain function) as Numba compiles it for ``target``. No GPU is needed.

    Arguments stand as in a launch: arrays, or ``(shape, dtype)`` and :func:`lanescope.spec`, C-contiguous; numbers, which
    Numba takes as ``int64`` and ``float64``. ``lines`` are the kernel's own lines of Python.
    """
    try:
        # Numba's own types do not cover what is called here.
        cuda: Any = import_module("numba.cuda")
        types: Any = import_module("numba.types")
    except ImportError as error:
        raise ToolMissing(f"Numba is not installed ({error}); pip install lanescope[numba]") from error
    function = getattr(kernel, "py_func", kernel)
    if not callable(function):
        raise LanescopeError("no kernel; give a function under @cuda.jit")
    arrays = [array_of(value) for value in args]
    signature = types.void(*(_type(types, value, array) for value, array in zip(args, arrays)))
    capability = (int(target[3:-1]), int(target[-1])) if re.fullmatch(r"sm_\d{2,3}", target) else None
    if capability is None:
        raise LanescopeError(f"`{target}` is no architecture; write as in sm_90")
    try:
        ptx, _ = cuda.compile_ptx(function, signature, cc=capability, lineinfo=True)
    except Exception as error:
        raise CompilationError(f"Numba cannot compile {function.__name__} for {target}: {error}") from error
    record = {
        "grid": extents(grid),
        "block": extents(block),
        "dynamic_shared": dynamic_shared_bytes,
        "kernel": _entry(ptx),
        "arguments": [one for value, array in zip(args, arrays) for one in _parameters(value, array)],
    }
    counted = analyze(
        ptx,
        language="ptx",
        launch=record,
        device=device or device_of(target),
        blocks=blocks,
        max_requests=max_requests,
        max_seconds=max_seconds,
        progress=progress,
    )
    try:
        file = os.path.abspath(function.__code__.co_filename)
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return counted
    return with_source(counted, file, "".join(lines), max(first, 1))


def _entry(ptx: str) -> str:
    found = re.search(r"\.entry\s+([\w$]+)", ptx)
    if found is None:
        raise CompilationError("Numba's PTX has no kernel")
    return found[1]


def _type(types: Any, value: Any, array: Spec | None) -> Any:
    if array is not None:
        element = getattr(types, _NAMES.get(array.dtype, array.dtype), None)
        if element is None:
            raise LanescopeError(f"Numba has no type `{array.dtype}`")
        return types.Array(element, len(array.shape), "C")
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return types.int64
    if isinstance(value, float):
        return types.float64
    scalar = getattr(types, str(getattr(value, "dtype", "")), None)
    if scalar is None:
        raise LanescopeError(f"{type(value).__name__} is neither a number nor an array")
    return scalar


def _parameters(value: Any, array: Spec | None) -> list[dict[str, Any]]:
    """The parameters that an argument becomes: of an array those of Numba's structure (two pointers that nobody reads,
    items, bytes of an item, the data, its shape and strides)."""
    if array is None:
        raw = bytes(value.tobytes()) if hasattr(value, "tobytes") else _scalar(value)
        return [{"bytes": len(raw), "hex": raw.hex()}]
    item = array.bits // 8
    strides: list[int] = []
    step = item
    for extent in reversed(array.shape):
        strides.insert(0, step)
        step *= extent
    pointer = {"base_off": 0, "range": array.size_bytes, "mod": array.address % 1024}
    return [
        _word(0),
        _word(0),
        _word(array.elements),
        _word(item),
        {"bytes": 8, "pointer": pointer, HELD: array.contents()},
        *(_word(extent) for extent in array.shape),
        *(_word(stride) for stride in strides),
    ]


def _word(number: int) -> dict[str, Any]:
    return {"bytes": 8, "hex": number.to_bytes(8, "little", signed=True).hex()}


def _scalar(value: Any) -> bytes:
    import struct

    if isinstance(value, bool):
        return bytes([value])
    return struct.pack("<q", value) if isinstance(value, int) else struct.pack("<d", value)
