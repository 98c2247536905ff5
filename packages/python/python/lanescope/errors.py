"""What can go wrong, with the place where it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from .result import Diagnostic

P = ParamSpec("P")
T = TypeVar("T")


class LanescopeError(ValueError):
    """A question that cannot be asked; its text says what to do instead."""


class SourceError(LanescopeError):
    """A source of which nothing could be read.

    ``file``, ``line`` and ``column`` are the place of the first error, ``diagnostics`` everything that was found.
    """

    def __init__(self, file: str | None, diagnostics: list[Diagnostic]) -> None:
        first = next((one for one in diagnostics if one.severity == "error"), None)
        if first is None and diagnostics:
            first = diagnostics[0]
        self.file = file
        self.line = first.line if first else None
        self.column = first.column if first else None
        self.diagnostics = diagnostics
        place = file or "<source>"
        if first is None:
            super().__init__(f"{place}: nothing could be read")
        else:
            super().__init__(f"{place}:{first.line}:{first.column}: {first.message}")


class ToolMissing(LanescopeError):
    """A compiler or disassembler is not at hand; the text says how to get it."""


class CompilationError(LanescopeError):
    """A compiler refused the source; the text is what it said."""


def called(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``function(...)``, with the native module's errors as ``LanescopeError``."""
    try:
        return function(*args, **kwargs)
    except LanescopeError:
        raise
    except ValueError as error:
        raise LanescopeError(str(error)) from None
