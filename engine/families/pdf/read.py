"""Open PDFs: passwords, damage and bombs."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pikepdf

from engine.families.pdf import drawing_cost, field_options, nested_compression, repeated_names
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_PAGES = 5_000
"""A PDF of that many short pages takes 5 s as docx, txt or HTML."""
_TAIL = 1024
"""Bytes that readers search for the end-of-file marker (ISO 32000-1, implementation note 18)."""

_DAMAGE = "_damage"
_OBJECT = re.compile(r"\((object \d+ \d+)")
_GIVEN_UP = "giving up on reading object"
_LOST = Kind("CONTENT_DROPPED", "The PDF is damaged. Objects that can't be read were left out: {count}{places}.")
_EMPTY = Kind("CONTENT_DROPPED", "The PDF is damaged. Pages whose contents are not in the file: {count}{places}.")

DAMAGED = (
    pikepdf.PikepdfError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
    OverflowError,
    RuntimeError,
)
"""The exceptions for a damaged document: those of the library, and Python's for objects of an unexpected type."""

nested_compression.limit()


def wrong_password(given: str | None) -> InvalidOption:
    """The error for a document that this password does not open."""
    if given:
        return InvalidOption("password", "The password for this PDF is wrong.")
    return InvalidOption("password", "The PDF is encrypted. Enter its password.")


@contextmanager
def reading() -> Iterator[None]:
    """Turn the library's errors for damaged documents into Unreadable."""
    try:
        yield
    except DAMAGED as error:
        raise Unreadable("The PDF is damaged or incomplete.", reason="damaged") from error


@contextmanager
def opened(source: Path | BinaryIO, password: str | None) -> Iterator[pikepdf.Pdf]:
    """Open the document in `source`, with at most MAX_PAGES pages.

    Raises InvalidOption for a missing or wrong password, Unreadable for a damaged document, OverLimit for one that is
    too long, whose nested compression expands too far, or whose fields are too deep or have too many options.
    """
    source = repeated_names.named_once(_ended(source), password)
    try:
        pdf = pikepdf.open(source, password=password or "", suppress_warnings=True)
    except pikepdf.PasswordError as error:
        raise wrong_password(password) from error
    except DAMAGED as error:
        raise Unreadable("The PDF is damaged or incomplete.", reason="damaged") from error
    with pdf:
        with reading():
            count = len(pdf.pages)
        if not count:
            raise Unreadable("The PDF has no pages.", reason="empty")
        if count > MAX_PAGES:
            raise OverLimit(
                "timeout",
                say("The PDF has {count} pages, and the limit is {max_pages}.", count=count, max_pages=MAX_PAGES),
            )
        with reading():
            nested_compression.check(pdf, source)
            field_options.check(pdf)
        yield pdf


def damage(pdf: pikepdf.Pdf) -> list[str]:
    """What was repaired in the document when it was read: remembered with it, as pikepdf tells it once."""
    found = [*getattr(pdf, _DAMAGE, ()), *map(str, pdf.get_warnings())]
    setattr(pdf, _DAMAGE, found)
    return found


def report_missing_contents(pdf: pikepdf.Pdf, numbers: Iterable[int], warn: Warn, *, part: str = "") -> None:
    """Warn of those of these pages, from 0, whose contents a damaged document has no longer.

    `part` names the document if there are several. Blank pages of other documents have no contents either.
    """
    if not damage(pdf):
        return
    with reading():
        lost = [number for number in numbers if pdf.pages[number].obj.get("/Contents") is None]
    if lost:
        warn.tally(_EMPTY, len(lost), (str(number + 1) for number in lost), part=part)


def report_lost_objects(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Warn of the objects that the library gave up; it tells of them once all were read, as for saving."""
    lost = [each for each in damage(pdf) if _GIVEN_UP in each]
    warn.tally(_LOST, len(lost), (found[1] for each in lost if (found := _OBJECT.search(each))))


def _ended(source: Path | BinaryIO) -> Path | BinaryIO:
    """The document, with an end-of-file marker added if it was cut off after an object, where qpdf would not find the
    end."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            file.seek(max(0, source.stat().st_size - _TAIL))
            cut = file.read().rstrip().endswith(b"endobj")
        if cut:
            return io.BytesIO(source.read_bytes() + b"\n%%EOF\n")
    return source


def check_instructions(pdf: pikepdf.Pdf, numbers: Iterable[int]) -> None:
    """Raise OverLimit if one of these pages, from 0, draws too much, or draws itself recursively."""
    with reading():
        drawing_cost.check(pdf, numbers)


def check_unfolding(stream: pikepdf.Object) -> None:
    """Raise OverLimit if a stream expands beyond the size allowed for page content."""
    with reading():
        drawing_cost.decompressed(stream)
