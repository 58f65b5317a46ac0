"""Vectors of pages with their files: the same page as a ZIP, as MHTML and as a web archive."""

from __future__ import annotations

import base64
import io
import zipfile
from functools import partial

import pypdfium2

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check
from tests.families.saved_pages import files

_ORDINARY = "<!DOCTYPE html><title>Notes</title><h1>Überschrift</h1><p>Ein Absatz</p><img src='a.png' alt='dot'>"
_DAMAGED = {
    "htmlz": files.zipped({"readme.txt": b"no page"}),
    "mhtml": b"<html>a page, but no message</html>",
    "webarchive": b"bplist00 and no more",
}
READERS: Readers = {
    id: (
        ordinary(
            "a page and its picture", partial(make, {"index.html": _ORDINARY.encode(), "a.png": files.picture("red")})
        ),
        awkward("styles, scripts and a font", partial(make, files.site()), "SCRIPT_REMOVED"),
        broken("no page", _DAMAGED[id], 1 if id == "mhtml" else None),
    )
    for id, make in files.CONTAINERS.items()
}


def _shown(output: str, *, plain: bool) -> Check:
    def check(data: bytes) -> None:
        text, pictures = _READ[output](data)
        assert "Überschrift" in text
        assert "Ein Absatz" in text
        assert pictures >= 1
        if output == "html":
            assert "<script" not in text
            assert "Content-Security-Policy" in text
            assert base64.b64encode(files.font()).decode() in text or plain

    return check


def _of_pdf(data: bytes) -> tuple[str, int]:
    document = pypdfium2.PdfDocument(data)
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    return text, sum(each.type == 3 for page in document for each in page.get_objects())


def _of_html(data: bytes) -> tuple[str, int]:
    text = data.decode()
    return text, text.count('<img src="data:image/png;base64,')


def _of_package(data: bytes) -> tuple[str, int]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        text = next(archive.read(each) for each in names if each in ("document.md", "word/document.xml")).decode()
    return text, sum(each.endswith(".png") for each in names)


_READ = {"pdf": _of_pdf, "html": _of_html, "markdown": _of_package, "docx": _of_package}
_WITHOUT_STYLES = {
    "markdown": {"CSS_UNSUPPORTED", "METADATA_DROPPED"},
    "docx": {"CSS_UNSUPPORTED", "METADATA_DROPPED"},
}


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        plain = given.kind == "ordinary"
        codes = frozenset(_WITHOUT_STYLES.get(output, ()))
        codes -= frozenset({"CSS_UNSUPPORTED"} if plain else ())
        return Wanted(_shown(output, plain=plain), codes, output="zip" if output == "markdown" else None)

    return wanted


VECTORS = pairs("saved_pages", READERS, {id: _writer(id) for id in _READ})
