"""What an analysis gives."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _lanescope
from ._fixes import Fix, fix_of
from .errors import LanescopeError, called

if TYPE_CHECKING:
    import pandas as pd

Status = Literal["counted", "predicted", "assumed", "partial"]


@dataclass(frozen=True)
class Totals:
    """The sums of the whole run, by the profiler's names."""

    shared_load_wavefronts: int = 0
    shared_load_bank_conflicts: int = 0
    shared_store_wavefronts: int = 0
    shared_store_bank_conflicts: int = 0
    shared_atomic_wavefronts: int = 0
    global_load_requests: int = 0
    global_load_sectors: int = 0
    global_store_requests: int = 0
    global_store_sectors: int = 0
    #: Atomic operations on global memory: whose old value nobody wants, and that give it back.
    global_reduction_requests: int = 0
    global_reduction_sectors: int = 0
    global_atomic_requests: int = 0
    global_atomic_sectors: int = 0
    #: Of compiled code: ``ldmatrix``, ``stmatrix`` and the shared side of ``cp.async``, which the profiler's counters by
    #: instruction do not have among loads and stores.
    matrix_load_wavefronts: int = 0
    matrix_store_wavefronts: int = 0
    async_copy_wavefronts: int = 0

    @property
    def wavefronts(self) -> int:
        """All passes over the banks."""
        return (
            self.shared_load_wavefronts
            + self.shared_store_wavefronts
            + self.shared_atomic_wavefronts
            + self.matrix_load_wavefronts
            + self.matrix_store_wavefronts
            + self.async_copy_wavefronts
        )

    @property
    def sectors(self) -> int:
        """All sectors of global memory."""
        return (
            self.global_load_sectors
            + self.global_store_sectors
            + self.global_reduction_sectors
            + self.global_atomic_sectors
        )


@dataclass(frozen=True)
class Line:
    """What one line costs, for one kind of operation; what does not apply is 0."""

    line: int
    op: str
    text: str
    #: The included file that it stands in, or the file that compiled code names; of the source itself, nothing.
    file: str | None = None
    requests: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0
    conflicts: int = 0
    #: n of n-way.
    ways: int = 0
    sectors: int = 0
    ideal_sectors: int = 0
    bytes_used: int = 0
    bytes_moved: int = 0
    #: What ``sectors`` counts where it is not sectors.
    unit: str | None = None
    #: Why there is no number.
    unknown: str | None = None


@dataclass(frozen=True)
class Access(Line):
    """What one instruction of compiled code costs. ``line`` is the source's where the code says, ``text`` the
    instruction."""

    #: Line of the PTX or SASS.
    text_line: int = 0


@dataclass(frozen=True)
class Finding:
    """An access that costs more than it needs; what does not apply is 0."""

    #: Of compiled code, of the PTX or SASS.
    line: int
    op: str
    text: str
    #: The included file that it stands in; of the source itself, nothing.
    file: str | None = None
    requests: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0
    #: n of n-way of the worst request.
    ways: int = 0
    sectors: int = 0
    ideal_sectors: int = 0
    #: What ``sectors`` counts where it is not sectors.
    unit: str | None = None
    #: Cycles of the pipe that the waste occupies.
    wasted_cycles: int = 0
    #: Its part of all waste in hundredths of a percent; those of all findings sum to 10,000.
    share_basis_points: int = 0


@dataclass(frozen=True)
class Reason:
    """An assumption, or what is missing."""

    #: Stays the same for ever, as ``argument``, ``contents`` or ``unread``.
    code: str
    #: What it makes of the answer.
    status: Status
    message: str


@dataclass(frozen=True)
class Diagnostic:
    """What is to be said about the source; lines and columns from 1."""

    severity: Literal["note", "warning", "error"]
    code: str
    line: int
    column: int
    message: str
    #: Of an expression: ``declarations`` or ``accesses``, in which lines are counted.
    within: str | None = None
    #: The included file that it stands in.
    file: str | None = None


@dataclass(frozen=True)
class Worst:
    """The request that costs most above its ideal."""

    line: int | None
    file: str | None
    block: tuple[int, int, int]
    warp: int
    #: How often the warp had come there before.
    occurrence: int
    space: Literal["shared", "global"]
    #: Bytes a lane.
    width: int
    #: ``[lane]``: byte addresses.
    addresses: npt.NDArray[np.uint64]
    #: ``[lane]``: whether the lane takes part.
    active: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Origin:
    """What an answer came from."""

    #: The question as the native module takes it.
    subject: str | None
    #: The text that was analysed.
    text: str
    file: str | None
    #: Lines of the text that is shown, where that is not ``text``: the Python source of a Triton kernel.
    shown: str | None = None
    #: Number of the first of them.
    first_line: int = 1


def _of(kind: type[Any], found: dict[str, Any]) -> Any:
    names = {one.name for one in fields(kind)}
    return kind(**{name: value for name, value in found.items() if name in names and value is not None})


@dataclass(frozen=True, repr=False)
class Result:
    """The answer to :func:`lanescope.analyze` and its kin."""

    #: ``counted``: the whole launch, nothing guessed. ``assumed``: the whole launch, if the reasons hold. ``partial``:
    #: not fully counted.
    status: Status
    #: What is assumed or missing; gaps first.
    reasons: list[Reason]
    totals: Totals
    #: What each line costs.
    lines: list[Line]
    #: Of compiled code, what each instruction costs; of a source, its lines again.
    accesses: list[Line]
    diagnostics: list[Diagnostic]
    #: The answer in one sentence.
    verdict: str
    device: str
    #: The kernel's name; empty for expressions.
    kernel: str
    #: Blocks and threads of a block along x, y, z.
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    #: What is to be said besides, as which compiler was followed.
    notes: list[str]
    #: Of compiled code: its costliest request.
    worst: Worst | None
    _raw: dict[str, Any] = field(repr=False)
    _origin: _Origin = field(repr=False)
    #: Of a text with several kernels whose launch its host code has, the answers to those before this one.
    others: list[Result] = field(default_factory=list, repr=False)
    _cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the totals are those of the whole launch, with nothing assumed."""
        return self.status == "counted"

    @property
    def findings(self) -> list[Finding]:
        """The accesses that waste something, the costliest first; a trace has none."""
        return [_of(Finding, one) for one in self._raw.get("findings", [])]

    @property
    def bulk_bytes(self) -> int | None:
        """Bytes that bulk copies (``cp.async.bulk``, TMA) move, which are in no total: those that barriers expect, and those
        that a copy from shared memory says. 0 where nothing is moved so, ``None`` where some are not known."""
        copies = self._raw.get("bulk_copies", {"bytes": 0, "unsized_copies": 0})
        return None if copies["unsized_copies"] else int(copies["bytes"])

    @property
    def max_ways(self) -> int:
        """The worst n of "n-way": 1 is conflict-free, 0 means that nothing goes to shared memory."""
        return max((line.ways for line in self.accesses), default=0)

    @property
    def conflicts(self) -> int:
        """Wavefronts above the ideal, over all accesses."""
        return sum(line.conflicts for line in self.accesses)

    @property
    def excess_sectors(self) -> int:
        """Sectors above the fewest that hold the bytes asked for, over all accesses."""
        return sum(max(0, line.sectors - line.ideal_sectors) for line in self.accesses)

    @property
    def compiled(self) -> str | None:
        """The PTX or SASS that was counted; ``None`` where a source was."""
        return self._origin.text if self._raw.get("accesses") else None

    @property
    def fixes(self) -> list[Fix]:
        """What would make it cheaper, each proved on the changed source; searched when first asked for, which may take
        seconds. Compiled code, WGSL, layouts and traces have none."""
        if "fixes" not in self._cache:
            self._cache["fixes"] = self._searched()
        found: list[Fix] = self._cache["fixes"]
        return found

    def _searched(self) -> list[Fix]:
        subject = self._origin.subject
        if subject is None or json.loads(subject)["language"] not in ("expression", "cuda"):
            return []
        advice = json.loads(called(_lanescope.fixes, subject))
        return [fix_of(one, self._origin.text) for one in advice["fixes"]]

    def svg(self, line: int | None = None, language: Literal["en", "zh"] = "en") -> str:
        """The picture of the costliest request (of those on ``line``) as self-contained SVG."""
        if self._origin.subject is None:
            raise LanescopeError("a trace has no picture; analyze one of its rows as a request")
        if "picture" in self._raw:
            if self._raw["picture"] is None:
                raise LanescopeError("nothing touches memory")
            return str(self._raw["picture"])
        key = f"svg {line} {language}"
        if key not in self._cache:
            drawn = called(_lanescope.svg, self._origin.subject, line or 0, language)
            self._cache[key] = drawn
        return str(self._cache[key])

    @property
    def is_linkable(self) -> bool:
        """Whether a link holds the whole question: traces have none, and links have no recorded arguments, included
        folders or limits of blocks."""
        if self._origin.subject is None:
            return False
        subject = json.loads(self._origin.subject)
        return subject["record"] is None and subject["blocks"] is None

    def link(self, base: str = "") -> str:
        """The link that opens the question in the page published at ``base``."""
        if self._origin.subject is None:
            raise LanescopeError("a trace has no link")
        return f"{base}#{called(_lanescope.link, self._origin.subject)}"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data: what ``lanescope kernel --format json`` prints, and more."""
        plain: dict[str, Any] = json.loads(json.dumps(self._raw))
        plain["lines"] = [asdict(line) for line in self.lines]
        if self.others:
            plain["others"] = [one.to_dict() for one in self.others]
        return plain

    def to_pandas(self, of: Literal["lines", "accesses"] = "lines") -> pd.DataFrame:
        """Lines or accesses as a data frame. Needs pandas."""
        import pandas as pd

        rows = self.lines if of == "lines" else self.accesses
        return pd.DataFrame([asdict(row) for row in rows])

    def __repr__(self) -> str:
        return f"<lanescope.Result {self.status}: {self.verdict}>"

    def __str__(self) -> str:
        rows = [("line", "op", "requests", "wavefronts", "ideal", "n-way", "sectors", "ideal", "text")]
        for one in self.lines:
            shared = one.op.startswith(("shared", "matrix", "async"))
            rows.append(
                (
                    str(one.line),
                    one.op,
                    str(one.requests),
                    str(one.wavefronts) if shared else "",
                    str(one.ideal_wavefronts) if shared else "",
                    str(one.ways) if shared else "",
                    "" if shared else str(one.sectors),
                    "" if shared else str(one.ideal_sectors),
                    one.text,
                )
            )
        widths = [max(len(row[at]) for row in rows) for at in range(9)]
        table = [
            "  ".join(cell.ljust(width) if at in (1, 8) else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows
        ]
        return "\n".join([self.verdict, "", *table])

    def _repr_html_(self) -> str:
        from .card import card

        return card(self)


def result_of(raw: dict[str, Any], origin: _Origin) -> Result:
    """The answer that a report holds."""
    accesses: list[Line] = [_of(Access, one) for one in raw.get("accesses", [])]
    lines: list[Line] = [_of(Line, one) for one in raw.get("lines", [])]
    if accesses and not lines:
        lines = _by_line(accesses, origin)
    launch = raw.get("launch") or {"grid": [1, 1, 1], "block": [1, 1, 1]}
    worst = raw.get("worst")
    return Result(
        status=raw["status"],
        reasons=[_of(Reason, one) for one in raw["reasons"]],
        totals=_of(Totals, raw["totals"]),
        lines=lines,
        accesses=accesses or lines,
        diagnostics=[_of(Diagnostic, one) for one in raw["diagnostics"]],
        verdict=raw["verdict"],
        device=raw["device"],
        kernel=raw.get("kernel") or "",
        grid=_three(launch["grid"]),
        block=_three(launch["block"]),
        notes=raw.get("notes", []),
        worst=None if worst is None else _worst(worst),
        _raw=raw,
        _origin=origin,
    )


def with_source(counted: Result, file: str, text: str, first_line: int = 1, by_name: bool = False) -> Result:
    """A result of compiled code whose lines show ``text``, which stands in ``file`` from ``first_line`` on. ``by_name``:
    what the code says of a file of that name in any folder is said of ``file``."""
    name = os.path.basename(file)
    accesses = [
        {**one, "file": file} if by_name and one["file"] and os.path.basename(one["file"]) == name else one
        for one in counted._raw["accesses"]
    ]
    origin = replace(counted._origin, file=file, shown=text, first_line=first_line)
    return result_of({**counted._raw, "accesses": accesses}, origin)


def _three(numbers: list[int]) -> tuple[int, int, int]:
    return (numbers[0], numbers[1], numbers[2])


def _worst(found: dict[str, Any]) -> Worst:
    given = found["addresses"]
    return Worst(
        line=found["line"],
        file=found["file"],
        block=_three(found["block"]),
        warp=found["warp"],
        occurrence=found["occurrence"],
        space=found["space"],
        width=found["width"],
        addresses=np.array([address or 0 for address in given], dtype=np.uint64),
        active=np.array([address is not None for address in given], dtype=np.bool_),
    )


def _by_line(accesses: list[Line], origin: _Origin) -> list[Line]:
    """Instructions of one line that do the same, together; the text is the source's where it is at hand."""
    shown = (origin.shown or "").splitlines()
    sums: dict[tuple[str | None, int, str], dict[str, Any]] = {}
    for one in accesses:
        key = (one.file, one.line, one.op)
        at = one.line - origin.first_line
        is_own = origin.file is not None and one.file == origin.file
        text = shown[at].strip() if is_own and 0 <= at < len(shown) else one.text
        if key not in sums:
            sums[key] = {"line": one.line, "op": one.op, "file": one.file, "text": text, "ways": 0, "unknown": None}
        line = sums[key]
        line["ways"] = max(line["ways"], one.ways)
        line["unknown"] = line["unknown"] or one.unknown
        for name in ("requests", "wavefronts", "ideal_wavefronts", "conflicts", "sectors", "ideal_sectors"):
            line[name] = line.get(name, 0) + getattr(one, name)
    ordered = sorted(sums.values(), key=lambda line: (line["file"] != origin.file, line["file"] or "", line["line"]))
    return [Line(**line) for line in ordered]
