"""Comics as CBZ archives and as PDF pages."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.books import comic_info, picture_book
from engine.families.books.comic_info import ComicInfo
from engine.families.images import pdf as pages_of_pictures
from engine.families.images import raster
from engine.families.pdf import pdfium, pictures, read
from engine.toolkit import archive
from engine.toolkit.formats import CBZ, EPUB, PDF, Format
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Warn

MAX_JPEG = 50_000_000


def convert(source: Path, target: Path, output: Format, options: Any, warn: Warn) -> None:
    """Write the pictures of an archive as a comic, a book or a PDF.

    Raises Unreadable for an archive without pictures or with a damaged one, OverLimit for too many or too large ones.
    """
    with picture_book.opened(source, options, warn) as book:
        if output is PDF:
            _to_pdf(book, target, options, warn)
        elif output is CBZ:
            _to_cbz(book, target)
        elif output is EPUB:
            from engine.families.books import fixed_epub

            fixed_epub.write(book, target, warn)


def _to_cbz(book: picture_book.PictureBook, target: Path) -> None:
    digits = max(3, len(str(len(book.pages))))
    with zipfile.ZipFile(target, "w") as made:
        for number, page in enumerate(book.pages, 1):
            name = f"page-{number:0{digits}}.{page.kind.extension}"
            with made.open(archive.entry(name, stored=True), "w") as place:
                place.write(book.archive.read(page.entry))
        made.writestr(archive.entry(comic_info.NAME), book.info.written(len(book.pages)))


def _to_pdf(book: picture_book.PictureBook, target: Path, options: Any, warn: Warn) -> None:
    """Write each picture as a page, with the picture converter; the comic's full metadata is attached."""
    with pikepdf.new() as made:
        parts = []
        for number, page in enumerate(book.pages):
            with book.picture(page) as picture:
                part = target.with_name(f"page{number}.pdf")
                pages_of_pictures.convert(picture, part, options, warn)
            # Held in memory, as a file for each of a thousand pages would be too many.
            opened = pikepdf.open(io.BytesIO(part.read_bytes()))
            part.unlink()
            parts.append(opened)
            made.pages.extend(opened.pages)
        _write_metadata(made, book.info, len(book.pages))
        made.save(target, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        for opened in parts:
            opened.close()


def _write_metadata(made: pikepdf.Pdf, info: ComicInfo, count: int) -> None:
    for key, value in (
        ("/Title", info.title),
        ("/Author", ", ".join(info.writers)),
        ("/Subject", info.get("Summary")),
        ("/Keywords", ", ".join(info.subjects)),
    ):
        if value:
            made.docinfo[key] = value
    if info.language:
        made.Root.Lang = info.language
    viewer: dict[str, Any] = {"/DisplayDocTitle": True} if info.title else {}
    if info.backwards:
        viewer["/Direction"] = Name.R2L
    if viewer:
        made.Root.ViewerPreferences = pikepdf.Dictionary(viewer)
    if info.given:
        data = info.written(count)
        made.attachments[comic_info.NAME] = pikepdf.AttachedFileSpec(
            made, data, description="", filename=comic_info.NAME, mime_type="text/xml", creation_date="", mod_date=""
        )


def from_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the pages of a PDF as the pictures of a comic: a page that is a single JPEG is copied.

    Raises Unreadable for a damaged document, InvalidOption for a wrong password or missing pages, OverLimit.
    """
    with read.opened(source, options.password) as pdf, pdfium.opened(source, options, warn) as (document, numbers):
        check_pages(len(numbers))
        document.init_forms()
        digits = max(3, len(str(len(pdf.pages))))
        with zipfile.ZipFile(target, "w") as made:
            for number in numbers:
                name = f"page-{number + 1:0{digits}}"
                whole = _jpeg(pdf, number)
                if whole is None:
                    path = target.with_name(f"{name}.{options.picture_format}")
                    raster.drawn(pictures.drawn(document, number, options), path, options, warn, dpi=options.dpi)
                    whole = path.read_bytes()
                    path.unlink()
                    name = path.name
                else:
                    name += ".jpg"
                with made.open(archive.entry(name, stored=True), "w") as place:
                    place.write(whole)
            with read.reading():
                info = _metadata_of(pdf, warn)
            info.apply(options)
            made.writestr(archive.entry(comic_info.NAME), info.written(len(numbers)))
        warn.detect(pages=len(numbers))


def _metadata_of(pdf: pikepdf.Pdf, warn: Warn) -> ComicInfo:
    """The document's metadata: the attached file of a comic, or its own fields."""
    attached = pdf.attachments.get(comic_info.NAME)
    if attached is not None:
        stream = attached.get_file().obj
        read.check_unfolding(stream)
        return comic_info.read(attached.get_file().read_bytes(), warn)
    info = ComicInfo()
    for field, key in (("Title", "/Title"), ("Writer", "/Author"), ("Summary", "/Subject"), ("Genre", "/Keywords")):
        info.put(field, str(pdf.docinfo.get(key, "")))
    info.put("LanguageISO", str(pdf.Root.get("/Lang", "")))
    viewer = pdf.Root.get("/ViewerPreferences")
    if isinstance(viewer, pikepdf.Dictionary) and viewer.get("/Direction") == Name.R2L:
        info.put("Manga", "YesAndRightToLeft")
    return info


def _jpeg(pdf: pikepdf.Pdf, number: int) -> bytes | None:
    """The JPEG that a page consists of, upright and unchanged, or None."""
    try:
        page = pdf.pages[number]
        if int(page.get("/Rotate", 0)) % 360 or page.get("/Annots"):
            return None
        images = dict(page.images)
        if len(images) != 1:
            return None
        image = next(iter(images.values()))
        plain = image.get("/Filter") in (Name.DCTDecode, pikepdf.Array([Name.DCTDecode]))
        changed = any(key in image for key in ("/SMask", "/Mask", "/Decode", "/DecodeParms"))
        if not plain or changed or not _is_rgb(image.get("/ColorSpace")):
            return None
        steps = [(str(each.operator), list(each.operands)) for each in pikepdf.parse_content_stream(page)]
        if [name for name, _ in steps if name not in ("q", "Q")] != ["cm", "Do"]:
            return None
        place = [float(each) for each in next(operands for name, operands in steps if name == "cm")]
        box = [float(each) for each in page.cropbox]
        found = [place[4], place[5], place[4] + place[0], place[5] + place[3]]
        near = all(abs(a - b) <= 0.01 * max(place[0], place[3]) for a, b in zip(found, box, strict=True))
        data = bytes(image.read_raw_bytes())
    except read.DAMAGED:
        return None
    upright = place[1] == place[2] == 0
    return data if near and upright and data.startswith(b"\xff\xd8\xff") and len(data) <= MAX_JPEG else None


def _is_rgb(space: Any) -> bool:
    """Whether every viewer shows the colours alike: grey or RGB, with or without a profile."""
    if space in (Name.DeviceRGB, Name.DeviceGray):
        return True
    return isinstance(space, pikepdf.Array) and space[0] == Name.ICCBased and int(space[1].get("/N", 0)) in (1, 3)
