"""Vectors of html-to-pdf: real pages, scripts of the world, what must be reported, and what must be refused."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from io import BytesIO

import pypdf

from engine.families.html_pdf.options import HTML_PDF
from tests.converters.vector import SAMPLES, Vector


def sample(name: str) -> Callable[[], bytes]:
    return (SAMPLES / name).read_bytes


def html(body: str, style: str = "", head: str = "") -> Callable[[], bytes]:
    text = (
        f"<!doctype html><html><head><meta charset=utf-8>{head}<style>{style}</style></head><body>{body}</body></html>"
    )
    return lambda: text.encode()


def png(width: int, height: int) -> str:
    """A `data:` URI of a picture of one grey."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * width) * height
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def read(pdf: bytes) -> tuple[pypdf.PdfReader, str]:
    reader = pypdf.PdfReader(BytesIO(pdf))
    return reader, "\n".join(each.extract_text() for each in reader.pages)


def pdf(
    *texts: str,
    pages: int | None = None,
    size: tuple[float, float] | None = None,
    title: str | None = None,
    without: tuple[str, ...] = (),
    images: int | None = None,
) -> Callable[[bytes], None]:
    """A check of a PDF: its texts, the number and size (points) of its pages, its title, its pictures."""

    def check(data: bytes) -> None:
        reader, text = read(data)
        for each in texts:
            assert each in text, text
        for each in without:
            assert each not in text
        assert pages is None or len(reader.pages) == pages
        if size is not None:
            for page in reader.pages:
                assert abs(float(page.mediabox.width) - size[0]) < 0.6
                assert abs(float(page.mediabox.height) - size[1]) < 0.6
        assert title is None or (reader.metadata is not None and reader.metadata.title == title)
        assert images is None or sum(len(each.images) for each in reader.pages) == images

    return check


def _vector(name: str, source: Callable[[], bytes], check: Callable[[bytes], None], **more: object) -> Vector:
    return Vector(
        slug="html-to-pdf",
        name=name,
        kind="ordinary" if more.pop("ordinary", False) else "awkward",
        source=source,
        check=check,
        warnings=frozenset(more.pop("warnings", ())),  # type: ignore[call-overload]
        **more,  # type: ignore[arg-type]
    )


def _failing(name: str, source: Callable[[], bytes], **more: object) -> Vector:
    error = "VALIDATION_ERROR" if "options" in more else "UNSUPPORTED_FORMAT"
    return Vector(slug="html-to-pdf", name=name, kind="failing", source=source, error=error, **more)  # type: ignore[arg-type]


A4 = (595.28, 841.89)
_LOSSES = """<script>document.write('from a script')</script><p onclick="x()">kept</p>
<img src="http://192.0.2.1/x.png" alt="a logo">
<link rel=stylesheet href="https://example.com/style.css"><iframe src="//example.com/"></iframe>
<div class=grid>cell</div><p>unknown &#x13080;</p><a href="javascript:x()">go</a>"""


def vectors(engine: str) -> tuple[Vector, ...]:
    """What html-to-pdf has to do with one of its engines; the words of a page are there with either."""
    return (
        _vector(
            "an invoice",
            sample("invoice.html"),
            pdf(
                "INVOICE",
                "Łukasz Żółwiński",
                "Müller & Söhne GmbH",
                "€ 6,600.00",
                pages=1,
                size=A4,
                title="Invoice 2026-0117",
            ),
            ordinary=True,
        ),
        _vector(
            "a landscape report with a table of fourteen columns",
            sample("report.html"),
            pdf("Account manager", "Ł. Żak", "日本", "Figures are not audited.", size=(841.89, 595.28)),
            ordinary=True,
        ),
        _vector(
            "Japanese, Chinese and Korean",
            sample("japanese.html"),
            pdf("東京の四季", "四季分明", "수도이며"),
            ordinary=True,
        ),
        _vector(
            "Arabic and Hebrew", sample("arabic.html"), pdf("12345", "help@example.com", "English", title="رسالة ترحيب")
        ),
        _vector(
            "Hindi, Thai, Bengali and Tamil",
            sample("hindi-thai.html"),
            pdf("कर्मचारियों", "कृष्णमूर्ति", "สำนักงาน", "அலுவலகம்"),
        ),
        _vector(
            "options beat the page's own size, and header and footer are filled in",
            html("<p>one<p style='page-break-before: always'>two", "@page { size: A3 }", "<title>Doc</title>"),
            pdf("Doc: 1 of 2", "Doc: 2 of 2", "ąę — footer", pages=2, size=(612, 792), title="Given"),
            options={
                "pageSize": "LETTER",
                "margin": "1in 2cm",
                "headerText": "Doc: {page} of {pages}",
                "footerText": "ąę — footer",
                "title": "Given",
            },
        ),
        _vector(
            "a paper of its own, turned",
            html("<p>wide"),
            pdf("wide", size=(297 * 72 / 25.4, 100 * 72 / 25.4)),
            options={"pageSize": "100mm x 297mm", "orientation": "landscape"},
        ),
        _vector(
            "the page's own paper stays",
            html("<p>x", "@page { size: A5; margin: 1cm }"),
            pdf("x", size=(419.53, 595.28)),
        ),
        _vector(
            "everything that is lost is reported",
            html(_LOSSES, ".grid { display: grid; height: calc(100% - 2px) }"),
            pdf("kept", "a logo", "cell", without=("from a script",)),
            warnings={
                "SCRIPT_REMOVED",
                "REMOTE_RESOURCE_BLOCKED",
                "CONTENT_DROPPED",
                "CSS_UNSUPPORTED",
                "GLYPH_MISSING",
            },
        ),
        _vector(
            "form fields are printed as they are",
            html("<form><input value='Ünï'><select><option>one<option selected>two</select><textarea>three</textarea>"),
            pdf("Ünï", "two", "three", without=("one",)),
            warnings={"CONTENT_DROPPED"},
        ),
        _vector(
            "pictures inside the page are drawn",
            html(f"<img src='{png(40, 30)}'><svg width=30 height=30><circle cx=9 cy=9 r=9 /></svg><h2>After</h2>"),
            pdf("After", images=1),
        ),
        _vector(
            "a table wider than the paper is shrunk and reported",
            html("<table><tr>" + "".join(f"<td>unbreakable{at}</td>" for at in range(12)) + "</table>"),
            pdf("unbreakable0", "unbreakable11"),
            warnings={"CONTENT_CLIPPED" if engine == "xhtml2pdf" else "WIDTH_FITTED"},
        ),
        _vector(
            "a cell taller than the paper goes on on the next page",
            html("<table><tr><td>" + "tall " * 1500 + "end</td><td>b</td></tr></table>"),
            pdf("end", size=A4),
        ),
        _vector(
            "the header of a long table is repeated",
            html("<table><thead><tr><th>Head</thead>" + "".join(f"<tr><td>row {at}" for at in range(90)) + "</table>"),
            lambda data: _assert_on_every_page(data, "Head", "row 0", "row 89"),
        ),
        _vector(
            "Latin-1 without a declaration",
            lambda: "<h1>Größe</h1><p>Das Café in Zürich ist über Mittag geöffnet, schön für Gäste aus dem Ort.".encode(
                "latin-1"
            ),
            pdf("Größe", "Café"),
            warnings={"ENCODING_GUESSED"},
        ),
        _vector("UTF-16 with a mark", lambda: "<p>Größe Ω 東".encode("utf-16"), pdf("Größe Ω 東")),
        _vector(
            "a declared encoding",
            lambda: "<meta charset=windows-1251><p>Привет, мир".encode("cp1251"),
            pdf("Привет, мир"),
        ),
        _vector("an empty body is a blank page", html(""), pdf(pages=1)),
        _vector(
            "tags that nobody closed", lambda: b"<p><b>bold<i>both<table><td>cell<p>after", pdf("bold", "cell", "after")
        ),
        _failing("a picture named as a page", lambda: b"\x89PNG\r\n\x1a\n" + bytes(64)),
        _failing("bytes that are no text", lambda: bytes(range(1, 32)) * 40),
        _failing("elements nested without end", lambda: b"<div>" * 50_000),
        _vector(
            "a row of 500 cells",
            lambda: b"<table><tr>" + b"<td>x" * 500,
            lambda data: _assert_count(data, "x", 500),
            warnings={"CONTENT_CLIPPED" if engine == "xhtml2pdf" else "WIDTH_FITTED"},
        ),
        _failing(
            "style variables that double",
            html(
                "<p>x",
                ":root { --a0: x x; "
                + "".join(f"--a{n}: var(--a{n - 1}) var(--a{n - 1}); " for n in range(1, 40))
                + "}",
            ),
        ),
        _failing("margins without room", html("<p>x"), options={"margin": "15cm"}),
        _failing("a paper that nobody makes", html("<p>x"), options={"pageSize": "A9"}),
        _failing("a paper too small", html("<p>x"), options={"pageSize": "5mm x 5mm"}),
    )


def _assert_count(data: bytes, word: str, count: int) -> None:
    _, text = read(data)
    assert text.count(word) == count


def _assert_on_every_page(data: bytes, head: str, *texts: str) -> None:
    reader, text = read(data)
    assert len(reader.pages) > 1
    assert all(head in each.extract_text() for each in reader.pages)
    assert all(each in text for each in texts)


VECTORS = vectors(HTML_PDF.distribution)
