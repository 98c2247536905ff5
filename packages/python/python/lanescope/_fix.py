"""Fixes of a source: with the code that a compiler made of it beside it, or each compiled and counted."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from . import _lanescope
from ._fixes import Fix, SassCost, fix_of
from .analysis import Arguments, Device, Extent, Given, language_of, read, whole
from .errors import CompilationError, LanescopeError, called
from .tools import compiled, disassembled, is_object


@dataclass(frozen=True)
class CostliestLine:
    """The line of a source whose compiled code wastes most."""

    line: int
    #: Wavefronts of shared memory that its instructions take, and the fewest.
    wavefronts: tuple[int, int]
    #: Sectors of global memory, and the fewest.
    sectors: tuple[int, int]


@dataclass(frozen=True)
class Fixes(Sequence[Fix]):
    """The fixes of a source, the one to make first at the front."""

    fixes: tuple[Fix, ...]
    #: Blocks that each was proved on.
    blocks: int
    #: What is to be said besides, as why there is no fix.
    notes: tuple[str, ...]
    #: Of compiled code with its source beside: the line that wastes most. ``None`` where none does.
    costliest: CostliestLine | None
    #: With ``compile``: what the SASS of the source as it is costs.
    sass: SassCost | None

    def __len__(self) -> int:
        return len(self.fixes)

    def __getitem__(self, index: Any) -> Any:
        return self.fixes[index]


def fix(
    text: str | os.PathLike[str] | bytes,
    *,
    source: str | os.PathLike[str] | None = None,
    compile: bool = False,
    grid: Extent | None = None,
    block: Extent | None = None,
    arguments: Arguments | None = None,
    kernel: str | None = None,
    defines: Mapping[str, Any] | None = None,
    dynamic_shared_bytes: int | None = None,
    launch: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    device: Device = "cc9.0",
    compiler: Literal["none", "nvcc-13"] | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    target: str = "sm_90",
    flags: Sequence[str] = ("-O3",),
    max_requests: int = 100_000_000,
    max_seconds: float | None = 60,
    count_repeated_reads: bool = False,
) -> Fixes:
    """The fixes of a kernel in CUDA, HIP or WGSL (its text, or the name of its file), each proved on the changed source.

    With ``source``, ``text`` is what a compiler made of it: a SASS listing, PTX, the name of such a file, of a cubin, object
    or program, or the bytes of one. It is counted, by its line information the line of the source that wastes most is named
    (``costliest``), and the fixes of what that line touches come first. Arguments go by their names in the source.

    With ``compile``, nvcc compiles the source and each fix for ``target`` (it is looked for on ``PATH``, under ``CUDA_HOME``
    and among Python's packages, and no GPU is needed), and ``sass`` says what is counted in the SASS of the whole launch:
    ``sass`` of the answer for the source as it is, ``sass`` of each fix for that.
    """
    if source is not None and compile:
        raise LanescopeError("`source` is for code that is compiled already; leave out `compile`")
    given = Given(
        grid=grid,
        block=block,
        arguments=arguments,
        kernel=kernel,
        defines=defines,
        dynamic_shared_bytes=dynamic_shared_bytes,
        launch=launch,
        device=device,
        compiler=compiler,
        include=tuple(include),
        max_requests=max_requests,
        max_seconds=max_seconds,
        count_repeated_reads=count_repeated_reads,
    )
    if source is None and isinstance(text, bytes):
        raise LanescopeError("fixes are changes of a source: give the one that this was compiled from as `source`")
    own, file = read(source if source is not None else text)  # type: ignore[arg-type]
    language = language_of(own, file, None)
    if language not in ("cuda", "wgsl"):
        hint = "; give the one that this was compiled from as `source`" if language in ("ptx", "sass") else ""
        raise LanescopeError(f"fixes are searched in CUDA, HIP and WGSL{hint}")
    subject = given.subject(own, file, language, {})
    beside = None if source is None else json.dumps(_beside(text, given, subject))
    found = json.loads(called(_lanescope.fixes, json.dumps(subject), beside))
    fixes = tuple(fix_of(one, whole(own, subject)) for one in found["fixes"])
    notes, sass = tuple(found["notes"]), None
    if compile:
        if language != "cuda":
            raise LanescopeError("`compile` takes CUDA source")
        nvcc = _Nvcc(target, tuple(flags), file)
        sass = nvcc.counted(own, given, subject)
        fixes, refused = _compiled(nvcc, fixes, found["fixes"], given, subject)
        notes += refused
    return Fixes(fixes=fixes, blocks=found["blocks"], notes=notes, costliest=_costliest(found), sass=sass)


def _costliest(found: Mapping[str, Any]) -> CostliestLine | None:
    line = found.get("costliest")
    if line is None:
        return None
    wavefronts, sectors = (tuple(line[name]) for name in ("wavefronts", "sectors"))
    return CostliestLine(line=line["line"], wavefronts=wavefronts, sectors=sectors)


def _beside(code: str | os.PathLike[str] | bytes, given: Given, source: Mapping[str, Any]) -> dict[str, Any]:
    """The question of compiled code in the launch of its source."""
    listing = _listing(code)
    language = _lanescope.language(listing)
    if language not in ("ptx", "sass"):
        raise LanescopeError("beside its source goes what was compiled: SASS, PTX, a cubin, an object or a program")
    return _of_code(listing, language, given, source)


def _of_code(listing: str, language: Any, given: Given, source: Mapping[str, Any]) -> dict[str, Any]:
    """The question of a listing with the names and the launch of the subject of its source."""
    subject = replace(given, launch=None, defines=None, arguments=None, kernel=None).subject(listing, None, language, {})
    own, ask = source["ask"], subject["ask"]
    ask.update(arguments=own["arguments"], kernel_name=own["kernel_name"])
    kept = ("record", "record_number", "contents")
    return {**subject, **{name: source[name] for name in kept}}


def _listing(code: str | os.PathLike[str] | bytes) -> str:
    """The text of compiled code; objects are disassembled."""
    if isinstance(code, bytes):
        return disassembled(code)
    is_name = not isinstance(code, str) or ("\n" not in code and Path(code).is_file())
    if is_name:
        try:
            held = Path(code).read_bytes()
        except OSError as error:
            raise LanescopeError(f"cannot read {code}: {error.strerror}") from error
        if is_object(held):
            return disassembled(held)
    return read(code)[0]


@dataclass(frozen=True)
class _Nvcc:
    """How sources are compiled."""

    target: str
    flags: tuple[str, ...]
    #: Where the source stands, if it is a file: what it includes is looked for there.
    file: str | None

    def counted(self, text: str, given: Given, source: Mapping[str, Any]) -> SassCost:
        """What the SASS of a text costs in the launch of ``given``; ``source`` is the subject of the text as it was."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernel.cu"
            path.write_text(text, encoding="utf-8")
            folders = [Path(self.file).resolve().parent] if self.file is not None else []
            folders += [Path(one).resolve() for one in given.include]
            listing = compiled(path, self.target, [*self.flags, *(f"-I{one}" for one in folders)], given.defines)
        changed = {**source, "ask": {**source["ask"], "kernel": text}}
        code = _of_code(listing, "sass", given, source)
        report = json.loads(called(_lanescope.analyze, json.dumps(code), None, json.dumps(changed)))
        if not report["is_answered"]:
            raise LanescopeError("its code could not be counted")
        return SassCost(**report["cost"])


def _compiled(
    nvcc: _Nvcc, fixes: Sequence[Fix], found: Sequence[Mapping[str, Any]], given: Given, subject: Mapping[str, Any]
) -> tuple[tuple[Fix, ...], tuple[str, ...]]:
    """The fixes with what their SASS costs, and what is to be said of those that have none."""
    all_of_them, notes = [], []
    for number, (one, raw) in enumerate(zip(fixes, found), 1):
        launched = _launched(given, one.launch)
        source = launched.subject(one.changed, nvcc.file, "cuda", {})
        try:
            if any("file" in edit for edit in raw["edits"]):
                raise LanescopeError("it changes an included file")
            kept = {name: subject[name] for name in ("record", "record_number", "contents")}
            all_of_them.append(replace(one, sass=nvcc.counted(one.changed, launched, {**source, **kept})))
        except (CompilationError, LanescopeError) as error:
            notes.append(f"fix {number} in SASS: {error}")
            all_of_them.append(one)
    return tuple(all_of_them), tuple(notes)


def _launched(given: Given, options: Mapping[str, Any]) -> Given:
    """What is given, with what a fix is launched with otherwise."""
    own = dict(options)
    arguments = own.pop("arguments", {})
    kept = given.arguments if isinstance(given.arguments, Mapping) else {}
    return replace(given, launch=given.launch, arguments={**kept, **arguments}, **own)
