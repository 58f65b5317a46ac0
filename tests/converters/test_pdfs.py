"""PDF: what has to hold beyond the vectors of each pair."""

from __future__ import annotations

import contextlib
import io
import json
import random
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import pyvips
from reportlab.pdfgen.canvas import Canvas

from engine.families.pdf import census
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.options import build, describe
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn
from tests.examples import examples
from tests.families.images import files as pictures
from tests.families.images.looks import look, near, pdf
from tests.families.pdf import files as documents
from tests.families.pdf import scan_files as made

PAIRS = [slug for slug, each in CONVERTERS.items() if each.profile == "pdf" or each.input.id == "pdf"]


def convert(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, list[str]]:
    """The result of a conversion and the codes of its warnings."""
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, options), warn)
    return target.read_bytes(), [each.code for each in warn.warnings]


def test_passwords_and_what_nobody_is_to_read_are_secret() -> None:
    for slug in PAIRS:
        for option in describe(CONVERTERS[slug].options):
            hidden = option.name in ("redactText", "redactPattern", "fields", "picture")
            assert option.secret == (hidden or "password" in option.name.lower())


@pytest.mark.parametrize(
    ("ranges", "count", "numbers"),
    [
        (None, 3, [0, 1, 2]),
        ("2", 3, [1]),
        ("1-3", 3, [0, 1, 2]),
        ("2-", 4, [1, 2, 3]),
        ("3,1,1-2", 3, [0, 1, 2]),
    ],
)
def test_page_ranges(ranges: str | None, count: int, numbers: list[int]) -> None:
    assert chosen(ranges, count) == numbers


@pytest.mark.parametrize("ranges", ["0", "4", "2-4", "1,9", "3-1", "99999-"])
def test_page_range_that_does_not_fit_is_refused(ranges: str) -> None:
    with pytest.raises(InvalidOption) as raised:
        chosen(ranges, 3)
    assert raised.value.option == "pages"


def test_picked_pages_come_as_written() -> None:
    assert chosen("3-1,2,2", 3, repeats=True) == [2, 1, 0, 1, 1]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_watermark_stands_upright_on_a_turned_page(tmp_path: Path, turn: int) -> None:
    source = documents.report()
    if turn:
        source, _ = convert(tmp_path, "pdf-to-pdf", source, operation="rotate", angle=str(turn), pages="2")
    marked, _ = convert(
        tmp_path, "pdf-to-pdf", source, operation="watermark", watermarkText="IIIIIIIIIIII", watermarkOpacity=1.0
    )
    picture, _ = convert(tmp_path, "pdf-to-png", marked, pages="2", dpi=36)
    image = pyvips.Image.new_from_buffer(picture, "").extract_band(0)
    grey = bytes(image.write_to_memory())
    dark = [divmod(at, image.width) for at, value in enumerate(grey) if 60 <= value <= 150]
    rising = sum(1 for y, x in dark if (x > image.width / 2) == (y < image.height / 2))
    assert len(dark) > 100
    assert rising > len(dark) * 0.8


def test_letters_of_each_script_are_those_of_a_font_that_has_them(tmp_path: Path) -> None:
    looks = set()
    for text in ("Draft مسودة 草案", "Draft مسودة 草稿", "Draft مهودة 草案", "مسودة 草案 Draft"):
        result, codes = convert(tmp_path, "pdf-to-pdf", documents.report(), operation="stamp", text=text)
        assert codes == []
        looks.add(pypdfium2.PdfDocument(result)[0].render(scale=2).to_pil().tobytes())
    assert len(looks) == 4


def test_two_watermarks_both_stay(tmp_path: Path) -> None:
    once, _ = convert(tmp_path, "pdf-to-pdf", documents.report(), operation="watermark", watermarkText="FIRST")
    twice, _ = convert(tmp_path, "pdf-to-pdf", once, operation="watermark", watermarkText="SECOND")
    for page in pdf(twice).pages:
        assert {"FIRST", "SECOND"} <= set(page.extract_text().split())


def test_compressing_twice_changes_nothing_more(tmp_path: Path) -> None:
    once, warnings = convert(tmp_path, "pdf-to-pdf", documents.loose())
    assert warnings == []
    twice, warnings = convert(tmp_path, "pdf-to-pdf", once)
    assert warnings == ["NOT_SMALLER"]
    assert twice == once


def test_repaired_file_has_a_complete_trailer(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", documents.album(), operation="rotate")
    assert int(pdf(result).trailer["/Size"]) > 4  # type: ignore[arg-type, call-overload]


def test_what_a_pdf_says_about_itself_and_its_fonts(tmp_path: Path) -> None:
    about = json.loads(convert(tmp_path, "pdf-to-json", made.chapters(), content="metadata")[0])
    assert (about["information"]["Author"], about["pageCount"], "fonts" in about) == ("Ada", 4, False)
    assert about["attachments"] == [{"file": "notes.txt", "bytes": 10}]
    fonts = json.loads(convert(tmp_path, "pdf-to-json", made.chapters(), content="fonts", pages="2-3")[0])
    assert fonts == [{"name": "Helvetica", "type": "Type1", "embedded": False, "subset": False, "pages": [2, 3]}]


def test_scan_goes_to_pdf_and_back(tmp_path: Path) -> None:
    page, _ = convert(tmp_path, "jpg-to-pdf", pictures.sideways(), dpi=72)
    picture, _ = convert(tmp_path, "pdf-to-png", page, dpi=72)
    seen = look(picture, "png")
    assert (seen.width, seen.height) == pictures.SIZE
    for (x, y), colour in pictures.CORNERS.items():
        assert near(seen.at(x, y), colour, 24)


@pytest.mark.ci
@pytest.mark.examples
@pytest.mark.parametrize("slug", PAIRS)
def test_mutated_document_is_converted_or_refused(tmp_path: Path, slug: str) -> None:
    chance = random.Random(slug)
    seeds = (documents.report(), documents.loose(), documents.album(), documents.scanned())
    for _ in range(examples(25)):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 4, 16))):
            data[chance.randrange(8, len(data))] = chance.choice((32, 48, 57, 60, 62, 91, chance.randrange(256)))
        options = {"dpi": 20} if any(each.name == "dpi" for each in describe(CONVERTERS[slug].options)) else {}
        with contextlib.suppress(Unreadable, OverLimit):
            convert(tmp_path, slug, bytes(data), **options)


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown", "pdf-to-png"])
def test_a_file_without_its_table_of_objects_is_mended_first(tmp_path: Path, slug: str) -> None:
    whole = documents.report()
    cut = whole[: whole.rindex(b"xref\n", 0, whole.rindex(b"startxref"))]
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(cut)
    assert convert(tmp_path, slug, cut) == convert(tmp_path, slug, whole)


def cut_off(pages: int) -> bytes:
    """A file that ends after the contents of its second page."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 100), pageCompression=0, invariant=True)
    for number in range(pages):
        canvas.drawString(20, 50, f"The words of page {number + 1}")
        canvas.showPage()
    canvas.save()
    whole = file.getvalue()
    return whole[: whole.index(b"endobj", whole.index(b"page 2")) + len(b"endobj")]


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("pdf-to-png", {"dpi": 20}), ("pdf-to-txt", {}), ("pdf-to-docx", {}), ("pdf-to-zip", {}),
        *(("pdf-to-pdf", {"operation": each}) for each in ("compress", "archive", "rotate", "repair")),
    ],
)  # fmt: skip
def test_pages_whose_contents_are_cut_off_are_named(tmp_path: Path, slug: str, options: dict[str, Any]) -> None:
    warn = Warn()
    source, target = tmp_path / "input.pdf", tmp_path / f"output.{slug.split('-')[2]}"
    source.write_bytes(cut_off(5))
    CONVERTERS[slug].run(source, target, build(CONVERTERS[slug].options, options), warn)
    told = [str(each.message) for each in warn.warnings]
    assert "The PDF is damaged. Pages whose contents are not in the file: 3 (3, 4, 5)." in told


def test_a_file_without_its_table_of_objects_is_counted(tmp_path: Path) -> None:
    whole = documents.report()
    (tmp_path / "cut.pdf").write_bytes(whole[: whole.rindex(b"xref\n", 0, whole.rindex(b"startxref"))])
    (tmp_path / "whole.pdf").write_bytes(whole)
    assert census.count(tmp_path / "cut.pdf").texts == census.count(tmp_path / "whole.pdf").texts
