"""Sources, compiled code, layouts and traces analysed."""

from __future__ import annotations

import base64
import json
import operator
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from . import _lanescope
from .errors import LanescopeError, SourceError, called
from .progress import bar
from .result import Result, _Origin, result_of
from .spec import array_of, spelled

Language = Literal["expression", "cuda", "wgsl", "ptx", "sass", "layout", "trace", "link"]
#: One to three numbers; those left out are 1.
Extent: TypeAlias = int | Sequence[int]
#: A number, or what an array is: an array of NumPy or PyTorch, :class:`lanescope.Spec`, or text as on the command line.
Argument: TypeAlias = Any
Arguments: TypeAlias = Mapping[str, Argument] | Sequence[Argument]
#: An id, as :func:`lanescope.devices` lists them, or the numbers of a device of your own.
Device: TypeAlias = str | Mapping[str, Any]
#: Shown while something takes long: a bar where tqdm is and somebody watches, ``False`` for none, or told the blocks done.
Progress: TypeAlias = bool | Callable[[int], object] | None

#: In a record, the bytes that an argument's array holds; not a part of what is written as JSON.
HELD = "held"

_SUFFIXES: dict[str, Language] = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".hip": "cuda",
    ".cpp": "cuda",
    ".h": "cuda",
    ".wgsl": "wgsl",
    ".ptx": "ptx",
    ".sass": "sass",
    ".csv": "trace",
    ".json": "trace",
    ".jsonl": "trace",
}

_LAYOUT = re.compile(
    r"^\s*(Swizzle\s*<|Sw<|S<\d|\(?[\d(), ]+\)?\s*:\s*\(?[\d(), ]+\)?\s*$|(cute::)?(Layout|ComposedLayout)\s*[<(]"
    r"|.*\b(make_(composed_|ordered_)?layout|composition|tile_to_shape)\s*\(|.*(smem_ptr\[|memdesc<|#ttg\.)"
    r"|.*\bLayout_(K|MN)_\w+_Atom)",
    re.MULTILINE,
)
_KERNEL = re.compile(r"__global__|restrict\(amp\)|@compute")
_LINK = re.compile(r"^\S*#?v=\d|^https?://\S+#\S+$")


def devices() -> dict[str, str]:
    """Ids and names of the devices that are known."""
    return dict(_lanescope.devices())


def analyze(
    source: str | os.PathLike[str],
    *,
    declarations: str | Sequence[str] | None = None,
    grid: Extent | None = None,
    block: Extent | None = None,
    arguments: Arguments | None = None,
    kernel: str | None = None,
    defines: Mapping[str, Any] | None = None,
    dynamic_shared_bytes: int | None = None,
    launch: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    device: Device = "cc9.0",
    compiler: Literal["none", "nvcc-13"] | None = None,
    language: Language | None = None,
    operation: Literal["load", "store"] = "load",
    access: str = "",
    values: Mapping[str, int] | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    blocks: int | None = None,
    max_requests: int = 100_000_000,
    max_seconds: float | None = 60,
    count_repeated_reads: bool = False,
    device_contents: bool = False,
    progress: Progress = None,
) -> Result:
    """Counts what ``source`` costs: the text, or the file of that name.

    ``source`` is an expression (with its ``declarations``), a kernel in CUDA, HIP or WGSL, PTX, SASS, a layout (with how
    it is accessed, as ``ldmatrix.x4``), a trace of recorded addresses, or a link of the page; ``language`` says which
    where the text does not.

    ``launch`` is a recorded launch (a file, ``"file.jsonl#3"``, or the record itself) or a mapping with ``grid``,
    ``block``, ``arguments``, ``kernel``, ``defines``, ``dynamic_shared_bytes``; what is given beside it wins.
    Arguments of compiled code go by position: a sequence, or a mapping with ``"0"``, ``"@0x18"``.

    Arrays of NumPy and tensors on the processor hold what they hold now, up to 64 MiB each; tensors on a GPU do with
    ``device_contents``, which copies them. Of other arrays nobody knows what they hold: what depends on it is counted for
    zeros, and said.

    After ``max_seconds`` (``None``: no limit) the result is what was counted until then, and ``partial``; where there is
    nothing then, :class:`LanescopeError` says so. Pictures, fixes and comparisons of the result have the same limit each.

    Of a text with several kernels whose launches its host code has, all are counted where no kernel and no shape is given: the
    result is the last one's, and ``others`` has those before it.

    Raises :class:`SourceError` where nothing could be read and :class:`LanescopeError` where the question makes no sense.
    A source of which only parts can be read has ``status == "partial"``, with the reasons.
    """
    text, file = read(source)
    if language is None:
        language = language_of(text, file, declarations)
    if language == "trace":
        return _trace(text, file, device, max_seconds)
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
        include=include,
        blocks=blocks,
        max_requests=max_requests,
        max_seconds=max_seconds,
        count_repeated_reads=count_repeated_reads,
        device_contents=device_contents,
    )
    own: dict[str, Any] = {}
    if language == "expression":
        own = {"declarations": _lines(declarations), "operation": operation, "values": dict(values or {})}
    elif language == "layout":
        own = {"accesses": access}
    subject = given.subject(text, file, language, own)
    origin = _Origin(subject=json.dumps(subject), text=whole(text, subject), file=file)
    # Arguments by position are those of one kernel.
    is_chosen = launch is not None or any(one is not None for one in (given.kernel, given.grid, given.block)) or any(
        name.isdecimal() for name in subject["ask"].get("arguments", {})
    )
    if language == "cuda" and not is_chosen:
        return _every_kernel(origin, subject, progress)
    return _asked(origin, progress, given.grid)


@dataclass
class Given:
    """What is given of a question besides its text."""

    grid: Extent | None = None
    block: Extent | None = None
    arguments: Arguments | None = None
    kernel: str | None = None
    defines: Mapping[str, Any] | None = None
    dynamic_shared_bytes: int | None = None
    launch: str | os.PathLike[str] | Mapping[str, Any] | None = None
    device: Device = "cc9.0"
    compiler: Literal["none", "nvcc-13"] | None = None
    include: Iterable[str | os.PathLike[str]] = ()
    blocks: int | None = None
    max_requests: int = 100_000_000
    max_seconds: float | None = 60
    count_repeated_reads: bool = False
    device_contents: bool = False

    def subject(self, text: str, file: str | None, language: Language, own: Mapping[str, Any]) -> dict[str, Any]:
        """The question of a text as the native module takes it; ``own`` is what only texts of its kind have. What
        ``launch`` gives and nothing else is given here afterwards."""
        record = self._record()
        is_compiled = language in ("ptx", "sass")
        ask: dict[str, Any] = {"max_requests": self.max_requests}
        if language == "link":
            ask["link"] = text
        else:
            ask["device"] = self.device if isinstance(self.device, str) else dict(self.device)
            ask["count_repeated_reads"] = self.count_repeated_reads
            ask["grid"] = extents(self.grid) if self.grid is not None else [1, 1, 1]
            if self.block is not None:
                ask["block"] = extents(self.block)
            elif language not in ("expression", "layout"):
                ask["block"] = [1, 1, 1]
        if language == "expression":
            ask.update(own, accesses=text)
        elif language == "layout":
            ask.update(own, declarations=text)
        elif language != "link":
            ask["kernel"] = text
            if self.compiler is not None:
                ask["compiler"] = self.compiler
            ask["kernel_name"] = self.kernel
            ask["defines"] = {name: _word(value) for name, value in (self.defines or {}).items()}
            ask["arguments"] = _arguments(self.arguments, is_compiled)
            ask["dynamic_shared_bytes"] = self.dynamic_shared_bytes or 0
        return {
            "language": language,
            "ask": ask,
            "blocks": self.blocks,
            "folders": [os.fspath(folder) for folder in self.include],
            "path": file if language == "cuda" else None,
            "record": record[0],
            "record_number": record[1],
            "grid_given": self.grid is not None,
            "block_given": self.block is not None,
            "shared_given": self.dynamic_shared_bytes is not None,
            "max_seconds": _seconds(self.max_seconds),
            "contents": _encoded({**held_of_record(self.launch), **_held(self.arguments, self.device_contents)}),
        }

    def _record(self) -> tuple[str | None, int | None]:
        """The text of a recorded launch and its number; a mapping of options fills what is not given instead."""
        launch = self.launch
        if launch is None:
            return None, None
        if isinstance(launch, Mapping):
            if _is_record(launch):
                arguments = [{key: value for key, value in one.items() if key != HELD} for one in launch["arguments"]]
                return json.dumps({**launch, "arguments": arguments}), None
            unknown = sorted(set(launch) - set(_OPTIONS))
            if unknown:
                raise LanescopeError(f"a launch has no `{unknown[0]}`; it has {', '.join(_OPTIONS)}")
            for name, value in launch.items():
                if getattr(self, name) is None:
                    setattr(self, name, value)
            return None, None
        name = os.fspath(launch)
        before, mark, number = name.rpartition("#")
        if mark and number.isdecimal():
            return read(Path(before))[0], int(number)
        return read(Path(name))[0], None


#: What a launch as a mapping may give.
_OPTIONS = ("grid", "block", "arguments", "kernel", "defines", "dynamic_shared_bytes")


def _every_kernel(origin: _Origin, subject: dict[str, Any], progress: Progress) -> Result:
    """The answer to the last kernel whose launch the text has, with those to the others; of a text with one kernel, its
    own."""
    assert origin.subject is not None
    launched, unknown = called(_lanescope.kernels, origin.subject)
    if not launched:
        return _asked(origin, progress, None)
    ask = subject["ask"]
    known = {name for _, names in launched for name in names}
    strangers = [name for name in ask["arguments"] if name not in known]
    if strangers:
        message = f"none of the kernels has a parameter `{strangers[0]}`; they have {', '.join(sorted(known))}"
        raise LanescopeError(message)
    results = []
    for kernel, names in launched:
        own = {name: value for name, value in ask["arguments"].items() if name in names}
        held = {name: value for name, value in subject["contents"].items() if name in names}
        one = {**subject, "ask": {**ask, "kernel_name": kernel, "arguments": own}, "contents": held}
        results.append(_asked(replace(origin, subject=json.dumps(one)), progress, None))
    counted = [one for one in results if one.lines]
    idle = [one for one in results if not one.lines]
    if not counted:
        counted, idle = idle, []
    notes = [f"{one.kernel} has no access to count" for one in idle]
    if unknown:
        notes.append(f"the text has no launch of {', '.join(unknown)}; kernel= counts one under a guess")
    last = counted[-1]
    return replace(last, others=counted[:-1], notes=[*last.notes, *notes])


def _asked(origin: _Origin, progress: Progress, grid: Extent | None) -> Result:
    """The answer to a question that is written already."""
    assert origin.subject is not None
    total = None
    if grid is not None:
        x, y, z = extents(grid)
        total = x * y * z
    with bar(progress, total) as tell:
        raw = json.loads(called(_lanescope.analyze, origin.subject, tell))
    result = result_of(raw, origin)
    if not raw.get("is_answered", True):
        raise SourceError(origin.file, result.diagnostics)
    return result


def whole(text: str, subject: Mapping[str, Any]) -> str:
    """The text in which the places of fixes count."""
    return f"{subject['ask']['declarations']}\n{text}" if subject["language"] == "expression" else text


def read(source: str | os.PathLike[str]) -> tuple[str, str | None]:
    """Text, and the file where it stood."""
    if isinstance(source, str):
        is_name = "\n" not in source and len(source) < 4096 and Path(source).suffix.lower() in _SUFFIXES
        if not is_name:
            return source, None
        if not Path(source).is_file():
            raise LanescopeError(f"there is no file {source}")
    elif not isinstance(source, os.PathLike):
        raise LanescopeError(f"a source is text or the name of a file, not {type(source).__name__}")
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace"), os.fspath(path)
    except OSError as error:
        raise LanescopeError(f"cannot read {path}: {error.strerror}") from error


def language_of(text: str, file: str | None, declarations: object) -> Language:
    if declarations is not None:
        return "expression"
    if file is not None:
        suffix = _SUFFIXES.get(Path(file).suffix.lower())
        if suffix is not None:
            return suffix
    found = _lanescope.language(text)
    if found == "ptx":
        return "ptx"
    if found == "sass":
        return "sass"
    if found == "wgsl":
        return "wgsl"
    if _KERNEL.search(text):
        return "cuda"
    if _LINK.match(text):
        return "link"
    first = text.lstrip().split("\n", 1)[0]
    if first.startswith(("instruction,", "[", "{")) or ",lane0" in first:
        return "trace"
    if _LAYOUT.match(text):
        return "layout"
    return "expression"


def _is_record(launch: Mapping[str, Any]) -> bool:
    """Whether a mapping is a recorded launch, whose arguments are bytes, and not the options of one."""
    arguments = launch.get("arguments")
    is_recorded = isinstance(arguments, list) and all(isinstance(one, Mapping) for one in arguments)
    return is_recorded and "block" in launch and "grid" in launch


def _seconds(limit: float | None) -> float | None:
    if limit is not None and not 0 < limit < 1e9:
        raise LanescopeError(f"`{limit}` is no limit of time; give a number of seconds, or None for no limit")
    return limit


def extents(extent: Extent) -> list[int]:
    """Three numbers of one to three."""
    try:
        if isinstance(extent, str):
            raise TypeError
        numbers = [operator.index(number) for number in (extent if isinstance(extent, Iterable) else [extent])]
    except TypeError:
        numbers = []
    if not 1 <= len(numbers) <= 3 or any(number < 1 for number in numbers):
        raise LanescopeError(f"`{extent}` is no extent; give one to three whole numbers from 1, as 256 or (32, 8)")
    return numbers + [1] * (3 - len(numbers))


def _lines(text: str | Sequence[str] | None) -> str:
    if text is None:
        return ""
    return text if isinstance(text, str) else "\n".join(text)


def _word(value: Any) -> str | int | float | bool:
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def _arguments(arguments: Arguments | None, is_compiled: bool) -> dict[str, str]:
    if arguments is None:
        return {}
    if isinstance(arguments, Mapping):
        return {str(name): spelled(value, str(name)) for name, value in arguments.items()}
    if not is_compiled:
        raise LanescopeError("arguments of a source go by name: a mapping, as {'n': 1024}")
    return {str(at): spelled(value, str(at)) for at, value in enumerate(arguments)}


def _held(arguments: Arguments | None, from_device: bool) -> dict[str, bytes]:
    """What arrays among the arguments hold, by name or position."""
    pairs = arguments.items() if isinstance(arguments, Mapping) else enumerate(arguments or ())
    held = {}
    for name, value in pairs:
        array = None if isinstance(value, str) else array_of(value)
        contents = None if array is None else array.contents(from_device)
        if contents is not None:
            held[str(name)] = contents
    return held


def held_of_record(launch: Any) -> dict[str, bytes]:
    """What arrays of a record that another function of this package made hold, by position."""
    arguments = launch.get("arguments") if isinstance(launch, Mapping) and _is_record(launch) else ()
    pairs = ((str(at), one.get(HELD)) for at, one in enumerate(arguments or ()))
    return {at: contents for at, contents in pairs if contents is not None}


def _encoded(held: Mapping[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(contents).decode("ascii") for name, contents in held.items()}


def _trace(text: str, file: str | None, device: Device, max_seconds: float | None) -> Result:
    if not isinstance(device, str):
        raise LanescopeError("a trace is counted for a device with an id; see lanescope.devices()")
    report = json.loads(called(_lanescope.trace, text, device, _seconds(max_seconds)))
    rows = [_row(row) for row in report["rows"]]
    errors = [
        {
            "severity": "error",
            "code": "trace",
            "line": fault["line"],
            "column": fault["column"],
            "message": f"{fault['title']}: {fault['message']}" if fault["title"] else fault["message"],
        }
        for fault in report["errors"]
    ]
    unknown = sum(row["unknown"] is not None for row in rows)
    unread = sum(not fault["answered"] for fault in report["errors"])
    reasons = []
    if unread:
        reasons.append({"code": "unread", "status": "partial", "message": f"{unread} rows could not be read"})
    if unknown:
        reasons.append({"code": "device", "status": "partial", "message": f"{unknown} rows have no number on {device}"})
    raw = {
        "device": report["device"],
        "status": "partial" if reasons else "counted",
        "reasons": reasons,
        "totals": _row_totals(rows),
        "lines": rows,
        "diagnostics": errors,
        "verdict": _trace_verdict(rows, report),
    }
    return result_of(raw, _Origin(subject=None, text=text, file=file))


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    name = str(row["instruction"])
    is_shared = row["wavefronts"] is not None
    kind = "store" if name.startswith("st") else "atomic" if name.startswith("atom") else "load"
    kind = "reduction" if name.startswith("red") else kind
    found = {name: value or 0 for name, value in row.items() if name in _ROW}
    found.update(line=row["row"], op=f"{'shared' if is_shared else 'global'}_{kind}", requests=1)
    found.update(text=name, unknown=row.get("unknown"))
    return found


_ROW = ("wavefronts", "ideal_wavefronts", "conflicts", "ways", "sectors", "ideal_sectors", "bytes_used", "bytes_moved")


def _row_totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    def total(op: str, name: str) -> int:
        return sum(row.get(name, 0) for row in rows if row["op"] == op)

    totals = {"shared_atomic_wavefronts": total("shared_atomic", "wavefronts")}
    for kind in ("load", "store"):
        totals[f"shared_{kind}_wavefronts"] = total(f"shared_{kind}", "wavefronts")
        totals[f"shared_{kind}_bank_conflicts"] = total(f"shared_{kind}", "conflicts")
    for kind in ("load", "store", "reduction", "atomic"):
        totals[f"global_{kind}_requests"] = total(f"global_{kind}", "requests")
        totals[f"global_{kind}_sectors"] = total(f"global_{kind}", "sectors")
    return totals


def _trace_verdict(rows: Sequence[Mapping[str, Any]], report: Mapping[str, Any]) -> str:
    worst = max(rows, key=lambda row: int(row.get("ways", 0)), default=None)
    ways = worst.get("ways", 0) if worst is not None else 0
    said = f"{len(rows)} rows ({report['device']})"
    if worst is not None and ways > 1:
        said += f"; row {worst['line']} is a {ways}-way bank conflict"
    elif ways == 1:
        said += "; no bank conflict"
    agreement = report.get("agreement")
    if agreement is not None:
        said += f"; {agreement['agree']} of {agreement['rows']} agree with the measured columns"
    return said
