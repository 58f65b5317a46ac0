"""Split a PDF into several files in a ZIP."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
from pikepdf import Name

from engine.families.pdf.name_text import string_text
from engine.families.pdf.read import reading
from engine.families.pdf.tasks import left_out_pages, page_copying
from engine.families.pdf.tasks.options import SplitOptions
from engine.toolkit.bundle import Bundle
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.filenames import clean
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.page_ranges import chosen
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Warn

_MB = 1_000_000
_MOST_WRITTEN = 1_500 * _MB
"""The maximum bytes written to find how many pages fit into a file: more would take too long."""

_MOST_COPIED = 200_000
_OF_EACH = 50
"""The maximum objects in all parts: this number, and one for each object of the PDF as many times as `_OF_EACH`.

What all pages share is copied to each part: an object takes 40 to 60 µs, and 400 actions that 400 pages lead to 10 s.
"""
_BYTES_LIKE_ONE, _ENTRIES_LIKE_ONE = 1_000, 10
"""Bytes of an object, and entries of a dictionary, that take about as long as an object: 5 MB of text take 64 ms,
10,000 entries 43 ms."""
_SMALL = 100
"""The entries of a dictionary that are counted with it."""


def split(pdf: pikepdf.Pdf, target: Path, options: SplitOptions, warn: Warn) -> None:
    """Write the parts selected by the options. Raises InvalidOption, Unreadable, OverLimit."""
    with Bundle(target) as bundle:
        taken = NumberedNames(str.lower)
        source = page_copying.Original(pdf)
        copied, most = 0, _MOST_COPIED + _OF_EACH * len(pdf.objects)
        for name, numbers in _parts(source, options, warn):
            file = taken.free(
                clean(f"{name}.pdf"), lambda wanted, at: clean(f"{wanted.removesuffix('.pdf')} ({at}).pdf")
            )
            content, objects = _part(source, numbers, warn)
            copied += objects
            if copied > most:
                raise OverLimit(
                    "timeout", "The pages of the PDF share too many objects to be split. Split it into fewer files."
                )
            with bundle.member(file) as path:
                path.write_bytes(content)
            if numbers:
                warn.progress(numbers[-1] + 1, len(pdf.pages), "pages")


def _parts(source: page_copying.Original, options: SplitOptions, warn: Warn) -> Iterator[tuple[str, list[int]]]:
    """The file names without extension, and their pages, counted from 0."""
    count = len(source.pdf.pages)
    digits = max(3, len(str(count)))

    def named(numbers: list[int]) -> str:
        first, last = f"{numbers[0] + 1:0{digits}}", f"{numbers[-1] + 1:0{digits}}"
        return f"page-{first}" if len(numbers) == 1 else f"pages-{first}-{last}"

    if options.by == "ranges":
        if options.pages is None:
            raise InvalidOption("pages", "Enter the pages of each file, such as 1-3,4-9,10-.")
        ranges = [chosen(each, count, repeats=True) for each in options.pages.split(",")]
        page_copying.check_repeated(source, ranges)
        yield from ((named(part), part) for part in ranges)
        return
    numbers = chosen(options.pages, count)
    if options.by == "outline":
        yield from _by_outline(source, numbers, named)
    elif options.by == "size":
        yield from ((named(part), part) for part in _by_size(source, numbers, int(options.megabytes * _MB), warn))
    else:
        check_pages(-(-len(numbers) // options.every))
        for at in range(0, len(numbers), options.every):
            part = numbers[at : at + options.every]
            yield named(part), part


def _by_outline(
    source: page_copying.Original, numbers: list[int], named: Callable[[list[int]], str]
) -> Iterator[tuple[str, list[int]]]:
    """One part from each top-level bookmark to the next."""
    with reading():
        titles = page_copying.top_bookmarks(source)
    if not titles:
        raise InvalidOption("by", "The PDF has no bookmarks to its pages. Split it by pages.")
    starts = {0: ""} | {page: title for title, page in reversed(titles)}
    ordered = sorted(starts)
    check_pages(len(ordered))
    digits = len(str(len(ordered)))
    wanted, number = set(numbers), 0
    for at, start in enumerate(ordered):
        end = ordered[at + 1] if at + 1 < len(ordered) else len(source.pdf.pages)
        part = [page for page in range(start, end) if page in wanted]
        if part:
            number += 1
            yield f"{number:0{digits}} {starts[start][:80] or named(part)}", part


def _by_size(source: page_copying.Original, numbers: list[int], most: int, warn: Warn) -> Iterator[list[int]]:
    """As many consecutive pages as fit into `most` bytes, found by trial."""
    written = 0

    def fits(part: list[int]) -> bool:
        nonlocal written
        size = len(_part(source, part, Warn())[0])
        written += size
        if written > _MOST_WRITTEN:
            raise OverLimit("timeout", "The PDF is too large to split by size. Split it by pages.")
        return size <= most

    at, likely = 0, len(numbers)
    while at < len(numbers):
        least, beyond = 1, min(likely, len(numbers) - at) + 1
        if fits(numbers[at : at + beyond - 1]):
            least = beyond - 1
            beyond = len(numbers) - at + 1
        while beyond - least > 1:
            middle = (least + beyond) // 2
            if fits(numbers[at : at + middle]):
                least = middle
            else:
                beyond = middle
        if least == 1 and not fits(numbers[at : at + 1]):
            warn(
                "SIZE_MISSED", say("Page {numbers} alone is larger than the files should be.", numbers=numbers[at] + 1)
            )
        yield numbers[at : at + least]
        at, likely = at + least, least + max(1, least // 4)


def _part(source: page_copying.Original, numbers: list[int], warn: Warn) -> tuple[bytes, int]:
    """A PDF of these pages, and how many objects were copied for it, of which large ones count as several."""
    pdf = source.pdf
    with reading(), pikepdf.new() as new:
        page_copying.add_bookmarks(new, page_copying.Copies(new).add(source, numbers, warn))
        if Name.Lang in pdf.Root:
            new.Root[Name.Lang] = pikepdf.String(string_text(pdf.Root[Name.Lang]))
        if Name.Info in pdf.trailer:
            new.trailer[Name.Info] = new.copy_foreign(pdf.trailer[Name.Info])
        objects = len(new.objects) + sum(map(_further, new.objects))
        left_out_pages.cut(new, source.pages, numbers, warn)
        out = io.BytesIO()
        new.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue(), objects


def _further(one: object) -> int:
    """How many objects it takes as long as, beyond itself."""
    if not isinstance(one, pikepdf.Object):
        return 0  # null, and numbers
    entries = len(one.keys()) if isinstance(one, pikepdf.Dictionary) else 0
    length = len(one.unparse(resolved=True))
    return length // _BYTES_LIKE_ONE + (entries // _ENTRIES_LIKE_ONE if entries > _SMALL else 0)
