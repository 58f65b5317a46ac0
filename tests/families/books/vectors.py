"""Vectors of books and comics: pages in their order, what a book says of itself, links, and locks that stay shut."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

import pypdf
from PIL import Image

from tests.converters.pairs import Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, Vector, fail, take
from tests.families.books.files import COMIC_INFO, azw3, comic, manga, mobi, packed, palm_text, picture

_DC = "{http://purl.org/dc/elements/1.1/}"


def _files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {each: archive.read(each) for each in archive.namelist()}


def _epub(*pictures: str, backwards: bool = False, **said: str) -> Check:
    def check(data: bytes) -> None:
        files = _files(data)
        assert next(iter(files)) == "mimetype"
        package = ElementTree.fromstring(files["EPUB/package.opf"])
        found = [each for each in files if "picture-" in each]
        assert [each.rpartition(".")[2] for each in found] == list(pictures)
        for name, value in said.items():
            assert [each.text for each in package.iter(f"{_DC}{name}")] == value.split("|")
        for part in files:
            if part.endswith((".xhtml", ".opf")):
                ElementTree.fromstring(files[part])
        assert ('page-progression-direction="rtl"' in files["EPUB/package.opf"].decode()) == backwards
        assert b'content="width=40, height=60"' in files["EPUB/page-0001.xhtml"]

    return check


def _pdf(*sizes: tuple[float, float], title: str | None, backwards: bool = False) -> Check:
    def check(data: bytes) -> None:
        made = pypdf.PdfReader(io.BytesIO(data))
        assert [
            (round(float(each.mediabox.width), 1), round(float(each.mediabox.height), 1)) for each in made.pages
        ] == list(sizes)
        assert (made.metadata.title if made.metadata else None) == title
        viewer = made.root_object.get("/ViewerPreferences", {})
        assert (viewer.get("/Direction") == "/R2L") == backwards
        assert ("ComicInfo.xml" in made.attachments) == backwards

    return check


def _cbz(names: list[str], *said: str, colours: tuple[int, ...] = ()) -> Check:
    def check(data: bytes) -> None:
        files = _files(data)
        assert list(files) == [*names, "ComicInfo.xml"]
        for name, colour in zip(names, colours, strict=False):
            red = Image.open(io.BytesIO(files[name])).convert("RGB").tobytes()[0]
            assert abs(red - colour) < 4
        text = files["ComicInfo.xml"].decode()
        assert all(each in text for each in said), text

    return check


def _pages(*parts: bytes) -> bytes:
    import img2pdf

    made: bytes = img2pdf.convert(*parts, nodate=True)
    return made


_JPEGS = [picture("JPEG", colour=each) for each in (20, 180)]


def _same_pictures(data: bytes) -> None:
    files = _files(data)
    assert [files[f"page-00{each}.jpg"] for each in (1, 2)] == _JPEGS


_THREE = [f"page-00{each}.jpg" for each in (1, 2, 3)]
_MIXED = ["page-001.png", "page-002.jpg", "page-003.bmp"]
_SAID = ("<Title>Tïtle</Title>", "<Manga>YesAndRightToLeft</Manga>", '<Page Image="0"', "<PageCount>3</PageCount>")
_COMICS = (
    Vector("cbz-to-pdf", "three pages", "ordinary", comic, check=_pdf(*[(30, 45)] * 3, title=None)),
    take("cbz-to-pdf", "from right to left", manga,
         _pdf((30, 45), (67.5, 45), (30, 45), title="Tïtle", backwards=True), "CONTENT_DROPPED"),
    fail("cbz-to-pdf", "no pictures", packed(("a.txt", "x"))),
    fail("cbz-to-pdf", "a broken picture", packed(("a.jpg", picture("JPEG")[:200]))),
    Vector("cbz-to-epub", "three pages", "ordinary", comic, check=_epub("jpg", "jpg", "jpg", title="Untitled")),
    take("cbz-to-epub", "from right to left", manga,
         _epub("png", "jpg", "png", backwards=True, title="Tïtle", creator="Ann A|Bob B", contributor="Cy",
               language="ja", date="2020-05"), "CONTENT_DROPPED", "METADATA_DROPPED", "VALUE_CONVERTED"),
    take("cbz-to-epub", "another title, and the other way", manga,
         _epub("png", "jpg", "png", title="<New>", creator="Me", language="en"), "CONTENT_DROPPED", "METADATA_DROPPED",
         "VALUE_CONVERTED", title="<New>", author="Me", language="en", direction="ltr"),
    fail("cbz-to-epub", "a broken picture", packed(("a.png", picture("PNG")[:60]))),
    Vector("zip-to-cbz", "three pages", "ordinary", comic, check=_cbz(_THREE, colours=(20, 180, 200))),
    take("zip-to-cbz", "what it says is kept", manga, _cbz(_MIXED, *_SAID), "CONTENT_DROPPED"),
    take("zip-to-cbz", "what it says can't be read",
         packed(("a.jpg", picture("JPEG")), ("ComicInfo.xml", COMIC_INFO[:-5])), _cbz(_THREE[:1]), "METADATA_DROPPED"),
    fail("zip-to-cbz", "no pictures", packed(("a.jpg", "no picture"))),
    Vector("zip-to-epub", "three pages", "ordinary", comic, check=_epub("jpg", "jpg", "jpg", title="Untitled")),
    take("zip-to-epub", "manga", comic, _epub("jpg", "jpg", "jpg", backwards=True, title="T"), title="T",
         direction="rtl"),
    fail("zip-to-epub", "no archive", b"PK\x03\x04 nothing"),
    Vector("pdf-to-cbz", "pages that are pictures", "ordinary", lambda: _pages(*_JPEGS), check=_same_pictures),
    take("pdf-to-cbz", "pages that are drawn", lambda: _pages(picture("PNG", colour=90), *_JPEGS),
         _cbz(["page-002.jpg", "page-001.webp"][::-1], "<Writer>Ann</Writer>", "YesAndRightToLeft", colours=(90, 20)),
         pages="1-2", pictureFormat="webp", author="Ann", direction="rtl"),
    fail("pdf-to-cbz", "no document", b"%PDF-1.4 nothing"),
)  # fmt: skip


def _book(output: str) -> Check:
    def check(data: bytes) -> None:
        if output == "epub":
            files = _files(data)
            package = files["EPUB/content.opf"].decode()
            assert '<dc:title id="epub-title-1">Bücher &amp; mehr</dc:title>' in package
            assert "Ann Ö" in package
            assert "<dc:language>de</dc:language>" in package
            assert 'properties="cover-image"' in package
            text = b"".join(files[each] for each in files if "/ch" in each).decode()
            (target,) = set(re.findall(r'href="(?:ch\d+\.xhtml)?#([^"]+)"', text))
            assert f'id="{target}"' in text
            assert picture("PNG") in files.values()
        elif output == "html":
            text = data.decode()
            assert '<html lang="de">' in text
            links = re.findall(r'<a href="#(p\d+)">weiter', text)
            assert links == re.findall(r'<a id="(p\d+)"', text)
            assert 'alt="Katze"' in text
            assert 'name="author" content="Ann Ö"' in text
        elif output == "pdf":
            text = "".join(each.extract_text() for each in pypdf.PdfReader(io.BytesIO(data)).pages)
        else:
            text = data.decode()
        assert all(each in text for each in ("Grüße an alle", "Zweites")), text
        assert "aus" in text

    return check


_SAID_AS: dict[str, set[str]] = {
    "epub": set(), "html": {"METADATA_DROPPED"}, "pdf": {"METADATA_DROPPED"},
    "txt": {"METADATA_DROPPED", "CONTENT_DROPPED"},
}  # fmt: skip
"""Format to what is lost of a book in it."""
READERS: Readers = {
    id: (
        ordinary("a book", book),
        awkward("packed by Huffman's codes", lambda: mobi(packing="huffman")),
        broken("protected (DRM)", lambda: mobi(locked=2)),
        broken("cut off", lambda book=book: book()[:700]),
    )
    for id, book in (("mobi", mobi), ("azw3", azw3))
}


def _writer(output: str, lost: set[str]) -> Writer:
    return lambda source, given: Wanted(_book(output), frozenset(lost))


def _says(*words: str) -> Check:
    def check(data: bytes) -> None:
        assert all(each in data.decode() for each in words), data.decode()

    return check


VECTORS: tuple[Vector, ...] = (
    *_COMICS,
    *pairs("books", READERS, {id: _writer(id, lost) for id, lost in _SAID_AS.items()}),
    take("mobi-to-html", "a text of Palm OS", palm_text, _says("<p>Erste Zeile &amp; &lt;b&gt;</p>", "A text")),
    fail("azw3-to-txt", "a record that is no header", mobi().replace(b"MOBI\0", b"MOPI\0")),
    take("mobi-to-txt", "not packed", lambda: mobi(packing="plain"), _book("txt"), *_SAID_AS["txt"]),
)
