"""Pages that come with their files: what is found in the container, and what is named as missing."""

from __future__ import annotations

import base64
import io
import plistlib
import random
import time
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from engine import convert
from engine.families.saved_pages import style_sheets
from engine.toolkit.failures import OverLimit, Unreadable
from tests.families.saved_pages.files import picture, site, web_archive, zipped

RED = base64.b64encode(picture("red")).decode()
BLUE = base64.b64encode(picture("blue")).decode()


def run(folder: Path, slug: str, data: bytes, **options: str) -> tuple[bytes, dict[str, str]]:
    """The result, and the messages of the warnings by their codes."""
    source, _, target = slug.partition("-to-")
    path = folder / f"input.{source}"
    path.write_bytes(data)
    made = convert(path, folder / f"output.{target}", slug=slug, sandbox=False, **options)
    return made.path.read_bytes(), {each.code: str(each.message) for each in made.warnings}


def html(folder: Path, page: str, **parts: bytes) -> tuple[str, dict[str, str]]:
    """A page beside `parts`, by their names without dots, as one HTML file."""
    named = {name.replace("_", ".", 1): data for name, data in parts.items()}
    data, said = run(folder, "htmlz-to-html", zipped({"index.html": page.encode(), **named}))
    return data.decode(), said


def text(data: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(data))


def test_styles_fonts_and_pictures_of_the_zip_are_in_the_pdf(tmp_path: Path) -> None:
    data, said = run(tmp_path, "zip-to-pdf", zipped({f"site/{name}": each for name, each in site().items()}))
    assert "Überschrift" in text(data)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts = [str(each.BaseFont) for each in pdf.pages[0].Resources.Font.values()]
        assert any(each.endswith("OwnBlocks") for each in fonts), fonts
    page = pypdfium2.PdfDocument(data)[0].render(scale=1).to_pil().convert("RGB")
    colours = {colour for _, colour in page.getcolors(1 << 20)}
    assert {(255, 0, 0), (0, 0, 255)} <= colours
    assert set(said) == {"SCRIPT_REMOVED"}


def test_what_is_not_in_the_container_is_named_with_its_count(tmp_path: Path) -> None:
    page = (
        "<link rel=stylesheet href=gone.css><style>p{background:url(none.png)}</style>"
        "<p>x<img src=http://cdn.example/a.png><img src=here.png>"
    )
    made, said = html(tmp_path, page, here_png=picture("red"))
    assert "cdn.example" not in made
    assert RED in made
    message = said["REMOTE_RESOURCE_BLOCKED"]
    assert ": 3 (" in message
    assert all(each in message for each in ("gone.css", "none.png", "http://cdn.example/a.png"))


def test_a_reference_never_leads_out_of_the_zip(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(picture("green"))
    green = base64.b64encode(picture("green")).decode()
    page = f"<p>x<img src=../secret.png><img src='file://{tmp_path}/secret.png'><img src='/{tmp_path}/secret.png'>"
    made, said = html(tmp_path, page)
    assert green not in made
    assert ": 3 (" in said["REMOTE_RESOURCE_BLOCKED"]


def test_the_picture_of_a_srcset_that_is_there_is_shown(tmp_path: Path) -> None:
    page = "<p>x<picture><source srcset='big.avif 2x, red.png 1x'><img src=gone.png></picture>"
    made, said = html(tmp_path, page, red_png=picture("red"))
    assert RED in made
    assert "srcset" not in made
    assert said == {}


def test_a_font_with_one_file_missing_is_not_reported(tmp_path: Path) -> None:
    page = "<style>@font-face{font-family:a;src:url(a.woff2) format('woff2'),url(own.ttf) format('truetype')}</style>x"
    made, said = html(tmp_path, page, own_ttf=site()["fonts/own.ttf"])
    assert base64.b64encode(site()["fonts/own.ttf"]).decode() in made
    assert said == {}


def test_links_to_other_pages_of_the_zip_become_text_and_are_counted(tmp_path: Path) -> None:
    page = (
        "<p><a href=two.html>Two</a> <a href='index.html#end'>End</a> <a href=https://a.example/>Out</a></p>"
        "<p style='break-before:page' id=end>here</p>"
    )
    files = {"index.html": page.encode(), "two.html": b"<p>second"}
    data, said = run(tmp_path, "htmlz-to-pdf", zipped(files))
    assert said["CONTENT_DROPPED"] == "Links to other files of the page became plain text: 1 (two.html)."
    with pikepdf.open(io.BytesIO(data)) as pdf:
        links = [each for page in pdf.pages for each in page.get("/Annots", [])]
        assert [str(each.A.URI) for each in links if "/A" in each and "/URI" in each.A] == ["https://a.example/"]
        assert len(links) == 2
    assert "Two" in text(data)


def test_pdfs_and_pictures_beside_a_page_are_named(tmp_path: Path) -> None:
    files = {"index.html": b"<p>Words", "a.png": picture("red"), "terms.pdf": b"%PDF-1.4", "notes.txt": b"x"}
    data, said = run(tmp_path, "zip-to-pdf", zipped(files))
    assert text(data).strip() == "Words"
    assert said == {
        "CONTENT_DROPPED": "PDFs and pictures that the page doesn't show were left out: 2 (a.png, terms.pdf)."
    }


def test_a_zip_without_an_index_is_merged_as_ever(tmp_path: Path) -> None:
    files = {"1.png": picture("red"), "2.png": picture("blue"), "deep/er/index.html": b"<p>x", "page.html": b"<p>x"}
    data, said = run(tmp_path, "zip-to-pdf", zipped(files))
    assert len(pypdfium2.PdfDocument(data)) == 2
    assert "page.html" in said["CONTENT_DROPPED"]


def test_pages_of_a_zipped_page_can_be_chosen(tmp_path: Path) -> None:
    page = b"<p>One<p style='break-before:page'>Two"
    data, _ = run(tmp_path, "zip-to-pdf", zipped({"index.html": page}), pages="1:2", pageSize="Letter")
    assert text(data).strip() == "Two"
    assert pypdfium2.PdfDocument(data)[0].get_size() == (612, 792)


def test_mhtml_refers_to_its_parts_by_content_id_and_by_relative_location(tmp_path: Path) -> None:
    message = (
        "MIME-Version: 1.0\r\nContent-Location: http://a.example/x/\r\n"
        "Content-Type: multipart/related; start=\"<page@1>\"; boundary=b\r\n\r\n--b\r\n"
        "Content-Type: text/html\r\nContent-ID: <other@1>\r\n\r\n<p>a frame\r\n--b\r\n"
        "Content-Type: text/html; charset=windows-1252\r\nContent-ID: <page@1>\r\nContent-Location: page.html\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        "<p>Gr=FC=DFe <img src=3D\"cid:red@1\"><img src=3D\"img/b.png\">\r\n--b\r\n"
        f"Content-Type: image/png\r\nContent-ID: <red@1>\r\nContent-Transfer-Encoding: base64\r\n\r\n{RED}\r\n--b\r\n"
        f"Content-Type: image/png\r\nContent-Location: img/b.png\r\nContent-Transfer-Encoding: base64\r\n\r\n{BLUE}\r\n"
        "--b--\r\n"
    )  # fmt: skip
    data, said = run(tmp_path, "mhtml-to-html", message.encode())
    made = data.decode()
    assert "Grüße" in made
    assert RED in made
    assert BLUE in made
    assert "a frame" not in made
    assert said == {}


def test_a_page_as_one_file_runs_no_script_and_loads_nothing(tmp_path: Path) -> None:
    page = (
        "<base href=http://evil.example/><meta http-equiv=refresh content='0;url=http://evil.example'>"
        "<body onload=alert(1)><a href=' java\nscript:alert(1)'>a</a><svg><script>alert(1)</script></svg>"
        "<iframe srcdoc='<script>1</script>'></iframe><noscript><p title='</noscript><img src=x onerror=alert(1)>'>"
        "</noscript><p>Words"
    )
    made, said = html(tmp_path, page)
    body = made.partition("Content-Security-Policy")[2]
    assert made.index("Content-Security-Policy") < made.index("<body")
    assert "default-src 'none'" in body
    assert not any(each in body for each in ("alert", "<script", "srcdoc", "<base", "refresh"))
    assert "SCRIPT_REMOVED" in said
    assert "<iframe>" in said["CONTENT_DROPPED"]


def test_sheets_that_import_each_other_end(tmp_path: Path) -> None:
    page = "<link rel=stylesheet href=a.css><p>Words"
    made, said = html(tmp_path, page, a_css=b"@import 'b.css';p{color:red}", b_css=b"@import 'a.css';p{margin:0}")
    assert "p{color:red}" in made
    assert len(made) < 20_000
    assert "REMOTE_RESOURCE_BLOCKED" in said


def test_one_large_picture_shown_many_times_is_refused(tmp_path: Path) -> None:
    noise = bytes(3_000_000)
    with pytest.raises(OverLimit, match="larger than"):
        html(tmp_path, "<img src=a.bmp>" * 40, a_bmp=b"BM" + noise)


def test_damaged_containers_are_refused(tmp_path: Path) -> None:
    whole = web_archive(site())
    for damaged in (whole[:-40], whole[: len(whole) // 2], b"bplist00" + bytes(40)):
        with pytest.raises(Unreadable):
            run(tmp_path, "webarchive-to-html", damaged)
    with pytest.raises(Unreadable, match="no HTML page"):
        run(tmp_path, "mhtml-to-html", b"Subject: x\r\nContent-Type: text/plain\r\n\r\nwords")


def test_large_pictures_of_styles_take_no_time_for_each_letter(tmp_path: Path) -> None:
    # Passes over the sheet with its pictures took 20 s of processor time, and more than 4 MB of them were refused.
    noise = Image.frombytes("RGB", (1200, 1200), random.Random(1).randbytes(1200 * 1200 * 3))
    out = io.BytesIO()
    noise.save(out, "JPEG", quality=90)
    sheet = b"".join(b".b%d{background:url(%d.jpg)}" % (at, at) for at in range(3))
    files = {f"{at}.jpg": out.getvalue() for at in range(3)}
    page = b"<link rel=stylesheet href=a.css><p class=b0>x<p class=b1>y<p class=b2>z"
    began = time.process_time()
    data, said = run(tmp_path, "htmlz-to-pdf", zipped({"index.html": page, "a.css": sheet, **files}))
    assert time.process_time() - began < 8
    assert said == {}
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert len(data) > len(out.getvalue())
        assert "/XObject" in pdf.pages[0].Resources or "/Pattern" in pdf.pages[0].Resources


@pytest.mark.parametrize("text", ["url(", "@import 'x' ", "/*url(", "url(a)", '"url(', "@font-face{src:", "local("])
def test_addresses_of_hostile_sheets_are_found_in_linear_time(text: str) -> None:
    began = time.process_time()
    many = text * (1_000_000 // len(text))
    style_sheets.inlined(many, lambda references: None)
    style_sheets.inlined(f"@font-face{{src:url(a),{many}}}", lambda references: None)
    assert time.process_time() - began < 4


def test_frames_that_share_a_reference_are_read_once(tmp_path: Path) -> None:
    main = {"WebResourceData": b"<p>Words<img src=red.png>", "WebResourceURL": "http://a.example/"}
    red = {"WebResourceData": picture("red"), "WebResourceURL": "http://a.example/red.png"}
    red["WebResourceMIMEType"] = "image/png"
    frame: dict[str, object] = {"WebMainResource": main, "WebSubresources": [red]}
    for _ in range(19):
        frame = {"WebMainResource": main, "WebSubframeArchives": [frame] * 4}
    data, said = run(tmp_path, "webarchive-to-html", plistlib.dumps(frame, fmt=plistlib.FMT_BINARY))
    assert RED in data.decode()
    assert said == {}


def test_a_web_archive_of_too_many_files_is_refused(tmp_path: Path) -> None:
    main = {"WebResourceData": b"<p>Words", "WebResourceURL": "http://a.example/"}
    files = [{"WebResourceURL": f"{at}"} for at in range(5001)]
    archive = {"WebMainResource": main, "WebSubresources": files}
    with pytest.raises(OverLimit, match="more than 5"):
        run(tmp_path, "webarchive-to-html", plistlib.dumps(archive, fmt=plistlib.FMT_BINARY))


def test_a_sheet_that_imports_itself_many_times_takes_little_time(tmp_path: Path) -> None:
    began = time.process_time()
    page = "<link rel=stylesheet href=a.css>" * 40 + "<style>@import 'a.css'</style><p>Words"
    sheets = {"a_css": b"@import 'a.css';@import 'b.css';" * 40 + b"p{color:red}", "b_css": b"@import 'a.css';" * 40}
    made, said = html(tmp_path, page, **sheets)
    assert "p{color:red}" in made
    assert ": 1 (a.css)" in said["REMOTE_RESOURCE_BLOCKED"]
    assert time.process_time() - began < 4


@pytest.mark.parametrize("where", ["base", "location"])
def test_a_long_base_is_not_repeated_for_each_reference(tmp_path: Path, where: str) -> None:
    long = "http://a.example/" + "a/" * 50_000
    head = f"Content-Type: text/html\nContent-Location: {long if where == 'location' else 'http://a.example/'}\n\n"
    page = (f"<base href={long}>" if where == "base" else "") + "<p>Words" + "<a href=b>c</a><img src=d>" * 300
    data, said = run(tmp_path, "mhtml-to-html", (head + page).encode())
    assert len(data) < 200_000
    assert ": 1 (d)" in said["REMOTE_RESOURCE_BLOCKED"]


def test_a_location_with_a_long_query_still_finds_its_files(tmp_path: Path) -> None:
    message = (
        "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n"
        f"Content-Location: http://a.example/x/page?q={'a' * 3000}\n\n<p>Words<img src=b.png>\n--b\n"
        "Content-Type: image/png\nContent-Location: http://a.example/x/b.png\nContent-Transfer-Encoding: base64\n\n"
        f"{BLUE}\n--b--\n"
    )
    data, said = run(tmp_path, "mhtml-to-html", message.encode())
    assert BLUE in data.decode()
    assert said == {}


def test_addresses_of_references_count_for_the_size_of_the_page(tmp_path: Path) -> None:
    page = f"<base href='{'a/' * 990}'>" + "<a href=b>c</a>" * 32_000
    with pytest.raises(OverLimit, match="larger than"):
        html(tmp_path, page)


ODD_PAGES = {
    "a parameter in one piece and in several": b"Content-Type: text/html; charset*=utf-8; charset*0=u; charset*1=x\n",
    "a start in one piece and in several": b"Content-Type: text/html; start*=a; start*0=b\n",
    "bytes above 127": b'Content-Type: text/html; charset="\xff\xfe"\nContent-ID: <\xff>\nContent-Location: x/\xff\n',
    "NUL in a character set": b'Content-Type: text/html; charset="a\0b"\n',
    "a location that is no address": b"Content-Type: text/html\nContent-Location: http://[\n",
}


@pytest.mark.parametrize("name", ODD_PAGES)
def test_mhtml_with_odd_headers_is_read_and_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    page = b"\n<base href='http://['><p>Words<img src='http://[x'>"
    data, said = run(tmp_path, "mhtml-to-html", ODD_PAGES[name] + page)
    assert b"Words" in data
    assert "REMOTE_RESOURCE_BLOCKED" in said
    assert "is not counted" not in capfd.readouterr().err


@pytest.mark.parametrize(("levels", "is_read"), [(20, True), (21, False), (80, False), (2000, False)])
def test_parts_more_than_20_levels_deep_are_refused(tmp_path: Path, levels: int, is_read: bool) -> None:
    heads = [f"Content-Type: multipart/related; boundary=b{at}b\n\n--b{at}b\n" for at in range(levels)]
    message = "".join(heads).encode() + b"Content-Type: text/html\n\n<p>Words\n"
    if is_read:
        assert b"Words" in run(tmp_path, "mhtml-to-html", message)[0]
        return
    with pytest.raises(Unreadable, match="nested too deeply") as refused:
        run(tmp_path, "mhtml-to-html", message)
    assert refused.value.reason == "limit"
