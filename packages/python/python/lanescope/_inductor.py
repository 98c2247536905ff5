"""What ``torch.compile`` makes of a function: Inductor's Triton kernels, counted as they are launched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._watch import Watch, WatchReport, watch
from .analysis import Device
from .errors import ToolMissing
from .spec import Spec, array_of


def inductor(
    function: Callable[..., Any],
    *inputs: Any,
    target: str | None = None,
    device: Device | None = None,
    max_seconds: float | None = 60,
    **options: Any,
) -> WatchReport:
    """Compiles ``function`` with ``torch.compile``, calls it once and counts the Triton kernels that Inductor launches.

    >>> lanescope.inductor(lambda x, y: (x @ y).softmax(-1), (512, 512), (512, 512))      # doctest: +SKIP

    ``inputs`` are tensors, numbers, or shapes: a tuple of extents is a ``float32`` tensor of random numbers on the GPU,
    :func:`lanescope.spec` and ``(shape, dtype)`` one of that type. ``options`` go to ``torch.compile``.
    ``target``, ``device`` and ``max_seconds`` are those of :func:`lanescope.watch`, which sees Inductor's kernels in any
    other program too. What Inductor leaves to libraries (most matrix products) is no Triton kernel, and is not counted.

    It runs on a GPU: Inductor writes Triton kernels for a GPU that is there. Raises :class:`ToolMissing` without one.
    """
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ToolMissing(f"PyTorch is not installed ({error})") from error
    if not torch.cuda.is_available():
        raise ToolMissing("Inductor writes Triton kernels for a GPU that is there, and PyTorch finds none")
    tensors = [_tensor(torch, one) for one in inputs]
    compiled = torch.compile(function, **options)
    with watch(target=target, device=device, max_seconds=max_seconds) as watched:
        compiled(*tensors)
        torch.cuda.synchronize()
    return watched.report()


def _tensor(torch: Any, value: Any) -> Any:
    """The tensor that stands for an input; numbers and tensors stay as they are."""
    if isinstance(value, (tuple, list)) and all(isinstance(extent, int) for extent in value):
        value = Spec(tuple(value))
    elif isinstance(value, tuple):
        value = array_of(value)
    if not isinstance(value, Spec):
        return value
    dtype = getattr(torch, value.dtype)
    if dtype.is_floating_point:
        return torch.randn(value.shape, device="cuda").to(dtype)
    return torch.zeros(value.shape, dtype=dtype, device="cuda")


@contextmanager
def watched_launches(watched: Watch) -> Iterator[None]:
    """Has ``watched`` see what Inductor launches, where PyTorch is: its launcher is not Triton's."""
    try:
        from torch._inductor.runtime.triton_heuristics import (  # type: ignore[import-not-found, unused-ignore]
            CachingAutotuner,
        )
    except ImportError:
        yield
        return
    run = CachingAutotuner.run

    def watched_run(self: Any, *args: Any, stream: Any, benchmark_run: bool = False, **keywords: Any) -> Any:
        result = run(self, *args, stream=stream, benchmark_run=benchmark_run, **keywords)
        if not benchmark_run and len(self.launchers) == 1:
            _see(watched, self, args, keywords)
        return result

    CachingAutotuner.run = watched_run
    try:
        yield
    finally:
        CachingAutotuner.run = run


def _see(watched: Watch, tuner: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Tells ``watched`` of a launch: the kernel, its arguments by name, and the configuration that Inductor chose."""
    function = tuner.fn
    if function.fn is None:  # compiled by another process, which has the kernel's text
        function = tuner._reload_kernel().fn
    config = tuner.launchers[0].config
    given, grid = tuner._interpret_args_grid(args, config)
    constants = {**tuner.triton_meta.get("constants", {}), **config.kwargs}
    names = [one.name for one in function.params]
    constants = {name: value for name, value in constants.items() if name in names}
    free = [one.name for one in function.params if not one.is_constexpr and one.name not in constants]
    if len(given) > len(free):  # constants stand among the arguments where Inductor passes all
        free = [one.name for one in function.params if one.name not in config.kwargs]
    named = {**constants, **dict(zip(free, given)), **keywords}
    options = {"num_warps": config.num_warps, "num_stages": config.num_stages}
    watched._see(function, (), tuple(int(extent) for extent in grid), {**named, **options})
