"""What a document says and shows, read by something other than what wrote it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from io import BytesIO
from xml.etree import ElementTree

from pypdf import PdfReader

_PICTURE = re.compile(r"\.(png|jpe?g|gif)$")


@dataclass(frozen=True)
class Seen:
    """The text of a document in reading order, and how many pictures it holds."""

    text: str
    pictures: int


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.pictures = 0
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "iframe", "object"), tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert not (name in ("href", "src") and (value or "").lower().startswith("javascript")), value
        self.hidden += tag == "style"
        self.pictures += tag == "img" and (dict(attrs).get("src") or "").startswith("data:image/png")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag == "style"

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(data)


def html(data: bytes) -> Seen:
    parser = _Html()
    parser.feed(data.decode())
    parser.close()
    return Seen(" ".join(parser.pieces), parser.pictures)


def _zipped(parts: str) -> Callable[[bytes], Seen]:
    def read(data: bytes) -> Seen:
        with zipfile.ZipFile(BytesIO(data)) as file:
            assert file.testzip() is None
            roots = [ElementTree.fromstring(file.read(n)) for n in file.namelist() if re.fullmatch(parts, n)]
            return Seen(
                " ".join("".join(root.itertext()) for root in roots),
                sum(bool(_PICTURE.search(name)) for name in file.namelist()),
            )

    return read


docx = _zipped(r"word/(document|footnotes)\.xml")
odt = _zipped(r"content\.xml")
_book = _zipped(r"EPUB/.*\.xhtml")


def epub(data: bytes) -> Seen:
    with zipfile.ZipFile(BytesIO(data)) as file:
        assert file.namelist()[0] == "mimetype"
        for name in file.namelist():
            if name.endswith(".xhtml"):
                html(file.read(name))
        package = file.read("EPUB/content.opf").decode()
        assert re.search(r"<dc:identifier[^>]*>[^<]+</dc:identifier>", package)
        assert re.search(r"<dc:title[^>]*>[^<]+</dc:title>", package)
    return _book(data)


def rtf(data: bytes) -> Seen:
    text = data.decode("ascii")
    assert text.startswith("{\\rtf1")
    assert text.count("{") == text.count("}")
    units = re.sub(r"\\u(-?\d+) ?\?", lambda match: chr(int(match[1]) & 0xFFFF), text)
    return Seen(units.encode("utf-16", "surrogatepass").decode("utf-16"), text.count("\\pict"))


def plain(data: bytes) -> Seen:
    return Seen(data.decode(), data.decode().count("data:image/png"))


def packed(data: bytes) -> Seen:
    """A ZIP of a text and of the pictures that it names."""
    with zipfile.ZipFile(BytesIO(data)) as file:
        first, *pictures = file.namelist()
        assert all(entry.date_time == (1980, 1, 1, 0, 0, 0) for entry in file.infolist())
        text = file.read(first).decode()
        assert first.startswith("document.")
        assert all(name in text and file.read(name).startswith(b"\x89PNG") for name in pictures)
        return Seen(text, len(pictures))


def pdf(data: bytes) -> Seen:
    pages = PdfReader(BytesIO(data)).pages
    return Seen("\n".join(page.extract_text() for page in pages), sum(len(page.images) for page in pages))


SEEN: dict[str, Callable[[bytes], Seen]] = {
    "html": html,
    "markdown": plain,
    "rst": plain,
    "txt": plain,
    "docx": docx,
    "odt": odt,
    "epub": epub,
    "rtf": rtf,
    "pdf": pdf,
}
