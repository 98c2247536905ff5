"""``%%lanescope``: a cell that is analysed instead of run."""

from __future__ import annotations

from typing import Any

from .cell import analyzed
from .result import Result


def register(shell: Any) -> None:
    """Makes ``%%lanescope`` known to an IPython shell."""

    def lanescope(line: str, cell: str) -> Result:
        result, into = analyzed(line, cell)
        if into:
            shell.user_ns[into] = result
        return result

    shell.register_magic_function(lanescope, "cell")
