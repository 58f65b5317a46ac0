"""Convert a file once more, in a child of its own, and count what a result that was finished earlier has of it."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.families.auditing import counted, countings, left_out, members
from engine.toolkit import gzipped
from engine.toolkit.census import LOSSES, Census, Counting, audited
from engine.toolkit.comparison import compare
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError
from engine.toolkit.formats import CSV, JSON, PNG, TXT, ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.options import Option, describe
from engine.toolkit.warnings import Warn

PAIR = Format("pair", "Two files", ("pair",), "application/octet-stream", lambda head: True)
"""A file, its result, and the size of the file, in one file."""
_FORMS = (TXT, JSON, CSV, PNG)
"""The formats that files are converted to if their own format is not counted as a whole, in order of preference."""
_BESIDE = frozenset({"pictures", "links", "notes", "comments", "formulas", "charts", "attachments"})
"""Kinds that say little about a file if nothing else is counted."""
_LENGTH = 8
_NOTATION = frozenset({
    "sepLine", "delimiter", "bom", "lineEnding", "quote", "indent", "title", "language", "lineWidth",
})  # fmt: skip
"""Options for how the output is written, which must not be applied when a source is converted for counting."""


def mark_of_pair(size: int) -> bytes:
    """Return the end of a pair: the size of its first file in bytes."""
    return size.to_bytes(_LENGTH, "big")


@dataclass(frozen=True)
class _Reading:
    """How a format is counted: directly, or after conversion by `through`."""

    counting: Counting
    through: Converter | None = None

    @property
    def form(self) -> Format | None:
        return None if self.through is None else self.through.output

    def of(self, kinds: frozenset[str], options: Any) -> Counting:
        counting = self.counting.of(kinds)
        if self.through is None:
            return counting
        return Counting(functools.partial(_form, self.through, options, counting), kinds)


def verified_kinds(
    converter: Converter, converters: Mapping[str, Converter], options: Any | None = None
) -> frozenset[str]:
    """Return the kinds that verification counts in both files, but for those that the options leave out on purpose."""
    found = _readings(converter, converters)
    kinds = frozenset[str]() if found is None else audited(*(each.counting for each in found)) - converter.restated
    return kinds if options is None else kinds - left_out(converter, options)


def _readings(converter: Converter, converters: Mapping[str, Converter]) -> tuple[_Reading, _Reading] | None:
    if converter.renames and converter.output not in countings():
        return None
    before = tuple(_ways(converter.input, converter, converters))
    after = tuple(each for each in _ways(converter.output, converter, converters) if each.form is not PNG)
    shared = {pair: audited(pair[0].counting, pair[1].counting) for pair in product(before, after)}
    return min(
        (pair for pair, kinds in shared.items() if kinds),
        key=lambda pair: (
            shared[pair] <= _BESIDE, sum(each.through is not None for each in pair), -len(shared[pair])
        ),
        default=None,
    )  # fmt: skip


def _ways(format: Format, converter: Converter, converters: Mapping[str, Converter]) -> Iterator[_Reading]:
    """How a format can be counted; a picture of something else, and what recognises text, is no form of it."""
    if format in countings():
        yield _Reading(countings()[format])
        if converter.profile != "text":
            return
    if converter.profile == "ocr":
        return
    for form in _FORMS:
        through = converters.get(f"{format.id}-to-{form.id}")
        if (
            through is not None
            and through.profile == converter.profile
            and (form is PNG) == (through.profile == "image")
        ):
            yield _Reading(countings()[form], through)


def verify(
    converter: Converter, converters: Mapping[str, Converter], pair: Path, target: Path, options: Any, warn: Warn
) -> None:
    """Count a pair of files; `converters` are those of the profile.

    The fact `compared` has the number of items of each kind, found in the result and in the file. The facts
    `difference0`, `difference1`, ... are losses that no warning of the conversion names. The fact `undecided` says why
    nothing was compared. Raises the errors of the conversion.
    """
    target.write_bytes(b"")
    source, made = _apart(pair, converter)
    told = Warn()
    if converter.input.gzipped:
        gzipped.unpack(source, told)
    with TemporaryDirectory() as folder:
        written = converter.run(source, Path(folder, f"output.{converter.output.id}"), options, told)
    found = _readings(converter, converters)
    kinds = verified_kinds(converter, converters, options)
    if found is None or not kinds or written not in (None, converter.output, ZIP):
        warn.detect(undecided=say("The result is in a format that can't be compared."))
        return
    before, after = (each.of(kinds, given) for each, given in zip(found, (options, None), strict=True))
    password: str | None = getattr(options, "password", None)
    try:
        own = before.read(source, password)
        own.thumbnails = own.thumbnails or told.thumbnails
        seeing = "looks" in kinds and bool(own.thumbnails)
        if written is ZIP and converter.output is not ZIP:
            theirs = members(made, converter.output, after, seeing=seeing)
        else:
            theirs = counted(after, made, password, seeing=seeing)
    except MemoryError:
        raise
    except ConversionError as error:
        warn.detect(undecided=say("The files can't be read for the comparison: {reason}", reason=error.message))
        return
    except Exception:
        traceback.print_exc()
        print(f"{converter.slug} is not verified", file=sys.stderr)
        warn.detect(undecided=say("The files' content can't be counted."))
        return
    seen = {"looks"} if seeing and theirs.thumbnails else set()
    _tell(own, theirs, (kinds - {"looks"}) | seen, told, warn)


def _apart(pair: Path, converter: Converter) -> tuple[Path, Path]:
    """Divide a pair into its two files, in its folder."""
    source, made = (pair.with_name(name) for name in (f"input.{converter.input.id}", f"made.{converter.output.id}"))
    with pair.open("r+b") as file, made.open("wb") as out:
        end = file.seek(-_LENGTH, os.SEEK_END)
        size = int.from_bytes(file.read(_LENGTH), "big")
        file.seek(size)
        while block := file.read(min(1 << 20, end - file.tell())):
            out.write(block)
        file.truncate(size)
    pair.rename(source)
    return source, made


def _tell(own: Census, theirs: Census, kinds: frozenset[str], told: Warn, warn: Warn) -> None:
    """Report what two files have; losses that the conversion's warnings, in `told`, name are no differences."""
    kept, losses, counts = own.without(told.parts_left_out), Warn(), list[str]()
    for each in compare(own, theirs, kinds, told):
        if each.missing:
            losses.tally(LOSSES[each.kind], each.missing, each.examples)
        if count := kept.total(each.kind):
            part = " (sample)" if each.sampled else ""
            counts.append(f"{each.kind} {max(0, count - each.lacking)}/{count}{part}")
    if not counts:
        warn.detect(undecided=say("The files' content can't be counted."))
        return
    warn.detect(compared=", ".join(counts))
    warn.detect(**{f"difference{number}": each.message for number, each in enumerate(losses.warnings)})


def _form(through: Converter, options: Any, counting: Counting, path: Path) -> Census:
    """Count a file as what a converter makes of it. Raises the converter's errors."""
    with TemporaryDirectory() as folder:
        made = Path(folder, f"output.{through.output.id}")
        written = through.run(path, made, _shared(through, options), Warn())
        if written is ZIP:
            return members(made, through.output, counting, seeing=True)
        return counted(counting, made, seeing=True)


def _shared(through: Converter, options: Any) -> Any:
    """Return the options of a converter with the values that another one's options of the same names have."""
    if options is None:
        return through.options()
    given = {each.name: getattr(options, each.attribute) for each in describe(type(options))}
    return through.options(**{
        each.attribute: given[each.name]
        for each in describe(through.options)
        if each.name in given and each.name not in _NOTATION and _fits(each, given[each.name])
    })  # fmt: skip


def _fits(option: Option, value: Any) -> bool:
    """Return whether another converter's option of the same name accepts the value."""
    if option.kind == "choice":
        return value in option.choices
    if value is None:
        return bool(option.nullable)
    return isinstance(value, type(option.default)) or bool(option.nullable)
