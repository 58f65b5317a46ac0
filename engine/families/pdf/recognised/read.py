"""Recognise the text of scanned pages, as a layer or in place of the page."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import pikepdf
import pypdfium2
from pikepdf import Name

from engine.families.ocr import options as installed
from engine.families.ocr.reader import Reader
from engine.families.pdf import read as pdf_read
from engine.families.pdf.page.left_out import pictures_and_drawings, report_left_out
from engine.families.pdf.page.text_pages import text_page_of
from engine.families.pdf.pdfium import document_of, page_of
from engine.families.pdf.recognised import scans
from engine.families.pdf.recognised.layer import Layers
from engine.families.pdf.recognised.planes import seen_box
from engine.families.pdf.recognised.stripping import clear, without_invisible_text
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

_SECONDS = 25.0
"""The time limit of `auto`, so that the rest of the conversion is not lost."""


@dataclass(frozen=True)
class Recognition:
    """Which pages are recognised, and how: `auto` those without usable text, `force` all of them, `off` none.

    `deskew` and `rotate_pages` affect the displayed page: recognition always straightens pages.
    """

    ocr: installed.Ocr
    language: str
    pages: str | None = None
    password: str | None = None
    deskew: bool = False
    rotate_pages: bool = False

    @classmethod
    def from_options(cls, options: object) -> Recognition:
        """That of options of the groups Recognised or Searchable, and in Pages and Locked if present."""
        return cls(**{each.name: getattr(options, each.name) for each in fields(cls) if hasattr(options, each.name)})


def with_text(source: Path, options: object, warn: Warn) -> Path:
    """Return a PDF for text extraction, in which scanned pages contain only their recognised text.

    It is `source` itself if there is nothing to recognise. With `auto`, pages are recognised until the time is up, and
    the rest are reported. Raises InvalidOption, Unreadable, OverLimit.
    """
    return _written(source, Recognition.from_options(options), warn, keep=False, exact=True)


def searchable(source: Path, options: object, warn: Warn, *, exact: bool = False) -> Path:
    """A PDF whose scanned pages have their recognised text beneath, invisible; raises as with_text().

    If `exact`, each word is as wide as it is seen; else some are a little narrower, and the file is smaller.
    """
    return _written(source, Recognition.from_options(options), warn, keep=True, exact=exact)


def _written(source: Path, recognition: Recognition, warn: Warn, *, keep: bool, exact: bool) -> Path:
    if not _wanted(recognition):
        return source
    with _opened(source, recognition, warn) as (pdf, document, numbers):
        if not _read(pdf, document, numbers, recognition, warn, keep=keep, exact=exact):
            return source
        target = Path(tempfile.mkdtemp(prefix="read-")) / source.name
        encrypted = pdf.is_encrypted
        pdf.save(target, encryption=encrypted, deterministic_id=not encrypted)
    return target


def _wanted(recognition: Recognition) -> bool:
    if recognition.ocr == "off":
        return False
    if installed.LANGUAGES:
        return True
    if recognition.ocr == "force":
        raise InvalidOption(
            "ocr",
            "No text recognition model is installed here. The operator of this service can add "
            "models to the folder in TESSDATA_PREFIX.",
        )
    return False


@contextmanager
def _opened(
    source: Path, recognition: Recognition, warn: Warn
) -> Iterator[tuple[pikepdf.Pdf, pypdfium2.PdfDocument, list[int]]]:
    with pdf_read.opened(source, recognition.password) as pdf:
        numbers = chosen(recognition.pages, len(pdf.pages))
        pdf_read.check_instructions(pdf, numbers)
        pdf_read.report_missing_contents(pdf, numbers, warn)
        with document_of(source, recognition.password, last=numbers[-1]) as document, pdf_read.reading():
            yield pdf, document, numbers


def _read(
    pdf: pikepdf.Pdf,
    document: pypdfium2.PdfDocument,
    numbers: Sequence[int],
    recognition: Recognition,
    warn: Warn,
    *,
    keep: bool,
    exact: bool,
) -> bool:
    force = recognition.ocr == "force"
    texts = {number: scans.text_of(document, number) for number in numbers}
    wanted = [number for number in numbers if force or texts[number] is not scans.Text.GOOD]
    if not wanted:
        return False
    if not keep:  # garbled text is recognised, or its page is reported
        garbled = [number for number in wanted if texts[number] is scans.Text.GARBAGE]
        warn.leave_out(scans.declared_text(document, number) for number in garbled)
    reader = Reader(language=recognition.language, deskew=True, rotate=True, warn=warn, tables=not keep)
    if keep:
        for number in wanted:
            without_invisible_text(pdf, pdf.pages[number])
    plan = scans.plan(document, wanted, all_or_none=force)
    layers = Layers(pdf, exact=exact)
    found = False
    until = math.inf if force else time.monotonic() + _SECONDS
    unread = list(plan.dots)
    lost: list[int] = []
    pictures, drawn = 0, list[int]()
    for number, page, more in scans.read(document, plan, reader):
        unread.remove(number)
        if page.paragraphs:
            found = True
            sheet = pdf.pages[number]
            if not keep:
                if texts[number] is scans.Text.NONE:
                    lost += [number] * more
                else:  # no scan: its pictures are not those of its text
                    with page_of(document, number) as shown, text_page_of(shown) as text:
                        on_page, drawings = pictures_and_drawings(shown, text)
                    pictures += on_page
                    drawn += [number] * bool(drawings)
                clear(pdf, sheet)
            seen = scans.visible_texts(document, number) if keep and texts[number] is not scans.Text.GARBAGE else ()
            # Readers of the text alone don't need tilted lines.
            layers.lay(number, page if keep else page.straightened(0.0), seen)
            if not keep:
                layers.rule(number, page.straightened(0.0))
            if recognition.deskew and page.tilt:
                _straighten(pdf, sheet, page.tilt, number, warn)
            if (recognition.rotate_pages or not keep) and page.turn:
                sheet.rotate(page.turn, relative=True)
        warn.progress(len(plan.dots) - len(unread), len(plan.dots), "pages")
        if time.monotonic() > until:
            break
    layers.finish()
    reader.close()
    if lost:
        named = ", ".join(str(number + 1) for number in lost[:20]) + (", ..." if len(lost) > 20 else "")
        warn(
            "CONTENT_DROPPED",
            say("The text of scans was recognised; their pictures were left out on page {named}.", named=named),
        )
    report_left_out(pictures, drawn, warn)
    scans.report_skipped((*unread, *plan.left_out), warn)
    return found


def _straighten(pdf: pikepdf.Pdf, sheet: pikepdf.Page, tilt: float, number: int, warn: Warn) -> None:
    """Rotate a page's content counter-clockwise about its centre; the pictures are not resampled."""
    if len(sheet.obj.get(Name.Annots, pikepdf.Array())):
        warn(
            "OPTION_IGNORED",
            say(
                "Page {number} was not straightened, because its annotations would not move with it.", number=number + 1
            ),
        )
        return
    left, bottom, right, top = seen_box(sheet)
    x, y = (left + right) / 2, (bottom + top) / 2
    cosine, sine = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    place = (cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y)
    sheet.contents_add(f"q {' '.join(f'{each:.5f}' for each in place)} cm\n".encode(), prepend=True)
    sheet.contents_add(b"\nQ")
