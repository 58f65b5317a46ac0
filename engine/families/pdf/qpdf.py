"""Edit PDFs: run the task of an operation and save its result.

Modules that need a font or drawing library are imported by the operation that uses them, as the import takes longer
than most conversions. In the sandbox the engine has already imported them.
"""

from __future__ import annotations

import filecmp
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf import read
from engine.families.pdf.options import PdfOptions
from engine.families.pdf.read import reading
from engine.families.pdf.saving import BEST, QUICK, save
from engine.families.pdf.tasks import compress, copied_layers, encryption, forms, left_out_pages, page_copying
from engine.families.pdf.tasks.pages_apart import Apart
from engine.families.pdf.unchanged import keeping
from engine.families.pdf.unchanged.intended import Area, Intended, box
from engine.families.pdf.unchanged.keeping import Work
from engine.families.pdf.unchanged.replaced import Replaced
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.options import camel
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

_FILE = re.compile(r"^(?:stream <[^>]*>|.*?input\.pdf)")
"""Qpdf's name of the document in its messages."""

_MOST_NAMED = 10
_EXACT = 100
"""Quality of pictures that are re-encoded without downsampling, or whose colours get a profile."""

_FITS = {
    "compress": {"level", "image_quality"},
    "rotate": {"angle", "pages"},
    "pages": {"pages"},
    "encrypt": {"user_password", "owner_password", "allow"},
    "decrypt": set[str](),
    "watermark": {"watermark_text", "watermark_opacity", "pages"},
    "crop": {"margins", "pages"},
    "several": {"per_sheet", "paper", "pages"},
    "number": {"text", "start_at", "position", "text_size", "colour", "opacity", "pages"},
    "stamp": {"text", "picture", "picture_width", "position", "text_size", "colour", "opacity", "pages"},
    "redact": {"redact_text", "redact_pattern", "pages"},
    "fill": {"fields"},
    "flatten": set[str](),
    "clean": set[str](),
    "repair": set[str](),
    "linearize": set[str](),
    "archive": set[str](),
}
"""Operations and the options that apply to each, besides the password of the file."""


def convert(source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    """Perform the operation in the options; an encrypted file stays encrypted unless it is decrypted.

    Raises InvalidOption for options that don't fit the operation or the document, Unreadable, OverLimit.
    """
    fitting = set().union(*_FITS.values())
    for attribute in sorted(fitting - _FITS[options.operation]):
        if getattr(options, attribute) is not None:
            raise InvalidOption(
                camel(attribute),
                say("This option doesn't apply to the operation {operation}.", operation=options.operation),
            )
    with read.opened(source, options.password) as pdf:
        with reading():
            signed = _is_signed(pdf)
        read.report_missing_contents(pdf, range(len(pdf.pages)), warn)
        if signed:
            warn("CONTENT_DROPPED", "The document was signed. Its signature is no longer valid.")
        with reading():
            work = _OPERATIONS[options.operation](pdf, source, target, options, warn)
            keeping.keep(pdf, source, target, work or Work(), options.password, warn)
            if not filecmp.cmp(source, target, shallow=False):
                read.report_lost_objects(pdf, warn)


def _compress(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    level, replaced = options.level or "archive", Replaced()
    damaged = bool(read.damage(pdf))  # before pictures are decoded: decoding adds warnings of its own
    safe = compress.compress(pdf, level, options.image_quality, replaced, warn)
    lossless = compress.LEVELS[level].lossless and options.image_quality is None

    def write() -> None:
        save(
            pdf,
            target,
            compress_streams=True,
            recompress_flate=safe,
            effort=BEST if compress.LEVELS[level].lossless else QUICK,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
        )
        if target.stat().st_size < source.stat().st_size:
            return
        if damaged:
            warn("SIZE_MISSED", "The PDF was damaged and repaired, but can't be compressed further.")
            return
        shutil.copyfile(source, target)
        warn("NOT_SMALLER", "The PDF can't be compressed further, so it was left unchanged.")

    write()
    quality = options.image_quality or compress.LEVELS[level].quality
    return Work(Intended(quality=None if lossless else quality), replaced=replaced, save=write, optional=not damaged)


def _rotate(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    numbers, angle = chosen(options.pages, len(pdf.pages)), int(options.angle or "90")
    for number in numbers:
        pdf.pages[number].rotate(angle, relative=True)
    save(pdf, target)
    return Work(Intended(turned=dict.fromkeys(numbers, angle)))


def _pages(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    if options.pages is None:
        raise InvalidOption("pages", "Enter the pages to extract, such as 1-3,5.")
    numbers = chosen(options.pages, len(pdf.pages), repeats=True)
    page_copying.check_repeated(page_copying.Original(pdf), [numbers])
    # Into a new document: in the old one, pages that are left out would remain readable.
    with pikepdf.new() as new:
        pages = list(pdf.pages)
        for number in numbers:
            new.pages.append(pages[number])
        with Apart(pdf, pages).only(numbers):
            copied_layers.add(new, pdf, pages, numbers)
        left_out_pages.cut(new, pages, numbers, warn)
        for name in (Name.Lang, Name.Metadata, Name.ViewerPreferences):
            if name in pdf.Root:
                value = pdf.Root[name]
                new.Root[name] = (
                    new.copy_foreign(value) if isinstance(value, pikepdf.Object) and value.is_indirect else value
                )
        if Name.Info in pdf.trailer:
            new.trailer[Name.Info] = new.copy_foreign(pdf.trailer[Name.Info])
        named = {"/Outlines": "bookmarks", "/AcroForm": "form fields", "/Names": "named places and attached files"}
        lost = [what for name, what in named.items() if name in pdf.Root]
        if lost:
            warn.account("attachments", len(pdf.attachments))
            warn("CONTENT_DROPPED", say("Also left out with the other pages: {lost}.", lost=", ".join(lost)))
        save(new, target, encryption.same(pdf, options) if pdf.is_encrypted else False)
    return Work(Intended(pages=numbers))


def _encrypt(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    if not (options.user_password or options.owner_password):
        raise InvalidOption("userPassword", "Choose a password.")
    save(pdf, target, encryption.new(options))
    return Work(Intended(password=options.user_password or options.owner_password))


def _decrypt(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    if not pdf.is_encrypted:
        raise InvalidOption("operation", "The PDF is not encrypted.")
    save(pdf, target, encryption=False)


def _watermark(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.watermark import stamp

    if not (options.watermark_text or "").strip():
        raise InvalidOption("watermarkText", "Enter the watermark text in watermarkText.")
    numbers = chosen(options.pages, len(pdf.pages))
    stamp(pdf, numbers, str(options.watermark_text), options.watermark_opacity or 0.15, warn)
    save(pdf, target)
    areas = {number: [_whole(pdf.pages[number])] for number in numbers}
    return Work(Intended(areas=areas, added=True))


def _crop(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.tasks import sheets

    sheets.crop(pdf, options, warn)
    save(pdf, target)
    return Work(Intended(clipped=True))


def _several(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.tasks import sheets

    with sheets.several_on_one(pdf, options, warn) as new:
        save(new, target, encryption.same(pdf, options) if pdf.is_encrypted else False)
    return Work(intended=None)


def _number(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.tasks import overlays

    areas = overlays.number_pages(pdf, options, warn)
    save(pdf, target)
    return Work(Intended(areas=areas, added=True))


def _stamp(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.tasks import overlays

    areas = overlays.stamp(pdf, options, warn)
    save(pdf, target)
    return Work(Intended(areas=areas, added=True))


def _redact(pdf: pikepdf.Pdf, source: Path, target: Path, options: Any, warn: Warn) -> Work:
    from engine.families.pdf.tasks.redaction import redact

    areas = redact.redact(source, target, options, save, warn, recognised=options.ocr != "off")
    return Work(Intended(areas=areas, quality=_EXACT, added=True, removed=True))


def _fill(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    areas = forms.fill(pdf, options, warn)
    save(pdf, target)
    return Work(Intended(areas=areas, added=True, removed=True))


def _flatten(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    areas = forms.flatten(pdf, warn)
    save(pdf, target)
    return Work(Intended(areas=areas, added=True))


def _clean(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.tasks import cleaning

    removed = cleaning.clean(pdf, warn)
    save(pdf, target)
    return Work(Intended(removed=removed))


def _repair(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    """Rewrite everything readable; repairs are reported."""
    for each in read.damage(pdf)[:_MOST_NAMED]:
        warn("CONTENT_DROPPED", say("Repaired: {each}", each=_FILE.sub("", each).strip(" :")))
    save(pdf, target)


def _linearize(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    save(pdf, target, linearize=True)


def _archive(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> Work:
    from engine.families.pdf.tasks.archive.convert import VERSION, to_archive

    replaced = Replaced()
    inks = to_archive(pdf, replaced, warn)
    pdf.remove_unreferenced_resources()

    def write() -> None:
        save(
            pdf,
            target,
            encryption=False,
            min_version=VERSION,
            force_version=VERSION,
            stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
        )

    write()
    return Work(Intended(quality=_EXACT if inks else None), replaced=replaced, save=write)


def _whole(page: pikepdf.Page) -> Area:
    left, bottom, right, top = (float(side) for side in page.mediabox)
    return box(left, bottom, right, top)


def _is_signed(pdf: pikepdf.Pdf) -> bool:
    form = pdf.Root.get(Name.AcroForm)
    # ISO 32000-1, table 219: bit 1 of SigFlags is "signatures exist".
    return isinstance(form, pikepdf.Dictionary) and bool(int(form.get(Name.SigFlags, 0)) & 1)


_OPERATIONS: dict[str, Callable[[pikepdf.Pdf, Path, Path, PdfOptions, Warn], Work | None]] = {
    "compress": _compress,
    "rotate": _rotate,
    "pages": _pages,
    "encrypt": _encrypt,
    "decrypt": _decrypt,
    "watermark": _watermark,
    "crop": _crop,
    "several": _several,
    "number": _number,
    "stamp": _stamp,
    "redact": _redact,
    "fill": _fill,
    "flatten": _flatten,
    "clean": _clean,
    "repair": _repair,
    "linearize": _linearize,
    "archive": _archive,
}
