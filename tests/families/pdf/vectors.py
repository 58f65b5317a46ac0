"""Vectors of PDFs as pictures and texts, and of what changes a PDF."""

from __future__ import annotations

import html.parser
from collections.abc import Callable, Iterator

import pypdfium2

from tests.converters.pairs import (
    Given,
    Readers,
    Wanted,
    Writer,
    Writers,
    awkward,
    broken,
    ordinary,
    pairs,
    refused,
    unfit,
)
from tests.converters.vector import Check, Vector, fail, refuse, take
from tests.families.images.files import CORNERS
from tests.families.images.looks import locked_texts, look, members, near, pdf
from tests.families.pdf import files as documents

PICTURES = ("png", "jpg", "webp", "avif", "heic", "tiff", "gif", "bmp")
RED = (219, 31, 31)

TXT = """Annual report
Sales grew in every region, and the num-
ber of customers passed 1,000 * 2.
Goals
• fewer returns
• <more> repairs
1. first
2. second
Important

Second chapter
"""
MARKDOWN = """# Annual report

Sales grew in every region, and the number of customers passed 1,000 \\* 2.

## Goals

- fewer returns
- \\<more\\> repairs

1. first
2. second

**Important**

# Second chapter
"""
HTML = [
    ("h1", "Annual report"),
    ("p", "Sales grew in every region, and the number of customers passed 1,000 * 2."),
    ("h2", "Goals"),
    ("li", "fewer returns"),
    ("li", "<more> repairs"),
    ("li", "first"),
    ("li", "second"),
    ("strong", "Important"),
    ("h1", "Second chapter"),
]


class _Texts(html.parser.HTMLParser):
    """Collects each text with the element it stands in, inside the body."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and "body" in self.tags:
            self.found.append((self.tags[-1], data))


def _is_html(wanted: list[tuple[str, str]]) -> Check:
    def check(data: bytes) -> None:
        parser = _Texts()
        parser.feed(data.decode())
        assert parser.tags == []
        assert parser.found == wanted

    return check


def _is(text: str) -> Check:
    def check(data: bytes) -> None:
        assert data.decode() == text

    return check


def _pages(output: str) -> Check:
    def check(data: bytes) -> None:
        files = members(data)
        assert list(files) == [f"page-001.{output}", f"page-002.{output}"]
        second = look(files[f"page-002.{output}"], output)
        assert (second.width, second.height) == (298, 420)
        assert near(second.at(80, 340), RED, 24)
        assert near(second.at(250, 200), (255, 255, 255), 6)

    return check


def _scan(output: str) -> Check:
    def check(data: bytes) -> None:
        seen = look(data, output)
        assert (seen.width, seen.height) == (128, 96)
        for (x, y), colour in CORNERS.items():
            assert near(seen.at(2 * x, 2 * y), colour, 60 if output == "gif" else 24)

    return check


REFUSED = (
    broken("no document in it", b"%PDF-1.7\n" + b"nothing to see here\n" * 20),
    unfit("encrypted, without the password", documents.locked),
    unfit("encrypted, with another password", documents.locked, password="guess"),
    broken("a page tree that is a circle", documents.circle),
)
"""What nothing that reads a PDF takes."""

UNREADABLE = (
    *REFUSED,
    broken("a bomb", documents.bomb),
    broken("a bomb of nested forms", documents.nested_bomb),
    unfit("a page that is not there", documents.report, pages="1,3"),
)
"""And what pages can't be taken from."""

READERS: Readers = {"pdf": (ordinary("a report", documents.report), awkward("a scan", documents.scanned), *UNREADABLE)}


def _picture(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "ordinary":
            return Wanted(_pages(output), options={"dpi": 72}, output="zip")
        codes = frozenset({"COLOR_CONVERTED"} if output == "gif" else ())
        return Wanted(_scan(output), codes, options={"dpi": 144})

    return wanted


def _text(check: Check, blank: Check) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        return Wanted(check) if given.kind == "ordinary" else Wanted(blank, frozenset({"NO_TEXT", "CONTENT_DROPPED"}))

    return wanted


WRITERS: Writers = {**{id: _picture(id) for id in PICTURES}, "txt": _text(_is(TXT), _is("\n"))}
MARKED: Writers = {
    "markdown": _text(_is(MARKDOWN), _is("\n")),
    "html": _text(_is_html(HTML), _is_html([])),
}


def _holds(fact: bool) -> None:
    assert fact


def _documents() -> Iterator[Vector]:
    def texts(data: bytes) -> list[str]:
        return [page.extract_text().split("\n")[0] for page in pdf(data).pages]

    def vector(name: str, source: Callable[[], bytes], check: Callable[[bytes], None], **options: object) -> Vector:
        repeatable = not {"userPassword", "password"} & set(options)
        return Vector(
            slug="pdf-to-pdf",
            name=name,
            kind="awkward",
            source=source,
            options=options,  # type: ignore[arg-type]
            check=check,
            repeatable=repeatable or options["operation"] == "decrypt",
        )

    def is_smaller(data: bytes) -> None:
        assert len(data) < len(documents.loose()) / 3
        assert texts(data) == ["Annual report", "Second chapter"]

    yield Vector("pdf-to-pdf", "compressed", "ordinary", documents.loose, check=is_smaller)

    def is_lossy(data: bytes) -> None:
        assert len(data) < len(documents.album()) / 2
        (image,) = pdf(data).pages[0].images
        assert image.image is not None
        assert image.image.size == (128, 128)

    yield vector("with pictures compressed", documents.album, is_lossy, operation="compress", imageQuality=40)

    yield take(
        "pdf-to-pdf",
        "compressed already",
        documents.tight,
        lambda data: _holds(data == documents.tight()),
        "NOT_SMALLER",
    )
    yield vector(
        "turned",
        documents.report,
        lambda data: _holds([page.rotation for page in pdf(data).pages] == [0, 270]),
        operation="rotate", angle="270", pages="2",
    )  # fmt: skip

    def is_picked(data: bytes) -> None:
        assert texts(data) == ["Second chapter", "Annual report", "Second chapter"]

    yield vector("picked pages", documents.report, is_picked, operation="pages", pages="2-1,2")

    def has_no_more(data: bytes) -> None:
        reader = pdf(data)
        assert len(reader.pages) == 1
        streams = [reader.get_object(number) for number in range(1, int(reader.trailer["/Size"]))]  # type: ignore[call-overload]
        assert not any(b"Annual" in each.get_data() for each in streams if hasattr(each, "get_data"))

    yield vector("nothing left of other pages", documents.report, has_no_more, operation="pages", pages="2")

    def is_locked(data: bytes) -> None:
        for password, opens in (("", False), ("old", False), ("new", True), ("o", True)):
            try:
                assert locked_texts(data, password) == ["Annual report", "Second chapter"]
                assert opens
            except pypdfium2.PdfiumError:
                assert not opens

    yield vector("encrypted", documents.report, is_locked, operation="encrypt", userPassword="new", ownerPassword="o")

    def may_not_print(data: bytes) -> None:
        permissions = pypdfium2.raw.FPDF_GetDocPermissions(pypdfium2.PdfDocument(data, password="new"))
        assert not permissions & 4  # ISO 32000-1, table 22: bit 3 is printing

    yield vector(
        "encrypted, to look at only", documents.report, may_not_print,
        operation="encrypt", userPassword="new", ownerPassword="o", allow="none",
    )  # fmt: skip

    def is_open(data: bytes) -> None:
        assert not pdf(data).is_encrypted
        assert texts(data) == ["Annual report", "Second chapter"]

    yield vector("decrypted", documents.locked, is_open, operation="decrypt", password=documents.SECRET)
    for name, options in (
        ("turned", {"operation": "rotate"}),
        ("compressed", {"operation": "compress"}),
        ("picked", {"operation": "pages", "pages": "1-2"}),
    ):
        yield vector(
            f"{name} and still encrypted",
            documents.locked,
            lambda data: _holds(b"/Encrypt" in data and len(locked_texts(data, documents.SECRET)) == 2),
            password=documents.SECRET,
            **options,
        )

    def is_marked(data: bytes) -> None:
        assert ["DRAFT" in page.extract_text() for page in pdf(data).pages] == [True, True]

    yield vector("a watermark", documents.report, is_marked, operation="watermark", watermarkText="DRAFT")

    def has_a_mask(data: bytes) -> None:
        forms = [page["/Resources"].get("/XObject", {}) for page in pdf(data).pages]  # type: ignore[attr-defined]
        assert ["/Watermark1" in each for each in forms] == [False, True]

    yield vector(
        "a watermark in Arabic", documents.report, has_a_mask,
        operation="watermark", watermarkText="مسودة", pages="2", watermarkOpacity=0.5,
    )  # fmt: skip
    for name, options in (
        ("an angle for compressing", {"operation": "compress", "angle": "90"}),
        ("pages not named", {"operation": "pages"}),
        ("no password to set", {"operation": "encrypt"}),
        ("nothing to decrypt", {"operation": "decrypt"}),
        ("no watermark", {"operation": "watermark", "watermarkText": "  "}),
        ("a page that is not there", {"operation": "rotate", "pages": "3"}),
    ):
        yield refuse("pdf-to-pdf", name, documents.report, **options)


VECTORS: tuple[Vector, ...] = (
    *pairs("pdf", READERS, WRITERS),
    *refused("pdf-to-pdf", REFUSED),
    *_documents(),
    take(
        "pdf-to-png",
        "one page of an encrypted report on yellow paper",
        documents.locked,
        lambda data: _holds(near(look(data, "png").at(140, 10), (255, 255, 0), 0)),
        dpi=36,
        pages="2",
        password=documents.SECRET,
        background="#ffff00",
    ),
    fail("pdf-to-png", "a page of ten billion pixels", documents.huge_page),
    take(
        "pdf-to-txt",
        "pages of an encrypted report, a form feed between",
        documents.locked,
        _is(TXT.replace("Important\n\n", "Important\n\f")),
        password=documents.SECRET,
        pageBreak="formFeed",
    ),
)
