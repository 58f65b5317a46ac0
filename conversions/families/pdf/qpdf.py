"""PDF to PDF: which task an operation is, and how its result is saved.

What brings a library of fonts or drawings along is imported by the operation that needs it, as it takes a process
longer to import than most files to convert; the engine has all of it imported in the sandbox.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pikepdf
from pikepdf import Name

from conversions.families.pdf import read
from conversions.families.pdf.options import PdfOptions
from conversions.families.pdf.read import reading
from conversions.families.pdf.tasks import cleaning, compress, forms, locking
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.options import camel
from conversions.toolkit.page_ranges import chosen
from conversions.toolkit.warnings import Warn

_Effort = Literal[7, 9]
_BEST: _Effort = 9
_QUICK: _Effort = 7
"""Effort of Flate for files that are made smaller with loss: the highest takes thrice the time for a hundredth."""
_AS_USUAL: Literal[-1] = -1
"""zlib's own level, for whatever else this process writes: the library has one for all."""

_MOST_NAMED = 10

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
"""Operation to the options that mean something to it, beside the password that opens the file."""


def convert(source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    """Do the operation that the options name; what is encrypted stays so, unless it is to be decrypted.

    Raises InvalidOption for options that don't fit the operation or the document, Unreadable, OverLimit.
    """
    fitting = set().union(*_FITS.values())
    for attribute in sorted(fitting - _FITS[options.operation]):
        if getattr(options, attribute) is not None:
            raise InvalidOption(camel(attribute), f"This option does not belong to the operation {options.operation}.")
    with read.opened(source, options.password) as pdf:
        with reading():
            signed = _is_signed(pdf)
        if signed:
            warn("CONTENT_DROPPED", "The document was signed; a changed document's signature is no longer valid.")
        with reading():
            _OPERATIONS[options.operation](pdf, source, target, options, warn)


def _save(
    pdf: pikepdf.Pdf,
    target: Path,
    encryption: pikepdf.Encryption | bool | None = None,
    effort: _Effort = _BEST,
    **settings: Any,
) -> None:
    """Write the document; one that was encrypted stays so unless `encryption` says otherwise.

    An encrypted file differs every time: its keys have to be random. Any other one has an id made from its content.
    """
    if encryption is None:
        encryption = pdf.is_encrypted
    if Name.Size not in pdf.trailer:
        # A repaired file can lack it, and it is then left out again, though readers need it (ISO 32000-1, table 15).
        pdf.trailer[Name.Size] = len(pdf.objects) + 1
    pikepdf.settings.set_flate_compression_level(effort)
    try:
        pdf.save(target, encryption=encryption, deterministic_id=encryption is False, **settings)
    finally:
        pikepdf.settings.set_flate_compression_level(_AS_USUAL)


def _compress(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    level = options.level or "archive"
    safe = compress.compress(pdf, level, options.image_quality, warn)
    _save(
        pdf,
        target,
        compress_streams=True,
        recompress_flate=safe,
        effort=_BEST if compress.LEVELS[level].lossless else _QUICK,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    if target.stat().st_size >= source.stat().st_size:
        shutil.copyfile(source, target)
        warn("NOT_SMALLER", "The PDF can't be compressed further, so it was left unchanged.")


def _rotate(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    for number in chosen(options.pages, len(pdf.pages)):
        pdf.pages[number].rotate(int(options.angle or "90"), relative=True)
    _save(pdf, target)


def _pages(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    if options.pages is None:
        raise InvalidOption("pages", "Give the pages to extract, such as 1-3,5.")
    # Into a new document: pages that are left out would stay readable in the old one.
    with pikepdf.new() as new:
        for number in chosen(options.pages, len(pdf.pages), repeats=True):
            new.pages.append(pdf.pages[number])
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
            warn("CONTENT_DROPPED", f"Left out with the other pages: {', '.join(lost)}.")
        _save(new, target, locking.same(pdf, options) if pdf.is_encrypted else False)


def _encrypt(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    if not (options.user_password or options.owner_password):
        raise InvalidOption("userPassword", "Choose a password.")
    _save(pdf, target, locking.new(options))


def _decrypt(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    if not pdf.is_encrypted:
        raise InvalidOption("operation", "The PDF is not encrypted.")
    _save(pdf, target, encryption=False)


def _watermark(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.watermark import stamp

    if not (options.watermark_text or "").strip():
        raise InvalidOption("watermarkText", "Give the text of the watermark in watermarkText.")
    numbers = chosen(options.pages, len(pdf.pages))
    stamp(pdf, numbers, str(options.watermark_text), options.watermark_opacity or 0.15, warn)
    _save(pdf, target)


def _crop(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.tasks import sheets

    sheets.crop(pdf, options, warn)
    _save(pdf, target)


def _several(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.tasks import sheets

    with sheets.several_on_one(pdf, options, warn) as new:
        _save(new, target, locking.same(pdf, options) if pdf.is_encrypted else False)


def _number(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.tasks import overlays

    overlays.number_pages(pdf, options, warn)
    _save(pdf, target)


def _stamp(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.tasks import overlays

    overlays.stamp(pdf, options, warn)
    _save(pdf, target)


def _redact(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.tasks.redaction import redact

    redact.redact(source, target, options, _save, warn)


def _fill(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    forms.fill(pdf, options, warn)
    _save(pdf, target)


def _flatten(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    forms.flatten(pdf)
    _save(pdf, target)


def _clean(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    cleaning.remove_metadata(pdf)
    _save(pdf, target)


def _repair(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    """Whatever could be read is written anew; what had to be mended on the way is named."""
    found = [str(each) for each in pdf.get_warnings()]
    for each in found[:_MOST_NAMED]:
        warn("CONTENT_DROPPED", f"Mended: {each.rpartition('input.pdf')[2].strip(' :')}")
    _save(pdf, target)


def _linearize(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    _save(pdf, target, linearize=True)


def _archive(pdf: pikepdf.Pdf, source: Path, target: Path, options: PdfOptions, warn: Warn) -> None:
    from conversions.families.pdf.tasks.archive.convert import VERSION, to_archive

    to_archive(pdf, warn)
    pdf.remove_unreferenced_resources()
    _save(
        pdf,
        target,
        encryption=False,
        min_version=VERSION,
        force_version=VERSION,
        stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
    )


def _is_signed(pdf: pikepdf.Pdf) -> bool:
    form = pdf.Root.get(Name.AcroForm)
    # ISO 32000-1, table 219: bit 1 of SigFlags is "signatures exist".
    return isinstance(form, pikepdf.Dictionary) and bool(int(form.get(Name.SigFlags, 0)) & 1)


_OPERATIONS: dict[str, Callable[[pikepdf.Pdf, Path, Path, PdfOptions, Warn], None]] = {
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
