"""Scans of documents: searchable as PDF, readable as text, whatever way their pages lie."""

from __future__ import annotations

import io
import math
import re
import subprocess
import zipfile
from pathlib import Path

import pikepdf
import pypdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont

from engine.families.ocr import options
from engine.families.pdf.recognised import read, scans
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.ocr.vectors import PROSE, errors, note, saved, scan
from tests.families.pdf import files as documents

LETTERS = Path(__file__).resolve().parents[2] / "engine" / "fonts" / "dejavu" / "DejaVuSans.ttf"


def convert(slug: str, data: bytes, folder: Path, **values: object) -> tuple[bytes, Warn]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, values), warn)
    return target.read_bytes(), warn


def scanned(*images: Image.Image, turn: int = 0, box: tuple[int, int, int, int] | None = None) -> bytes:
    """A PDF of pictures, its pages shown turned clockwise, or cropped to a box."""
    file = io.BytesIO()
    images[0].save(file, "PDF", resolution=200, quality=60, save_all=True, append_images=images[1:])
    with pikepdf.open(file) as pdf:
        for page in pdf.pages:
            page.rotate(turn, relative=False)
            if box is not None:
                page.mediabox = pikepdf.Array([-100, -50, 700, 900])
                page.cropbox = pikepdf.Array(box)
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
    return out.getvalue()


def text_of(data: bytes, number: int = 0) -> str:
    """What PDFium finds on a page."""
    return str(pypdfium2.PdfDocument(data)[number].get_textpage().get_text_range())


def place_of(data: bytes, word: str) -> tuple[float, float]:
    """Where the first letter of a word is on the first page: from the left and from the bottom, in points."""
    page = pypdfium2.PdfDocument(data)[0].get_textpage()
    found = page.search(word, match_case=True).get_next()
    assert found is not None
    left, bottom, _, _ = page.get_charbox(found[0])
    return left, bottom


@pytest.mark.parametrize(
    ("tilt", "lies", "turn", "values"),
    [
        (2.0, 0, 0, {}),
        (-3.0, 0, 0, {"deskew": True}),
        (1.0, 90, 0, {"rotatePages": True}),
        (1.0, 180, 0, {"rotatePages": True}),
        (1.0, 270, 0, {"rotatePages": True}),
        (1.0, 90, 90, {}),
        (2.0, 270, 180, {"rotatePages": True, "deskew": True}),
    ],
)
def test_a_scan_can_be_searched(tilt: float, lies: int, turn: int, values: dict[str, bool], tmp_path: Path) -> None:
    source = scanned(scan(tilt=tilt, noise=0.3).rotate(lies, expand=True), turn=turn)
    output, warn = convert("pdf-to-pdf", source, tmp_path, ocr="auto", **values)
    assert errors(PROSE, text_of(output)) <= 0.012
    assert len(output) - len(source) <= 5_000
    assert {each.code for each in warn.warnings} <= {"NOT_SMALLER"}


def test_the_text_lies_under_what_is_seen(tmp_path: Path) -> None:
    image = scan(tilt=0.0)
    ink = Image.eval(image, lambda value: 255 if value < 128 else 0).getbbox()
    assert ink is not None
    output, _ = convert("pdf-to-pdf", scanned(image), tmp_path, ocr="auto")
    left, bottom = place_of(output, "The ferry")
    assert abs(left - ink[0] * 72 / 200) < 3
    assert abs(842 - bottom - (ink[1] + 31) * 72 / 200) < 6


def test_a_page_that_begins_elsewhere_has_its_text_in_place(tmp_path: Path) -> None:
    image = scan()
    plain, _ = convert("pdf-to-pdf", scanned(image), tmp_path, ocr="auto")
    moved, _ = convert("pdf-to-pdf", scanned(image, box=(-30, -20, 650, 870)), tmp_path, ocr="auto")
    for word in ("The ferry", "marmalade", "piano"):
        assert max(abs(one - two) for one, two in zip(place_of(plain, word), place_of(moved, word), strict=True)) < 3


def test_the_pictures_stay_as_they_are(tmp_path: Path) -> None:
    source = scanned(scan(tilt=2.0))
    output, _ = convert("pdf-to-pdf", source, tmp_path, ocr="auto", deskew=True)

    def picture(data: bytes) -> bytes:
        return next(iter(pypdf.PdfReader(io.BytesIO(data)).pages[0].images)).data

    assert picture(output) == picture(source)


def test_a_straightened_page_is_level(tmp_path: Path) -> None:
    from engine.families.ocr.tilt import tilt_of

    output, _ = convert("pdf-to-pdf", scanned(scan(tilt=2.0)), tmp_path, ocr="auto", deskew=True)
    seen = pypdfium2.PdfDocument(output)[0].render(scale=2, grayscale=True).to_pil()
    assert abs(tilt_of(seen)) < 0.2


def test_nothing_is_read_twice(tmp_path: Path) -> None:
    once, _ = convert("pdf-to-pdf", scanned(scan()), tmp_path, ocr="auto")
    for again in ("auto", "force"):
        twice, _ = convert("pdf-to-pdf", once, tmp_path, ocr=again)
        assert len(re.findall("marmalade", text_of(twice))) == 1


def test_text_that_is_seen_stays_alone_where_all_pages_are_read(tmp_path: Path) -> None:
    output, _ = convert("pdf-to-pdf", documents.report(), tmp_path, ocr="force")
    assert sorted(text_of(output).split()) == sorted(text_of(documents.report()).split())


def test_a_document_with_text_is_left_alone(tmp_path: Path) -> None:
    without, _ = convert("pdf-to-pdf", documents.report(), tmp_path)
    output, _ = convert("pdf-to-pdf", documents.report(), tmp_path, ocr="auto")
    assert output == without


@pytest.mark.parametrize("output", ["txt", "markdown", "html"])
def test_the_text_of_a_scan_is_read(output: str, tmp_path: Path) -> None:
    data, warn = convert(f"pdf-to-{output}", scanned(scan(tilt=2.0, noise=0.3)), tmp_path)
    found = re.sub("<title>.*?</title>|<style.*?</style>|<[^>]+>", " ", data.decode(), flags=re.DOTALL)
    assert errors(PROSE, found) <= 0.012
    assert "NO_TEXT" not in {each.code for each in warn.warnings}


def test_scanned_pages_become_documents_to_edit(tmp_path: Path) -> None:
    for output, part in (("docx", "word/document.xml"), ("odt", "content.xml")):
        data, _ = convert(f"pdf-to-{output}", scanned(scan()), tmp_path)
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            text = re.sub(r"<[^>]+>", " ", file.read(part).decode())
        assert errors(PROSE, " ".join(text.split())) <= 0.012


def test_pages_with_text_and_scanned_ones_keep_their_order(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(documents.report())) as pdf, pikepdf.open(io.BytesIO(scanned(scan()))) as other:
        pdf.pages.insert(1, other.pages[0])
        file = io.BytesIO()
        pdf.save(file)
    text = convert("pdf-to-txt", file.getvalue(), tmp_path)[0].decode()
    first = text_of(documents.report()).split()[0]
    assert text.index(first) < text.index("The ferry") < text.index(text_of(documents.report(), 1).split()[0])
    off = convert("pdf-to-txt", file.getvalue(), tmp_path, ocr="off")[0].decode()
    assert "ferry" not in off


def test_a_picture_becomes_a_searchable_page(tmp_path: Path) -> None:
    for source in ("jpg", "tiff", "avif"):
        image = scan(tilt=1.0).convert("RGB")
        output, _ = convert(f"{source}-to-pdf", saved(image, source), tmp_path, dpi=200, ocr="auto")
        assert errors(PROSE, text_of(output)) <= 0.012
    plain, _ = convert("png-to-pdf", saved(note("Hello"), "png"), tmp_path)
    assert text_of(plain) == ""


def test_other_readers_find_the_words_too(tmp_path: Path) -> None:
    output, _ = convert("pdf-to-pdf", scanned(scan(tilt=1.0)), tmp_path, ocr="auto")
    assert errors(PROSE, pypdf.PdfReader(io.BytesIO(output)).pages[0].extract_text()) <= 0.02
    (tmp_path / "seen.pdf").write_bytes(output)
    try:
        done = subprocess.run(["pdftotext", "-raw", tmp_path / "seen.pdf", "-"], capture_output=True, check=True)
    except FileNotFoundError:
        pytest.skip("pdftotext is not installed")
    assert errors(PROSE, done.stdout.decode()) <= 0.012


def test_an_encrypted_scan_stays_encrypted(tmp_path: Path) -> None:
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(scanned(scan()))) as pdf:
        pdf.save(file, encryption=pikepdf.Encryption(user="secret", owner="secret"))
    output, _ = convert("pdf-to-pdf", file.getvalue(), tmp_path, ocr="auto", password="secret")
    found = pypdfium2.PdfDocument(output, password="secret")[0].get_textpage().get_text_range()
    assert errors(PROSE, found) <= 0.012
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(output)


def test_too_many_scanned_pages_are_refused_or_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = scanned(*[note("Hello", f"page {number}") for number in range(1, 5)])
    monkeypatch.setattr(scans, "ALL_PIXELS", 3 * 262_144)
    monkeypatch.setattr("engine.families.ocr.reader.ALL_PIXELS", 3 * 262_144)
    text, warn = convert("pdf-to-txt", data, tmp_path)
    assert b"page 1" in text
    assert b"page 4" not in text
    assert any("from page" in each.message for each in warn.warnings if each.code == "NO_TEXT")
    with pytest.raises(OverLimit) as raised:
        convert("pdf-to-txt", data, tmp_path, ocr="force")
    assert raised.value.reason == "timeout"


def test_without_a_model_all_pages_can_not_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(options, "LANGUAGES", ())
    data = scanned(note("Hello"))
    assert read.with_text(tmp_path, read.Recognition("auto", "eng"), Warn()) == tmp_path
    _, warn = convert("pdf-to-txt", data, tmp_path)
    assert {each.code for each in warn.warnings} == {"NO_TEXT", "CONTENT_DROPPED"}
    with pytest.raises(InvalidOption) as raised:
        convert("pdf-to-pdf", data, tmp_path, ocr="force")
    assert raised.value.option == "ocr"
    assert "TESSDATA_PREFIX" in str(raised.value)


def test_what_there_was_no_time_to_read_is_named_and_the_rest_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("engine.families.pdf.recognised.read._SECONDS", 0.0)
    text, warn = convert("pdf-to-txt", scanned(*[note("Hello", f"page {number}") for number in (1, 2)]), tmp_path)
    assert b"page 1" in text
    assert b"page 2" not in text
    assert any("from page 2 on" in each.message for each in warn.warnings if each.code == "NO_TEXT")


@pytest.mark.parametrize(("side", "dots"), [(1.0, 96), (0.9, 150)])
def test_a_page_that_is_one_picture_is_drawn_no_larger_than_the_picture(side: float, dots: int, tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.new("L", (1654, 2339), 255).save(file, "PDF", resolution=96)
    with pikepdf.open(file) as pdf:
        page = pdf.pages[0]
        content = page.Contents.read_bytes()
        page.Contents = pdf.make_stream(b"%f 0 0 %f 0 0 cm " % (side, side) + content)
        pdf.save(tmp_path / "input.pdf")
    found = scans.plan(pypdfium2.PdfDocument(tmp_path / "input.pdf"), [0], all_or_none=True)
    # Beside a picture there may be letters drawn as shapes, which are read as sharp as a scan's.
    assert found.dots == {0: dots}


@pytest.mark.parametrize("word", ["Quokkaname", "illimitable", "WOMBAT"])
def test_the_picture_of_a_redacted_word_is_covered_to_its_last_letter(tmp_path: Path, word: str) -> None:
    picture, seen = Image.new("L", (1654, 700), "white"), list[tuple[int, int, int, int]]()
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(LETTERS, 34)
    for line, text in enumerate((f"The letter went to {word} on Monday.", f"Nobody else had met {word}")):
        place = (120, 100 + line * 120)
        draw.text(place, text, "black", font)
        start = place[0] + draw.textlength(text[: text.index(word)], font)
        box = draw.textbbox((start, place[1]), word, font)
        seen.append((math.floor(box[0]), math.floor(box[1]), math.ceil(box[2]), math.ceil(box[3])))
    result, warn = convert("pdf-to-pdf", scanned(picture), tmp_path, operation="redact", redactText=word, ocr="force")
    assert not warn.warnings
    page = pypdfium2.PdfDocument(result)[0].render(scale=200 / 72).to_pil().convert("L")
    for box in seen:
        assert page.crop(box).getextrema()[1] == 0
    assert page.crop((120, 100, 400, 150)).getextrema() == (0, 255)
