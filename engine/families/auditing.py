"""Convert a file, then compare the contents of the result with those of its source."""

from __future__ import annotations

import functools
import importlib
import os
import sys
import traceback
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from engine.toolkit import phrases
from engine.toolkit.census import Census, Counting, audited, combine
from engine.toolkit.comparison import has_words, report, unread
from engine.toolkit.cpu_limit import CpuTimeUsedUp, cpu_limit
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.warnings import Warn

COUNTED = (
    "html_pdf",
    "documents",
    "saved_pages",
    "pdf",
    "mail",
    "subtitles",
    "data",
    "archives",
    "books",
    "images",
    "fonts",
    "geo",
    "models",
)
"""The families that count, each in a module `census`, which imports libraries only when it counts."""

MAX_BYTES = 20_000_000
"""The largest file that is counted: reading a larger one again takes longer than people wait for a warning."""
MAX_UNPACKED = 200_000_000
"""The maximum unpacked size of a file that is counted: 20 MB of XML can unpack to gigabytes, which would end the
job."""
_LEAST_SECONDS, _SHARE = 1.0, 0.5
"""The processor time for counting: a second, or half of what the conversion has taken if that is more."""
_LISTED = frozenset({"files"})
"""Kinds that are counted by the directory of an archive alone."""
_IN_TEXTS = frozenset({"words", "values"})
"""Kinds that are counted from the texts of a finished file."""


@functools.cache
def countings() -> Mapping[Format, Counting]:
    """Return how each format is counted."""
    found: dict[Format, Counting] = {}
    for family in COUNTED:
        for format, each in importlib.import_module(f"engine.families.{family}.census").COUNTINGS.items():
            found[format] = combine(found[format], each) if format in found else each
    return MappingProxyType(found)


@functools.cache
def audited_kinds(converter: Converter) -> frozenset[str]:
    """The kinds whose loss is detected in a conversion: those counted in both its source and its result."""
    before, after = (countings().get(each) for each in (converter.input, converter.output))
    if before is None or after is None:
        return frozenset()
    return audited(before, after) - converter.restated


def modules(converter: Converter) -> tuple[str, ...]:
    """The modules that do the counting for a conversion."""
    kinds, counting = audited_kinds(converter), countings()
    if not kinds:
        return ()
    return (*counting[converter.input].of(kinds).modules, *counting[converter.output].of(kinds).modules)


def run(
    converter: Converter,
    source: Path,
    target: Path,
    options: Any,
    warn: Warn,
    *,
    converted: Callable[[Format | None, frozenset[str]], None] = lambda written, kinds: None,
) -> Format | None:
    """Run a converter as `Converter.run` does, and warn of anything its result has less of than its source.

    A file that is too large, can't be counted, or not in time is reported in the fact `notCounted`. `converted` is
    called with the format written and the kinds to count before anything is counted, which may end this process.
    """
    began = _taken()
    kinds = audited_kinds(converter) - left_out(converter, options)
    written = converter.run(source, target, options, warn)
    if kinds:
        seconds = max(_LEAST_SECONDS, (_taken() - began) * _SHARE)
        converted(written, kinds)
        try:
            for each in modules(converter):  # does nothing in processes that have already imported them
                importlib.import_module(each)
            with cpu_limit(seconds):
                _audit(converter, source, target, written or converter.output, kinds, options, warn)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # the result is valid: report it as not counted
            warn.not_counted(kinds)
            traceback.clear_frames(error.__traceback__)  # they may hold all available memory
            print(f"{converter.slug} is not counted", file=sys.stderr)
            if not isinstance(error, CpuTimeUsedUp):
                traceback.print_exception(error)
    return written


def _taken() -> float:
    """The processor seconds that this process and its ended children have taken."""
    return sum(os.times()[:4])


def left_out(converter: Converter, options: Any) -> frozenset[str]:
    """The kinds that options leave out on purpose."""
    left: frozenset[str] = frozenset()
    for each in fields(converter.options):  # `describe` would also resolve the types, for milliseconds of each job
        if (selects := each.metadata["selects"]) and getattr(options, each.name) != each.default:
            left |= selects
    return left


def _audit(
    converter: Converter,
    source: Path,
    target: Path,
    written: Format,
    kinds: frozenset[str],
    options: Any,
    warn: Warn,
) -> None:
    unpacked = 0 if kinds <= _LISTED else max(_unpacked(source), _unpacked(target))
    if max(source.stat().st_size, target.stat().st_size) > MAX_BYTES or unpacked > MAX_UNPACKED:
        warn.not_counted(kinds)
        return
    counting = countings()
    password: str | None = getattr(options, "password", None)
    before, after = counting[converter.input].of(kinds), counting[converter.output].of(kinds)
    seeing = "looks" in kinds and bool(warn.thumbnails)
    if written is converter.output:
        if _is_proven(before, after, source, target, kinds):
            warn.detect(countedInPart=", ".join(sorted(kinds)))
            return
        if kinds == {"words"} and warn.compared(target):
            return
        if kinds - after.unsupported <= _IN_TEXTS and (texts := warn.read_back(target)) is not None:
            found = before.read(source, password)
            read = after.of_texts(texts) if "values" in kinds and after.of_texts is not None else Census()
            read.texts += texts
            if "words" not in kinds or has_words(found, read):
                report(found, read, kinds - {"words"}, warn)
            else:
                report(found, after.read(target, password), kinds, warn)
            return
        made = counted(after, target, password, seeing=seeing)
    elif written is ZIP:
        made = members(target, converter.output, after, seeing=seeing)
    else:  # pages drawn as pictures, and the like
        warn.not_counted(kinds)
        return
    if unread(made, kinds):
        warn.not_counted(kinds)
        return
    own = before.read(source, password)
    own.thumbnails = warn.thumbnails
    if seeing and not made.thumbnails:
        warn.not_counted({"looks"})
    report(own, made, kinds, warn)


def _unpacked(path: Path) -> int:
    """The unpacked size of an archive; 0 for any other file."""
    with path.open("rb") as file:
        if file.read(4) != b"PK\3\4":
            return 0
        try:
            with zipfile.ZipFile(file) as archive:
                return sum(each.file_size for each in archive.infolist())
        except zipfile.BadZipFile:
            return 0


def _is_proven(before: Counting, after: Counting, source: Path, target: Path, kinds: frozenset[str]) -> bool:
    """Return whether a long text was converted without loss, as far as a cheap byte comparison proves it."""
    if before.estimate is None or after.estimate is None or source.stat().st_size < phrases.LONG:
        return False
    given, made = source.read_bytes(), target.read_bytes()
    ours, theirs = before.estimate(given), after.estimate(made)
    if any(ours.get(each, 0) > theirs.get(each, 0) for each in kinds):
        return False
    return phrases.found_in_order(given, made)


def counted(counting: Counting, path: Path, password: str | None = None, *, seeing: bool) -> Census:
    """Return the census of a file, with thumbnails of its pictures if `seeing`."""
    census = counting.read(path, password)
    if seeing and counting.thumbnails:
        census.thumbnails = counting.thumbnails(path)
    return census


def members(archive: Path, format: Format, counting: Counting, *, seeing: bool) -> Census:
    """Return the combined census of the files of a format in an archive."""
    whole = Census()
    endings = tuple(f".{each}" for each in format.extensions)
    with zipfile.ZipFile(archive) as packed, TemporaryDirectory() as folder:
        for each in packed.infolist():
            if each.filename.endswith(endings):
                part = Path(folder, f"part.{format.id}")
                part.write_bytes(packed.read(each))
                whole.include(counted(counting, part, seeing=seeing))
    return whole
