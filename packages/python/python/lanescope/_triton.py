"""Triton kernels: compiled by Triton's own compiler, without a GPU, and counted as compiled."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._cubin import device_of
from .analysis import HELD, Device, Progress, analyze, extents
from .errors import CompilationError, LanescopeError, ToolMissing
from .result import Result, with_source
from .spec import Spec, array_of, scalar_bytes
from .tools import disassembled, find

#: Blocks along x, y, z, or what computes them from the arguments and constants.
Grid: TypeAlias = int | tuple[int, ...] | Callable[[dict[str, Any]], tuple[int, ...]]
Code = Literal["sass", "ptx"]

_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\((.*?)\)(.*?)\{", re.DOTALL)
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w)(\d+)")
_THREADS = re.compile(r"\.(?:req|max)ntid\s+(\d+)")
_INLINED = re.compile(r"(\.loc\s+)\d+ \d+ \d+\s*,\s*function_name [^,\n]*,\s*inlined_at (\d+ \d+ \d+)")


@dataclass(frozen=True)
class _Parameter:
    """What a parameter of the kernel is compiled as."""

    name: str
    #: Triton's type: ``*fp32``, ``i32``, ``constexpr``.
    kind: str
    value: Any
    #: Whether the value, or the address, is a multiple of 16.
    is_aligned: bool = False


def triton(
    kernel: Any,
    *args: Any,
    grid: Grid,
    target: str = "sm_90",
    device: Device | None = None,
    code: Code | None = None,
    config: Any = None,
    blocks: int | None = None,
    max_requests: int = 100_000_000,
    max_seconds: float | None = 60,
    device_contents: bool = False,
    progress: Progress = None,
    **constants: Any,
) -> Result:
    """Counts a ``@triton.jit`` kernel as Triton compiles it for ``target``. No GPU and no PyTorch are needed.

    Arguments stand as in a launch: tensors, or ``(shape, dtype)`` and :func:`lanescope.spec` where there are none;
    numbers; keyword arguments for ``tl.constexpr`` parameters and for ``num_warps``, ``num_stages`` and Triton's other
    options. Of an autotuned kernel ``config`` says which configuration.

    NumPy arrays and tensors on the processor hold what they hold; tensors on a GPU do with ``device_contents``, which copies
    them: addresses and branches that depend on it are counted then.

    The machine code is counted where ``nvdisasm`` is at hand (Triton's own packages bring it), else the PTX; ``code``
    says which. ``lines`` are the kernel's own lines of Python, by their numbers in the file.
    """
    try:
        import triton as compiler  # type: ignore[import-not-found, unused-ignore]
        from triton.backends.compiler import GPUTarget  # type: ignore[import-not-found, unused-ignore]
        from triton.compiler import ASTSource  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ToolMissing(f"Triton is not installed ({error}); pip install lanescope[triton]") from error
    function, options = _unwrapped(kernel, config)
    if not re.fullmatch(r"sm_?\d+[a-z]?", target):
        raise LanescopeError(
            f"`{target}`: compiled code is read of NVIDIA's architectures alone (sm_80, sm_90, …), not of AMD's; "
            "HIP source is counted: lanescope.analyze(…, device='cdna3')"
        )
    device = device or device_of(target)
    named, chosen = _bound(function, args, {**options, **constants})
    parameters = [_parameter(function, at, one, named) for at, one in enumerate(function.params)]
    source = ASTSource(
        fn=function,
        signature={one.name: one.kind for one in parameters},
        constexprs={(at,): one.value for at, one in enumerate(parameters) if one.kind == "constexpr"},
        attrs={(at,): [["tt.divisibility", 16]] for at, one in enumerate(parameters) if one.is_aligned},
    )
    number = re.sub(r"\D", "", target)
    try:
        compiled = compiler.compile(source, target=GPUTarget("cuda", int(number), 32), options=chosen)
    except Exception as error:
        raise CompilationError(f"Triton cannot compile {function.__name__} for {target}: {error}") from error
    ptx = str(compiled.asm["ptx"])
    if code is None:
        code = "sass" if find("nvdisasm") is not None else "ptx"
    text = disassembled(compiled.asm["cubin"]) if code == "sass" else _INLINED.sub(r"\g<1>\2", ptx)
    meta = compiled.metadata
    if getattr(meta, "num_ctas", 1) != 1:
        raise LanescopeError("clusters (num_ctas above 1) are not counted")
    record = _record(ptx, parameters, _extents(grid, named), int(meta.shared), device_contents)
    counted = analyze(
        text,
        language=code,
        launch=record,
        device=device,
        blocks=blocks,
        max_requests=max_requests,
        max_seconds=max_seconds,
        progress=progress,
    )
    return _shown(counted, function)


def _unwrapped(kernel: Any, config: Any) -> tuple[Any, dict[str, Any]]:
    """The function itself, and what ``config`` sets."""
    options: dict[str, Any] = {}
    if config is not None:
        given = config if isinstance(config, Mapping) else config.all_kwargs()
        options = {name: value for name, value in given.items() if value is not None}
    is_tuned = False
    while not hasattr(kernel, "params"):
        is_tuned = is_tuned or hasattr(kernel, "configs")
        inner = getattr(kernel, "fn", None)
        if inner is None:
            raise LanescopeError("no Triton kernel; give a function under @triton.jit")
        kernel = inner
    if is_tuned and config is None:
        raise LanescopeError("an autotuned kernel: say which of its configurations, as config=kernel.configs[0]")
    return kernel, options


def _bound(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments and constants by name, and the compiler's options."""
    names = [one.name for one in function.params]
    if len(args) > len(names):
        raise LanescopeError(f"{function.__name__} has {len(names)} parameters, not {len(args)}")
    named = dict(zip(names, args))
    options: dict[str, Any] = {}
    for name, value in keywords.items():
        if name in named:
            raise LanescopeError(f"`{name}` is given twice")
        if name in names:
            named[name] = value
        else:
            options[name] = value
    for one in function.params:
        if one.name not in named:
            if not one.has_default:
                raise LanescopeError(f"{function.__name__}: no value for `{one.name}`")
            named[one.name] = one.default
    known = {"num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "debug", "ptx_options"}
    unknown = sorted(set(options) - known)
    if unknown:
        raise LanescopeError(
            f"{function.__name__} has no parameter `{unknown[0]}`; it has {', '.join(names)}, and there are the options "
            f"{', '.join(sorted(known))}"
        )
    return named, options


def _parameter(function: Any, at: int, one: Any, named: Mapping[str, Any]) -> _Parameter:
    """What Triton makes of an argument at a launch: ones and nothing are constants, multiples of 16 are known to be."""
    name, value = one.name, named[one.name]
    if one.is_constexpr or value is None:
        return _Parameter(name, "constexpr", _unboxed(value))
    specialised = not one.do_not_specialize
    array = array_of(value)
    if array is not None:
        aligned = specialised and not one.do_not_specialize_on_alignment and array.address % 16 == 0
        return _Parameter(name, f"*{array.triton_type}", array, aligned)
    if isinstance(value, bool):
        return _Parameter(name, "u1", value)
    if isinstance(value, float):
        return _Parameter(name, "fp32", value)
    try:
        number = int(value.__index__())
    except (AttributeError, TypeError) as error:
        raise LanescopeError(f"`{name}`: {type(value).__name__} is neither a number nor an array") from error
    if number == 1 and specialised:
        return _Parameter(name, "constexpr", 1)
    aligned = specialised and not one.do_not_specialize_on_alignment and number % 16 == 0
    return _Parameter(name, _integer_kind(number, name), number, aligned)


def _unboxed(value: Any) -> Any:
    """A constant as the compiler takes it: a type by its name stays what it is."""
    return getattr(value, "value", value) if type(value).__name__ == "constexpr" else value


def _integer_kind(number: int, name: str) -> str:
    if -(1 << 31) <= number < 1 << 31:
        return "i32"
    if -(1 << 63) <= number < 1 << 63:
        return "i64"
    if 0 <= number < 1 << 64:
        return "u64"
    raise LanescopeError(f"`{name}`: {number} does not fit 64 bits")


def _extents(grid: Grid, named: Mapping[str, Any]) -> list[int]:
    return extents(grid(dict(named)) if callable(grid) else grid)


def _record(
    ptx: str, parameters: list[_Parameter], grid: list[int], shared: int, from_device: bool
) -> dict[str, Any]:
    """The launch, its arguments in the order of the compiled kernel's parameters."""
    entry = _ENTRY.search(ptx)
    if entry is None:
        raise CompilationError("Triton's PTX has no kernel")
    sizes = [int(bits) // 8 for _, bits in _PARAMETER.findall(entry[2])]
    threads = _THREADS.search(entry[3])
    arguments = [_argument(one, from_device) for one in parameters if one.kind != "constexpr"]
    # Behind the kernel's own parameters Triton adds pointers to scratch memory, which are null unless a kernel asks.
    arguments += [{"bytes": bytes_, "hex": "00" * bytes_} for bytes_ in sizes[len(arguments) :]]
    if len(arguments) != len(sizes) or threads is None:
        raise CompilationError("Triton's PTX has other parameters than the kernel")
    return {
        "kernel": entry[1],
        "mangled": entry[1],
        "grid": grid,
        "block": [int(threads[1]), 1, 1],
        "dynamic_shared": shared,
        "arguments": arguments,
    }


def _argument(one: _Parameter, from_device: bool) -> dict[str, Any]:
    if isinstance(one.value, Spec):
        pointer = {"base_off": 0, "range": one.value.size_bytes, "mod": one.value.address % 1024}
        return {"name": one.name, "bytes": 8, "pointer": pointer, HELD: one.value.contents(from_device)}
    value = scalar_bytes(one.value, one.kind)
    return {"name": one.name, "bytes": len(value), "hex": value.hex()}


def _shown(counted: Result, function: Any) -> Result:
    """The result with the kernel's own lines."""
    try:
        # The name that the compiler has too, which in a notebook is that of a cell.
        file = os.path.abspath(function.fn.__code__.co_filename)
        lines, first = inspect.getsourcelines(function.fn)
    except (OSError, TypeError):
        return counted
    # Triton keeps what it compiled: then the code names the file as it was called at that time.
    return with_source(counted, file, "".join(lines), max(first, 1), by_name=True)


@dataclass(frozen=True)
class AutotuneRow:
    """One configuration and what it costs."""

    config: dict[str, Any]
    result: Result

    @property
    def cost(self) -> tuple[int, int]:
        """Wavefronts, then sectors."""
        return (self.result.totals.wavefronts, self.result.totals.sectors)


@dataclass(frozen=True)
class AutotuneReport:
    """Configurations by wavefronts and then sectors, the cheapest first; those that do not compile apart."""

    rows: list[AutotuneRow]
    #: Configurations that do not compile, and why.
    failed: list[tuple[dict[str, Any], str]]

    @property
    def best(self) -> AutotuneRow:
        """The cheapest configuration. It predicts addresses, not time: use it to leave out what cannot win."""
        if not self.rows:
            raise LanescopeError("no configuration compiles")
        return self.rows[0]

    def to_dict(self) -> list[dict[str, Any]]:
        """A plain row a configuration."""
        return [
            {
                **row.config,
                "wavefronts": row.result.totals.wavefronts,
                "conflicts": row.result.conflicts,
                "max_ways": row.result.max_ways,
                "sectors": row.result.totals.sectors,
                "excess_sectors": row.result.excess_sectors,
                "status": row.result.status,
            }
            for row in self.rows
        ]

    def __str__(self) -> str:
        rows = self.to_dict()
        names = list(dict.fromkeys(name for row in rows for name in row))
        cells = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(names))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells]
        return "\n".join([*lines, *(f"{config}: {why}" for config, why in self.failed)])

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def autotune_report(
    kernel: Any,
    configs: Iterable[Any] | None = None,
    *args: Any,
    grid: Grid,
    target: str = "sm_90",
    progress: Progress = None,
    **constants: Any,
) -> AutotuneReport:
    """Counts a kernel in several configurations and orders them by wavefronts and sectors.

    ``configs`` are ``triton.Config`` or mappings of constants and options; without them the kernel's own.
    """
    if configs is None:
        configs = getattr(kernel, "configs", None)
        if configs is None:
            raise LanescopeError("no configurations: give some, or a kernel under @triton.autotune")
    rows, failed = [], []
    for config in configs:
        chosen = dict(config) if isinstance(config, Mapping) else config.all_kwargs()
        chosen = {name: value for name, value in chosen.items() if value is not None}
        try:
            counted = triton(
                kernel, *args, grid=grid, target=target, config=chosen, progress=progress, **constants
            )
        except CompilationError as error:
            failed.append((chosen, str(error)))
        else:
            rows.append(AutotuneRow(chosen, counted))
    return AutotuneReport(sorted(rows, key=lambda row: row.cost), failed)
