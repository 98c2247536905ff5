"""A bar for what takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds after which a bar is shown.
_PATIENCE = 1.0


@contextmanager
def bar(progress: bool | Callable[[int], object] | None, total: int | None) -> Iterator[Callable[[int], object] | None]:
    """What is told the blocks done: the caller's own, a bar of tqdm where it is installed and somebody watches, or
    nothing."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    begun = time.monotonic()
    shown: list[Any] = []

    def tell(done: int) -> None:
        if not shown:
            if time.monotonic() - begun < _PATIENCE:
                return
            shown.append(tqdm(total=total, unit=" blocks", leave=False))
        shown[0].update(done - shown[0].n)

    try:
        yield tell
    finally:
        for one in shown:
            one.close()
