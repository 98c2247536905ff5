"""What stands behind ``lanescope`` at the head of a notebook's cell or of a fence: options as on the command line."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from .analysis import analyze
from .errors import LanescopeError
from .result import Result


class _Refused(Exception):
    """The magic's line cannot be read."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise _Refused(message)


def _parser() -> _Parser:
    parser = _Parser(prog="lanescope", add_help=False)
    parser.add_argument("--grid", type=_extent)
    parser.add_argument("--block", type=_extent)
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--define", "-D", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--decl", action="append", metavar="DECLARATION")
    parser.add_argument("--kernel")
    parser.add_argument("--dynamic-shared", type=int)
    parser.add_argument("--device", default="cc9.0")
    parser.add_argument("--compiler", choices=("none", "nvcc-13"))
    parser.add_argument("--op", choices=("load", "store"), default="load")
    parser.add_argument("--language", choices=("expression", "cuda", "wgsl", "ptx", "sass", "layout", "trace", "link"))
    parser.add_argument("--access", default="")
    parser.add_argument("--into", metavar="VARIABLE")
    return parser


def _extent(text: str) -> list[int]:
    return [int(part) for part in text.replace("x", ",").split(",")]


def _pairs(given: list[str]) -> dict[str, str]:
    pairs = {}
    for one in given:
        name, mark, value = one.partition("=")
        if not mark or not name:
            raise _Refused(f"`{one}`: write NAME=VALUE")
        pairs[name] = value
    return pairs


def analyzed(line: str, cell: str) -> tuple[Result, str | None]:
    """What a cell or a fence costs, and the variable that is to hold it. Raises :class:`LanescopeError`."""
    try:
        options = _parser().parse_args(shlex.split(line))
        result = analyze(
            cell.strip("\n"),
            declarations=options.decl,
            grid=options.grid,
            block=options.block,
            arguments=_pairs(options.arg),
            defines=_pairs(options.define),
            kernel=options.kernel,
            dynamic_shared_bytes=options.dynamic_shared,
            device=options.device,
            compiler=options.compiler,
            operation=options.op,
            language=options.language,
            access=options.access,
        )
    except (_Refused, argparse.ArgumentError) as error:
        raise LanescopeError(f"lanescope: {error}") from None
    except ValueError as error:
        if isinstance(error, LanescopeError):
            raise
        raise LanescopeError(f"lanescope: {error}") from None
    return result, options.into
