"""Arguments of kernels: arrays that are there, or only their shape and type."""

from __future__ import annotations

import builtins
import re
import struct
import sys
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from .errors import LanescopeError

#: Bits and Triton's name by a type's name, as PyTorch, NumPy and Triton spell it.
_TYPES = {
    "bool": (8, "i1"),
    "int8": (8, "i8"),
    "uint8": (8, "u8"),
    "int16": (16, "i16"),
    "uint16": (16, "u16"),
    "int32": (32, "i32"),
    "uint32": (32, "u32"),
    "int64": (64, "i64"),
    "uint64": (64, "u64"),
    "float16": (16, "fp16"),
    "bfloat16": (16, "bf16"),
    "float32": (32, "fp32"),
    "float64": (64, "fp64"),
    "float8_e4m3fn": (8, "fp8e4nv"),
    "float8_e5m2": (8, "fp8e5"),
}
_SHORT = {"half": "float16", "float": "float32", "double": "float64", "int": "int32", "long": "int64", "short": "int16"}
_SHORT |= {triton: name for name, (_, triton) in _TYPES.items()}
_SHORT |= {"f16": "float16", "f32": "float32", "f64": "float64", "i1": "bool"}


#: The most bytes of an array whose contents go along.
MOST_CONTENTS = 64 << 20


@dataclass(frozen=True)
class Spec:
    """An array that need not exist: its shape, its type, and where it begins."""

    shape: tuple[int, ...]
    #: As ``float32``, ``torch.float16``, ``np.int8``, ``bf16``.
    dtype: str = "float32"
    #: Address modulo 1,024: sectors and lines depend on it.
    address: int = 0
    #: Bytes of the memory that it lies in, from its beginning on; its own where not given.
    bytes: int | None = None
    #: What it holds: bytes, or the array or tensor that has them; ``None`` where nobody knows.
    held: Any = field(default=None, repr=False, compare=False)

    def contents(self, from_device: bool = False) -> builtins.bytes | None:
        """The bytes that it holds. ``None`` where nobody knows, of arrays of more than 64 MiB, of those whose elements do not
        stand one behind another, and of tensors on a GPU unless ``from_device``."""
        if self.size_bytes > MOST_CONTENTS:
            return None
        return _bytes(self.held, from_device)

    def kept(self, from_device: bool = False) -> Spec:
        """The same with the bytes that it holds now: who has the array may change it."""
        return replace(self, held=self.contents(from_device))

    @property
    def bits(self) -> int:
        """Bits of an element."""
        return _TYPES[self.dtype][0]

    @property
    def triton_type(self) -> str:
        """The element's type as Triton names it."""
        return _TYPES[self.dtype][1]

    @property
    def elements(self) -> int:
        """Elements of the array."""
        return prod(self.shape)

    @property
    def size_bytes(self) -> int:
        """Bytes that may be reached."""
        return self.bytes if self.bytes is not None else self.elements * self.bits // 8


def dtype_name(dtype: Any) -> str:
    """The type's name in our spelling."""
    text = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or str(dtype)
    if isinstance(dtype, type) and issubclass(dtype, np.generic):
        text = np.dtype(dtype).name
    text = re.sub(r"^(torch|numpy|np|tl|triton\.language)\.", "", str(text).lstrip("*"))
    text = _SHORT.get(text, text)
    if text not in _TYPES:
        raise LanescopeError(f"no type `{dtype}`; there are {', '.join(_TYPES)}")
    return text


def spec(shape: int | tuple[int, ...] | list[int], dtype: Any = "float32", *, address: int = 0) -> Spec:
    """An array of this shape and type that need not exist."""
    extents = (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
    return Spec(extents, dtype_name(dtype), address)


def array_of(value: Any) -> Spec | None:
    """The array that an argument is: a tensor, a NumPy array, a :class:`Spec`, ``(shape, dtype)``; ``None`` for numbers."""
    if isinstance(value, Spec):
        return value
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], (tuple, list, int)):
        return spec(value[0], value[1])
    if isinstance(value, np.generic) or not (hasattr(value, "shape") and hasattr(value, "dtype")):
        return None
    shape = tuple(int(extent) for extent in value.shape)
    name = dtype_name(value.dtype)
    # The address is the device's only where the tensor says so: NumPy's arrays will be copied somewhere.
    address = int(value.data_ptr()) % 1024 if hasattr(value, "data_ptr") and _is_on_device(value) else 0
    return Spec(shape, name, address, _reach(value, shape, name), value)


def _bytes(held: Any, from_device: bool) -> builtins.bytes | None:
    """The bytes of an array or tensor, element by element."""
    if held is None or isinstance(held, bytes):
        return held
    if isinstance(held, np.ndarray):
        return held.tobytes() if held.flags.c_contiguous else None
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(held, torch.Tensor) or held.device.type == "meta":
        return None
    if not held.is_contiguous() or (_is_on_device(held) and not from_device):
        return None
    flat = held.detach().cpu().reshape(-1).view(torch.uint8)
    return bytes(flat.numpy().tobytes())


def _is_on_device(value: Any) -> bool:
    return getattr(getattr(value, "device", None), "type", "cpu") not in ("cpu", "meta")


def _reach(value: Any, shape: tuple[int, ...], dtype: str) -> int | None:
    """Bytes from the first element to behind the last, of a strided tensor."""
    if not callable(getattr(value, "stride", None)):
        return None
    strides = tuple(value.stride())
    if not shape or 0 in shape:
        return None
    last = sum((extent - 1) * abs(int(stride)) for extent, stride in zip(shape, strides))
    return (last + 1) * _TYPES[dtype][0] // 8


def spelled(value: Any, name: str) -> str:
    """An argument as the command line has it."""
    if isinstance(value, str):
        return value
    array = array_of(value)
    if array is not None:
        kind = "f" if "float" in array.dtype else "u" if array.dtype.startswith("u") else "i"
        count = -(-array.size_bytes * 8 // array.bits)
        offset = f",offset:{array.address}" if array.address else ""
        return f"{kind}{array.bits}[{count}]{offset}"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        wide = isinstance(value, np.generic) and value.dtype.itemsize == 8
        return f"{int(value)}{'l' if wide else ''}"
    if isinstance(value, (float, np.floating)):
        return f"{float(value)!r}{'f' if isinstance(value, np.float32) else ''}"
    raise LanescopeError(f"argument `{name}`: {type(value).__name__} is neither a number nor an array")


def scalar_bytes(value: Any, kind: str) -> bytes:
    """A number as a parameter's bytes; ``kind`` is Triton's name of the type."""
    if kind.startswith("fp") or kind == "bf16":
        # Triton passes floats as 32 bits but for fp64.
        return struct.pack("<d" if kind == "fp64" else "<f", float(value))
    bits = 8 if kind in ("i1", "u1") else int(kind[1:])
    return (int(value) & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
