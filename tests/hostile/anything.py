"""Inputs made up from real ones and from nothing, options made up from their declarations, and what came of them."""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import os
import random
import re
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as some

from conversions.work import runner
from engine.families.registry import CONVERTERS
from engine.sandbox.limits import limits_for
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError
from engine.toolkit.options import Option, build, describe
from tests.converters.vectors import VECTORS
from tests.hostile.figures import counted_as

LARGEST = 200_000
"""Bytes of the real files that inputs are made from."""
SAMPLES = Path(__file__).resolve().parents[1] / "converters" / "samples"
AT_ONCE = 4
_LOG_BYTES = 16_384
"""Bytes of the children's log that are kept of a crash: twice what a zygote passes on of one child."""

_TEXT = some.characters(exclude_categories=["Cs"], exclude_characters="\0")
_MARKS = (
    *(b"\x00", b"\xff" * 4, b"\x7f\xff\xff\xff", b"\r\n", b'"', b"<", b"]]>", b"&", b"%", b"\xef\xbb\xbf", b"/"),
    *(b"9" * 400, b"1e999", b"-", b"NaN", b"[" * 300, b"{", b"<a>" * 200, b"\\", b"=", b"\t", b"\xed\xa0\x80"),
    *(b" obj ", b"stream"),
)
_PIECES = some.one_of(some.binary(max_size=12), some.sampled_from(_MARKS))
_EDITS = some.lists(
    some.tuples(
        some.sampled_from(["insert", "overwrite", "drop", "double", "cut"]), some.integers(0, 1 << 20), _PIECES
    ),
    max_size=3,
)


def families() -> Mapping[str, list[Converter]]:
    """The converters by the family that declares them."""
    found = defaultdict(list)
    for each in CONVERTERS.values():
        found[family_of(each)].append(each)
    return dict(sorted(found.items()))


def family_of(converter: Converter) -> str:
    return counted_as(converter.declared_in.removeprefix("engine.families.").removesuffix(".converters"))


@functools.cache
def _sources(format: str) -> tuple[bytes, ...]:
    made = {each.source() for each in VECTORS if each.slug in CONVERTERS and CONVERTERS[each.slug].input.id == format}
    made |= {each.read_bytes() for each in SAMPLES.glob(f"*.{format}")}
    return tuple(sorted(each for each in made if len(each) <= LARGEST))


@dataclass(frozen=True)
class Try:
    """One input to one converter, with options by attribute."""

    converter: Converter
    data: bytes
    options: Mapping[str, Any]


@some.composite
def tries(draw: Any, converters: list[Converter]) -> Try:
    """Any input: a real one with a few bytes changed (inside a ZIP file: of one member), or random bytes."""
    converter = draw(some.sampled_from(converters))
    if draw(some.integers(0, 9)) == 0:
        data = draw(some.binary(max_size=400))
    else:
        data = draw(some.sampled_from(_sources(converter.input.id)))
        edits = draw(_EDITS)
        inside = data.startswith(b"PK\x03\x04") and draw(some.integers(0, 3)) > 0
        data = _inside(data, draw(some.integers(0, 1 << 10)), edits) if inside else _edited(data, edits)
    return Try(converter, data, {each.attribute: draw(_value(each)) for each in describe(converter.options)})


def _edited(data: bytes, edits: list[tuple[str, int, bytes]]) -> bytes:
    changed = bytearray(data)
    for kind, where, piece in edits:
        at = where % (len(changed) + 1)
        if kind == "insert":
            changed[at:at] = piece
        elif kind == "overwrite":
            changed[at : at + len(piece)] = piece
        elif kind == "drop":
            del changed[at : at + 1 + len(piece)]
        elif kind == "double":
            changed[at:at] = changed[at : at + 64]
        else:
            del changed[at:]
    return bytes(changed)


def _inside(data: bytes, which: int, edits: list[tuple[str, int, bytes]]) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as source:
            members = [(each, source.read(each)) for each in source.infolist()]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, ValueError):
        return _edited(data, edits)  # one that is broken already
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for number, (info, content) in enumerate(members):
            chosen = number == which % len(members)
            target.writestr(info.filename, _edited(content, edits) if chosen else content, info.compress_type)
    return out.getvalue()


@functools.cache
def _value(option: Option) -> Any:
    """Values that the API would take for an option."""
    if option.kind == "choice":
        given = some.sampled_from(option.choices)
    elif option.kind == "boolean":
        given = some.booleans()
    elif option.kind == "integer":
        assert option.minimum is not None
        assert option.maximum is not None
        given = some.integers(int(option.minimum), int(option.maximum))
    elif option.kind == "number":
        given = some.floats(option.minimum, option.maximum, allow_nan=False)
    else:
        shortest, longest = option.min_length or 0, min(option.max_length or 0, 60)
        given = some.text(_TEXT, min_size=shortest, max_size=longest)
        if option.pattern is not None:
            given = some.from_regex(re.compile(rf"\A(?:{option.pattern})\Z"), alphabet=_TEXT).filter(
                lambda text: shortest <= len(text) <= (option.max_length or 0)
            )
    default = some.just(option.default)
    return some.one_of(default, default, given, some.none() if option.nullable else default)


@dataclass(frozen=True)
class Crash:
    """An undeclared failure of a try: its error, and the file that keeps its input; a text beside it says the rest."""

    slug: str
    error: str
    file: str


@dataclass
class Outcomes:
    """What came of all tries with inputs that are drawn by `seed`."""

    counted: Counter[str] = field(default_factory=Counter)
    crashes: list[Crash] = field(default_factory=list)
    seed: int = field(default_factory=lambda: random.SystemRandom().randrange(1 << 32))
    _log: int = -1

    def run(self, converters: list[Converter], *, number: int, fixed: bool = False) -> None:
        """Try `number` inputs, several at a time; `fixed` ones are the same in every run."""
        rounds = itertools.count(self.seed)

        @hypothesis.settings(
            max_examples=-(-number // AT_ONCE),
            deadline=None,
            database=None,
            derandomize=fixed,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(some.lists(tries(converters), min_size=AT_ONCE, max_size=AT_ONCE))
        def one(several: list[Try]) -> None:
            list(pool.map(self._try, several))

        # As many as there may be at work: who waits for longer than a whole job may take is turned away.
        jobs = min(AT_ONCE, *(limits_for(each.profile).jobs for each in converters))
        with _children_log() as self._log, ThreadPoolExecutor(jobs) as pool:
            while self.counted.total() < number:
                (one if fixed else hypothesis.seed(next(rounds))(one))()

    def _try(self, given: Try) -> None:
        options = build(
            given.converter.options,
            {each.name: given.options[each.attribute] for each in describe(given.converter.options)},
        )
        with tempfile.TemporaryFile() as source:
            source.write(given.data)
            source.flush()
            said_from = os.fstat(self._log).st_size
            try:
                runner.convert(given.converter, source, options).output.close()
            except ConversionError as error:
                self.counted[type(error).__name__] += 1
            except Exception as error:
                self.counted[type(error).__name__] += 1
                self._keep(given, options, f"{type(error).__name__}: {error}", said_from)
            else:
                self.counted["output"] += 1

    def crashed(self) -> str:
        """The crashes in the words of the report: how many of which conversion ended how, and what draws them again."""
        if not self.crashes:
            return "0 crashes"
        kinds = Counter((each.slug, each.error.rpartition(":")[0] or each.error) for each in self.crashes)
        said = ", ".join(f"{times} x {slug} {error[:60]}" for (slug, error), times in kinds.most_common(5))
        return f"{len(self.crashes)} crashes (seed {self.seed}: {said})"

    def _keep(self, given: Try, options: Any, error: str, said_from: int) -> None:
        """Keep what explains a crash: the input, and beside it the error, the options, the seed and the log since.

        The log is that of the children at work at the same time; the process id in the error tells them apart.
        """
        with tempfile.NamedTemporaryFile(prefix=f"crash-{given.converter.slug}-", delete=False) as kept:
            kept.write(given.data)
        size = os.fstat(self._log).st_size
        said = os.pread(self._log, _LOG_BYTES, max(said_from, size - _LOG_BYTES)).decode(errors="replace")
        Path(f"{kept.name}.txt").write_text(f"{error}\n{options}\nseed {self.seed}\n\n{said}")
        self.crashes.append(Crash(given.converter.slug, error, kept.name))


@contextlib.contextmanager
def _children_log() -> Iterator[int]:
    """A file that gets what children write to their standard error, which is this process's, while the block runs."""
    runner.shutdown()  # zygotes that run already write to another
    sys.stderr.flush()
    with tempfile.TemporaryFile("a+b") as log:
        before = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            yield log.fileno()
        finally:
            sys.stderr.flush()
            os.dup2(before, 2)
            os.close(before)
            runner.shutdown()
