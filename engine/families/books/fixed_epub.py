"""Fixed-layout EPUB of pictures (EPUB 3.3): one picture a page, in reading direction."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

from engine.families.books.picture_book import Page, PictureBook
from engine.families.images import raster, reading
from engine.families.images.options import JpgCoding
from engine.toolkit import archive
from engine.toolkit.formats import BMP, GIF, JPG, PNG, TIFF, WEBP
from engine.toolkit.warnings import Kind, Warn

_CORE = (JPG, PNG, GIF, WEBP)
"""The picture types that every reading system supports (EPUB 3.3, section 3.2)."""
_WITHOUT_LOSS = (BMP, TIFF)
_RECODED = Kind(
    "VALUE_CONVERTED", "Pictures in formats that EPUB readers may not show were converted: {count}{places}."
)
_LEFT_OUT = Kind("METADATA_DROPPED", "The book has no place for these ComicInfo.xml fields: {count}{places}.")
_METADATA = {
    "Title", "Series", "Number", "Summary", "Year", "Month", "Day", "Writer", "Publisher", "Genre", "Tags",
    "PageCount", "LanguageISO", "Manga",
}  # fmt: skip
_MODIFIED = "1980-01-01T00:00:00Z"
_CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_SHEET = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="{language}" xml:lang="{language}">
<head><title>{title}</title><meta name="viewport" content="width={width}, height={height}"/>
<style>body{{margin:0;padding:0}}img{{display:block;width:{width}px;height:{height}px}}</style></head>
<body><img src="{picture}" alt="{title}"/></body>
</html>
"""


@dataclass(frozen=True)
class _Sheet:
    """One written page: the name and type of its picture, and its displayed size in pixels."""

    picture: str
    content_type: str
    width: int
    height: int


def write(book: PictureBook, target: Path, warn: Warn) -> None:
    """Write the pages of `book`; raises Unreadable for a damaged picture, OverLimit for one that is too large."""
    left = book.info.beside(_METADATA)
    warn.tally(_LEFT_OUT, len(left), left)
    language = book.info.language or "und"
    digest, recoded = hashlib.sha256(), list[str]()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr(archive.entry("mimetype", stored=True), "application/epub+zip")
        made.writestr(archive.entry("META-INF/container.xml"), _CONTAINER)
        sheets = []
        for number, page in enumerate(book.pages, 1):
            sheet = _page(book, page, number, made, digest, warn)
            if page.kind not in _CORE:
                recoded.append(page.entry.filename)
            text = _SHEET.format(
                language=language, title=f"Page {number}", width=sheet.width, height=sheet.height, picture=sheet.picture
            )
            made.writestr(archive.entry(f"EPUB/page-{number:04}.xhtml"), text)
            sheets.append(sheet)
        title = book.info.title or "Untitled"
        made.writestr(archive.entry("EPUB/nav.xhtml"), _contents(title, language, len(sheets)))
        made.writestr(archive.entry("EPUB/package.opf"), _package(book, title, language, sheets, digest.hexdigest()))
    warn.tally(_RECODED, len(recoded), recoded)


def _page(book: PictureBook, page: Page, number: int, made: zipfile.ZipFile, digest: object, warn: Warn) -> _Sheet:
    with book.picture(page) as path:
        kind, shown = page.kind, path
        if kind not in _CORE:
            kind = PNG if kind in _WITHOUT_LOSS else JPG
            shown = path.with_name(f"recoded.{kind.id}")
            raster.convert(path, shown, JpgCoding(quality=90), warn)
        with reading.opened(shown) as image:
            width, height = image.size
            with reading.decoding():
                turned = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
            reading.load(image, warn)
        data = shown.read_bytes()
        if shown is not path:
            shown.unlink()
    digest.update(data)  # type: ignore[attr-defined]  # hashlib names no type
    name = f"picture-{number:04}.{kind.extension}"
    with made.open(archive.entry(f"EPUB/{name}", stored=True), "w") as place:
        place.write(data)
    return _Sheet(name, kind.content_type, *((height, width) if turned else (width, height)))


def _contents(title: str, language: str, count: int) -> str:
    pages = "\n".join(f'<li><a href="page-{each:04}.xhtml">{each}</a></li>' for each in range(1, count + 1))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}" xml:lang="{language}">\n'
        f"<head><title>{escape(title)}</title></head>\n<body>\n"
        f'<nav epub:type="toc"><ol><li><a href="page-0001.xhtml">{escape(title)}</a></li></ol></nav>\n'
        f'<nav epub:type="page-list" hidden="hidden"><ol>\n{pages}\n</ol></nav>\n</body>\n</html>\n'
    )


def _package(book: PictureBook, title: str, language: str, sheets: list[_Sheet], digest: str) -> str:
    info = book.info
    metadata = [f'<dc:identifier id="id">urn:sha256:{digest}</dc:identifier>', f"<dc:title>{escape(title)}</dc:title>",
            f"<dc:language>{language}</dc:language>"]  # fmt: skip
    metadata += [f"<dc:creator>{escape(each)}</dc:creator>" for each in info.writers]
    for number, (name, code) in enumerate(info.others):
        metadata.append(f'<dc:contributor id="by{number}">{escape(name)}</dc:contributor>')
        metadata.append(f'<meta refines="#by{number}" property="role" scheme="marc:relators">{code}</meta>')
    metadata += [f"<dc:subject>{escape(each)}</dc:subject>" for each in info.subjects]
    for element, value in (
        ("publisher", info.get("Publisher")),
        ("description", info.get("Summary")),
        ("date", info.date),
    ):
        if value:
            metadata.append(f"<dc:{element}>{escape(value)}</dc:{element}>")
    if info.get("Series"):
        metadata.append(f'<meta property="belongs-to-collection" id="series">{escape(info.get("Series"))}</meta>')
        metadata.append('<meta refines="#series" property="collection-type">series</meta>')
        if info.get("Number"):
            metadata.append(f'<meta refines="#series" property="group-position">{escape(info.get("Number"))}</meta>')
    metadata += [f'<meta property="dcterms:modified">{_MODIFIED}</meta>',
             '<meta property="rendition:layout">pre-paginated</meta>']  # fmt: skip
    items, spine = [], []
    for number, each in enumerate(sheets, 1):
        cover = ' properties="cover-image"' if number == 1 else ""
        items.append(f'<item id="i{number}" href="{each.picture}" media-type="{each.content_type}"{cover}/>')
        items.append(f'<item id="p{number}" href="page-{number:04}.xhtml" media-type="application/xhtml+xml"/>')
        alone = ' properties="rendition:page-spread-center"' if each.width > each.height or number == 1 else ""
        spine.append(f'<itemref idref="p{number}"{alone}/>')
    way = ' page-progression-direction="rtl"' if info.backwards else ""
    lines = "\n".join
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        f'unique-identifier="id">\n<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n{lines(metadata)}\n</metadata>\n'
        '<manifest>\n<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\n'
        f"{lines(items)}\n</manifest>\n<spine{way}>\n{lines(spine)}\n</spine>\n</package>\n"
    )
