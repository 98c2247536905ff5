"""Fixes as the native module tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import LanescopeError


@dataclass(frozen=True)
class TileLayout:
    """Where a fix puts the elements of a shared array, as others write layouts."""

    #: The array.
    array: str
    #: CuTe's type in C++.
    cute: str
    #: As CuTe's Python writes it.
    cute_dsl: str
    #: Triton's encoding, where it has one.
    triton: str | None


@dataclass(frozen=True)
class SassCost:
    """What is counted in the SASS of a whole launch."""

    #: Of shared memory.
    wavefronts: int
    #: Of global memory.
    sectors: int
    #: Instructions that warps issue; ``None`` where a loop is not run to its end.
    instructions: int | None
    #: Those of them that compute whole numbers, which indices are made of.
    integer_instructions: int | None


@dataclass(frozen=True)
class Fix:
    """A change of the source, proved by running the changed source."""

    #: What it does, as ``pad the rows of tile to 33``.
    kind: str
    #: The array.
    array: str
    #: What to write.
    source: str
    proof: str
    #: The whole source, changed.
    changed: str
    #: Wavefronts and their ideal, sectors and their ideal of the blocks that were run.
    wavefronts: tuple[int, int]
    ideal_wavefronts: tuple[int, int]
    sectors: tuple[int, int]
    #: Bytes of shared memory before and after.
    shared_bytes: tuple[int, int]
    #: Blocks that an SM holds before and after; ``None`` where the device does not say.
    blocks_per_sm: tuple[int | None, int | None]
    #: Instructions that computing the index takes more, estimated from the text.
    index_instructions: int
    #: Where it puts the elements of shared arrays, in the notations of CuTe and Triton.
    layouts: tuple[TileLayout, ...]
    #: What the changed source is launched with otherwise: of ``grid``, ``block``, ``dynamic_shared_bytes`` and ``arguments``.
    launch: dict[str, Any]
    #: A line whose accesses cost more with it, what they cost before, and with it.
    raises: tuple[int, int, int] | None = None
    #: What its SASS costs, where :func:`lanescope.fix` compiled it.
    sass: SassCost | None = None


def fix_of(found: dict[str, Any], text: str) -> Fix:
    """A fix of a text that the native module found."""
    changed = text.encode()
    # What is changed in an included file is no part of the source's text.
    own = [edit for edit in found["edits"] if "file" not in edit]
    for edit in sorted(own, key=lambda edit: -int(edit["start"])):
        changed = changed[: edit["start"]] + edit["replacement"].encode() + changed[edit["end"] :]
    before, after = found["before"], found["after"]

    def both(name: str) -> tuple[int, int]:
        return (int(before[name]), int(after[name]))

    raises = found.get("raises")
    return Fix(
        kind=found["fix"],
        array=found["array"],
        source=found["source"],
        proof=found["proof"],
        changed=changed.decode(),
        wavefronts=both("shared_wavefronts"),
        ideal_wavefronts=both("shared_ideal"),
        sectors=both("global_units"),
        shared_bytes=(found["shared_bytes"][0], found["shared_bytes"][1]),
        blocks_per_sm=(found["blocks_per_sm"][0], found["blocks_per_sm"][1]),
        index_instructions=found["index_instructions"],
        layouts=tuple(TileLayout(**one) for one in found.get("layouts", ())),
        launch=_launch_of(found.get("launch_options", ())),
        raises=None if raises is None else (raises["line"], raises["from"], raises["to"]),
    )


def _launch_of(options: Sequence[str]) -> dict[str, Any]:
    """Options of the command line as what :func:`lanescope.analyze` is given."""
    launch: dict[str, Any] = {}
    for option, value in zip(options[::2], options[1::2]):
        if option in ("--grid", "--block"):
            launch[option.removeprefix("--")] = tuple(int(side) for side in value.split(","))
        elif option == "--dynamic-shared":
            launch["dynamic_shared_bytes"] = int(value)
        elif option == "--arg":
            name, _, text = value.partition("=")
            launch.setdefault("arguments", {})[name] = int(text) if text.lstrip("-").isdecimal() else text
        else:
            raise LanescopeError(f"a fix gives the option {option}, which is not known here")
    return launch
