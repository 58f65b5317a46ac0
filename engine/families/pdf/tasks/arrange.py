"""Arrange the pages of several files: in any order, turned, left out, repeated, and in one PDF or several."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import MAX_PAGES, reading
from engine.families.pdf.tasks import left_out_pages, page_copying
from engine.toolkit.bundle import Bundle
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Warn

_DESCRIPTION = (Name.Lang, Name.Metadata, Name.ViewerPreferences)


@dataclass(frozen=True)
class Sheet:
    """A page of the result: its number among all pages, from 0, and the degrees it is turned clockwise."""

    number: int
    turn: int


def plan(pages: str, counts: Sequence[int]) -> list[list[Sheet]]:
    """The sheets of each PDF that `pages` describes, such as `1:3,1:1r90,2:1-;2:4`, of files with so many pages.

    Raises InvalidOption for a file or page that does not exist, OverLimit for more than MAX_PAGES pages.
    """
    parts: list[list[Sheet]] = []
    left, starts = MAX_PAGES, [0, *itertools.accumulate(counts)]
    for part in pages.split(";"):
        sheets: list[Sheet] = []
        for each in part.split(","):
            ranges, _, turn = each.partition("r")
            file, colon, ranges = ranges.rpartition(":")
            at = int(file) if colon else 1
            if not 1 <= at <= len(counts):
                text = say("There is no file {file}: the ZIP has {count}.", file=at, count=len(counts))
                raise InvalidOption("pages", text)
            numbers = chosen(ranges, counts[at - 1], repeats=True)
            left -= len(numbers)
            if left < 0:
                raise OverLimit("timeout", say("The result has more than {max_pages} pages.", max_pages=MAX_PAGES))
            sheets += (Sheet(starts[at - 1] + number, int(turn or 0)) for number in numbers)
        parts.append(sheets)
    check_pages(len(parts))
    return parts


def write(
    pdf: pikepdf.Pdf, parts: list[list[Sheet]], target: Path, about: pikepdf.Pdf | None, warn: Warn
) -> Format | None:
    """Write the sheets of `pdf` as a PDF, or several parts in a ZIP; they keep the description of `about`."""
    source = page_copying.Original(pdf)
    field = page_copying.FIELD_WITHIN if len(parts) == 1 else page_copying.FIELD
    page_copying.check_repeated(source, ((each.number for each in sheets) for sheets in parts), field=field)
    if len(parts) == 1:
        _write(source, parts[0], target, about, warn)
        return None
    done = 0
    with Bundle(target) as bundle:
        for number, sheets in enumerate(parts):
            with bundle.member(f"part-{number + 1:0{max(2, len(str(len(parts))))}}.pdf") as path:
                _write(source, sheets, path, about, warn)
            done += len(sheets)
            warn.progress(done, sum(map(len, parts)), "pages")
    return ZIP


def _write(
    source: page_copying.Original, sheets: list[Sheet], path: Path, about: pikepdf.Pdf | None, warn: Warn
) -> None:
    with reading(), pikepdf.new() as new:
        numbers = [each.number for each in sheets]
        page_copying.add_bookmarks(new, page_copying.Copies(new).add(source, numbers, warn))
        for page, each in zip(new.pages, sheets, strict=True):
            if each.turn:
                page.rotate(each.turn, relative=True)
        if about is not None:
            _describe(new, about)
        left_out_pages.cut(new, source.pages, numbers, warn)
        new.save(path, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def _describe(new: pikepdf.Pdf, about: pikepdf.Pdf) -> None:
    for name in _DESCRIPTION:
        if name in about.Root:
            value = about.Root[name]
            foreign = isinstance(value, pikepdf.Object) and value.is_indirect
            new.Root[name] = new.copy_foreign(value) if foreign else value
    if Name.Info in about.trailer:
        new.trailer[Name.Info] = new.copy_foreign(about.trailer[Name.Info])
