"""Every Triton launch that a program makes, counted by kernel and shape."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from ._triton import _bound, _extents, _unwrapped, triton
from .analysis import Device
from .errors import CompilationError, LanescopeError, ToolMissing
from .result import Result
from .spec import Spec, array_of

_F = TypeVar("_F", bound=Callable[..., Any])

#: What Triton's launcher takes besides a kernel's own arguments and options, and what decides no address.
_LAUNCHER = {"stream", "device", "instrumentation_mode", "async_mode"}


@dataclass
class Launch:
    """A kernel and the arguments that it was launched with: arrays by shape and type, numbers as they are."""

    kernel: Any
    name: str
    arguments: dict[str, Any]
    grid: tuple[int, ...]
    #: How often it was launched so.
    times: int = 1

    @property
    def shapes(self) -> str:
        """The arguments as text: ``x_ptr=float32[512, 768] columns=768``."""
        return " ".join(f"{name}={_spelled(value)}" for name, value in self.arguments.items())


@dataclass(frozen=True)
class WatchRow:
    """A launch and what it costs; ``failed`` says why it could not be counted."""

    launch: Launch
    result: Result | None
    failed: str | None = None

    @property
    def cost(self) -> int:
        """Wavefronts and sectors of all launches of this kind, added: the order of the report."""
        if self.result is None:
            return 0
        totals = self.result.totals
        return (totals.wavefronts + totals.sectors) * self.launch.times


@dataclass(frozen=True)
class WatchReport:
    """A row for each kernel and shape, the costliest first."""

    rows: list[WatchRow]
    #: Whether the kernels ran; without a GPU they were counted and left out.
    ran: bool

    def to_dict(self) -> list[dict[str, Any]]:
        """A plain row a launch."""
        return [_plain(row) for row in self.rows]

    def to_json(self) -> str:
        """The rows as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def __str__(self) -> str:
        if not self.rows:
            return "no Triton kernel was launched"
        names = ["kernel", "launches", "grid", "wavefronts", "conflicts", "sectors", "needed", "status"]
        cells = [names]
        for row in self.rows:
            found = _plain(row)
            cells.append([_cell(found[name]) for name in names])
        widths = [max(len(line[at]) for line in cells) for at in range(len(names))]
        lines = [
            "  ".join(cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(line, widths)))
            for line in cells
        ]
        lines += [f"{row.launch.name}: {row.failed}" for row in self.rows if row.failed is not None]
        if not self.ran:
            lines.append("No GPU: the kernels were counted and did not run; what they would have written was not.")
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


@dataclass
class Watch:
    """The launches of a program, while it is watched; :meth:`report` counts them."""

    target: str | None = None
    device: Device | None = None
    max_seconds: float | None = 60
    #: Whether tensors on a GPU are copied for what they hold.
    device_contents: bool = False
    #: Each kernel and shape once, in the order of their first launch.
    launches: list[Launch] = field(default_factory=list)
    #: Whether a GPU runs what is launched.
    has_gpu: bool = False
    _known: dict[Any, Launch] = field(default_factory=dict, repr=False)
    _counted: dict[int, WatchRow] = field(default_factory=dict, repr=False)
    _benchmarks: int = field(default=0, repr=False)

    def report(self) -> WatchReport:
        """Counts what was launched until now; what was counted before is not counted again."""
        for at, launch in enumerate(self.launches):
            if at not in self._counted:
                self._counted[at] = self._count(launch)
        rows = sorted(self._counted.values(), key=lambda row: -row.cost)
        return WatchReport(rows, self.has_gpu)

    def _count(self, launch: Launch) -> WatchRow:
        try:
            result = triton(
                launch.kernel,
                grid=launch.grid,
                target=self._target(),
                device=self.device,
                max_seconds=self.max_seconds,
                device_contents=self.device_contents,
                progress=False,
                **launch.arguments,
            )
        except (CompilationError, LanescopeError) as error:
            return WatchRow(launch, None, str(error).splitlines()[0])
        return WatchRow(launch, result)

    def _target(self) -> str:
        return self.target or "sm_90"

    def _see(self, kernel: Any, args: tuple[Any, ...], grid: Any, keywords: dict[str, Any]) -> Launch:
        """Keeps a launch; one of the same kernel, shapes and numbers as one before is counted with it."""
        function, _ = _unwrapped(kernel, {})
        given = {name: value for name, value in keywords.items() if name not in _LAUNCHER}
        named, options = _bound(function, args, given)
        extents = tuple(_extents(grid, named))
        arguments = {name: _kept(value) for name, value in {**named, **options}.items()}
        key = (id(function), extents, tuple((name, _key(value)) for name, value in arguments.items()))
        launch = self._known.get(key)
        if launch is None:
            # What arrays hold at their first launch stands for all.
            held = {name: _holding(value, self.device_contents) for name, value in arguments.items()}
            launch = Launch(function, function.__name__, held, extents, 0)
            self._known[key] = launch
            self.launches.append(launch)
        launch.times += 1
        return launch

    def __str__(self) -> str:
        return str(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()


class _Watching:
    """What :func:`watch` gives: a context, and a decorator."""

    def __init__(self, watched: Watch) -> None:
        self._watched = watched
        self._context: Any = None

    def __enter__(self) -> Watch:
        self._context = _hooked(self._watched)
        self._context.__enter__()
        return self._watched

    def __exit__(self, *failure: Any) -> None:
        self._context.__exit__(*failure)

    def __call__(self, function: _F) -> _F:
        return _decorated(function, self._watched)


@overload
def watch(function: _F, /) -> _F: ...


@overload
def watch(
    *,
    target: str | None = None,
    device: Device | None = None,
    max_seconds: float | None = 60,
    device_contents: bool = False,
) -> _Watching: ...


def watch(
    function: Any = None,
    /,
    *,
    target: str | None = None,
    device: Device | None = None,
    max_seconds: float | None = 60,
    device_contents: bool = False,
) -> Any:
    """Counts every Triton kernel that a program launches, by kernel and shape, without a change to the program.

    >>> with lanescope.watch() as w:          # doctest: +SKIP
    ...     train_step(model, batch)
    >>> print(w.report())                     # doctest: +SKIP

    or as a decorator, ``@lanescope.watch`` or ``@lanescope.watch(target="sm_80")``; then ``function.watch.report()``.

    With a GPU the kernels run as ever. Without one they are counted and do not run; tensors on the processor, NumPy
    arrays and :func:`lanescope.spec` stand for their arguments. Heuristics are followed; of an autotuned kernel the
    configuration counts that Triton chose on the GPU, and without one that of the fewest wavefronts and sectors.
    ``max_seconds`` bounds the count of each launch. Arrays on the processor hold what they held at the first launch of their
    shapes; tensors on a GPU do with ``device_contents``, which copies them.
    """
    watched = Watch(target=target, device=device, max_seconds=max_seconds, device_contents=device_contents)
    if function is not None:
        return _decorated(function, watched)
    return _Watching(watched)


def _decorated(function: _F, watched: Watch) -> _F:
    @functools.wraps(function)
    def watching(*args: Any, **keywords: Any) -> Any:
        with _hooked(watched):
            return function(*args, **keywords)

    watching.watch = watched  # type: ignore[attr-defined]
    return watching  # type: ignore[return-value]


#: One program at a time is watched: Triton's launcher is one for all.
_LOCK = threading.RLock()


@contextmanager
def _hooked(watched: Watch) -> Iterator[None]:
    """Puts the watch before Triton's launcher, and takes it away again."""
    try:
        from triton.runtime.autotuner import Autotuner  # type: ignore[import-not-found, unused-ignore]
        from triton.runtime.jit import JITFunction  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ToolMissing(f"Triton is not installed ({error}); pip install lanescope[triton]") from error
    capability = _capability()
    watched.has_gpu = capability is not None
    if watched.target is None and capability is not None:
        watched.target = capability
    run, bench = JITFunction.run, Autotuner._bench

    def watched_run(self: Any, *args: Any, grid: Any, warmup: bool, **keywords: Any) -> Any:
        if not warmup and watched._benchmarks == 0:
            watched._see(self, args, grid, keywords)
        if warmup or watched.has_gpu:
            return run(self, *args, grid=grid, warmup=warmup, **keywords)
        return None

    def watched_bench(self: Any, *args: Any, config: Any, **keywords: Any) -> Any:
        if not watched.has_gpu:
            return _cost(watched, self, args, config, keywords)
        watched._benchmarks += 1
        try:
            return bench(self, *args, config=config, **keywords)
        finally:
            watched._benchmarks -= 1

    from ._inductor import watched_launches

    with _LOCK, watched_launches(watched):
        JITFunction.run, Autotuner._bench = watched_run, watched_bench
        try:
            yield
        finally:
            JITFunction.run, Autotuner._bench = run, bench


def _cost(watched: Watch, tuner: Any, args: tuple[Any, ...], config: Any, keywords: dict[str, Any]) -> list[float]:
    """What a configuration costs, in the place of the times that a GPU would give."""
    trial = Watch(
        target=watched.target,
        device=watched.device,
        max_seconds=watched.max_seconds,
        device_contents=watched.device_contents,
    )
    chosen = {**keywords, **{name: value for name, value in config.all_kwargs().items() if value is not None}}
    grid, chosen = chosen.pop("grid"), {name: value for name, value in chosen.items() if name != "warmup"}
    row = trial._count(trial._see(tuner, args, grid, chosen))
    return [float(row.cost) if row.result is not None else float("inf")] * 3


def _capability() -> str | None:
    """The GPU's architecture as Triton would compile for it; ``None`` without a GPU."""
    try:
        from triton.runtime.driver import driver  # type: ignore[import-not-found, unused-ignore]

        target = driver.active.get_current_target()
    except Exception:  # Triton raises whatever its drivers do.
        return None
    return f"sm_{target.arch}" if target.backend == "cuda" else None


def _kept(value: Any) -> Any:
    """An argument by its shape."""
    array = array_of(value)
    return array if array is not None else value


def _holding(value: Any, from_device: bool) -> Any:
    """An array with the bytes that it holds now, and without the memory that it lies in."""
    return value.kept(from_device) if isinstance(value, Spec) else value


def _key(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return (type(value).__name__, value)


def _spelled(value: Any) -> str:
    if isinstance(value, Spec):
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    return repr(value) if isinstance(value, (int, float, bool, str)) else str(value)


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return "x".join(map(str, value))
    return "-" if value is None else str(value)


def _plain(row: WatchRow) -> dict[str, Any]:
    launch, result = row.launch, row.result
    found: dict[str, Any] = {
        "kernel": launch.name,
        "launches": launch.times,
        "grid": list(launch.grid),
        "arguments": launch.shapes,
        "wavefronts": None,
        "conflicts": None,
        "sectors": None,
        "needed": None,
        "status": "failed",
    }
    if result is None:
        return {**found, "failed": row.failed}
    sectors = result.totals.sectors
    return {
        **found,
        "wavefronts": result.totals.wavefronts,
        "conflicts": result.conflicts,
        "sectors": sectors,
        "needed": sectors - result.excess_sectors,
        "status": result.status,
    }
