"""Lists of a PDF: what stands before their items, and how an item goes on."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Dictionary, Name
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.test_pdfs import convert

WIDTH, LEADING = 400, 14


def listed(*lines: tuple[tuple[float, str, float, str], ...]) -> bytes:
    """A page of lines, each of which has texts at a place from the left, in a font and a size."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, 400), invariant=True)
    for at, line in enumerate(lines):
        for x, font, size, text in line:
            canvas.setFont(font, size)
            canvas.drawString(x, 360 - LEADING * at, text)
    canvas.save()
    return file.getvalue()


def markdown(source: bytes, folder: Path) -> list[str]:
    text, _ = convert(folder, "pdf-to-markdown", source, ocr="off")
    return [line for line in text.decode().splitlines() if line.strip()]


def body(x: float, text: str) -> tuple[float, str, float, str]:
    return x, "Helvetica", 10, text


def test_circles_of_words_inner_lists_are_bullets(tmp_path: Path) -> None:
    inner = ["the width of a line", "the height of it", "the colour, where there is one", "what is behind"]
    source = listed(
        (body(40, "\u2022"), body(58, "What a cell has of its own is told by these:")),
        *(((76, "Courier", 10, "o"), body(94, text)) for text in inner),
        (body(40, "\u2022"), body(58, "All else comes from its table.")),
    )
    assert markdown(source, tmp_path) == [
        "- What a cell has of its own is told by these:",
        *(f"   - {text}" for text in inner),
        "- All else comes from its table.",
    ]


@pytest.mark.parametrize("labels", [("a)", "b)"), ("(a)", "(b)"), ("A.", "B."), ("i.", "ii.", "iii.")])
def test_lettered_items_in_an_item_are_a_list_inside(tmp_path: Path, labels: tuple[str, ...]) -> None:
    source = listed(
        (body(40, "1. one"),),
        *((body(58, f"{label} inner {label}"),) for label in labels),
        (body(40, "2. two"),),
    )
    assert markdown(source, tmp_path) == ["1. one", *(f"   - {label} inner {label}" for label in labels), "2. two"]


def test_numbers_of_items_are_no_loss_where_word_counts_them_itself(tmp_path: Path) -> None:
    source = listed((body(40, "1. one"),), (body(58, "a) inner"),), (body(40, "2. two"),), (body(40, "3. three"),))
    _, codes = convert(tmp_path, "pdf-to-docx", source, ocr="off")
    assert codes == []


def test_an_o_among_the_marks_of_a_table_stays(tmp_path: Path) -> None:
    rows = [
        ("Bread", "o", "x", "1.20"),
        ("Butter", "x", "o", "2.40"),
        ("Salt", "o", "o", "0.80"),
        ("Tea", "x", "x", "3.10"),
    ]
    source = listed(
        *(tuple((x, "Courier", 10, text) for x, text in zip((40, 130, 170, 210), row, strict=True)) for row in rows)
    )
    found = [line for line in markdown(source, tmp_path) if not line.startswith("| ---")]
    assert found == [f"| {' | '.join(row)} |" for row in rows]


def test_roman_numbers_before_items_are_no_column_of_a_table(tmp_path: Path) -> None:
    items = ["the width of a line", "the height of it", "the colour of both", "what is behind them", "the rest"]
    numbers = ["i.", "ii.", "iii.", "iv.", "v."]
    source = listed(*((body(40, one), body(70, text)) for one, text in zip(numbers, items, strict=True)))
    found = markdown(source, tmp_path)
    assert not any("|" in line for line in found)
    assert [" ".join(line.split()) for line in found] == [
        f"{one} {text}" for one, text in zip(numbers, items, strict=True)
    ]


def test_a_line_most_of_which_is_in_a_smaller_font_of_even_widths_goes_on(tmp_path: Path) -> None:
    below = [
        ("Courier", 9, "DeviceGray"),
        ("Helvetica", 10, ", 3 = "),
        ("Courier", 9, "DeviceRGB"),
        ("Helvetica", 10, ")."),
    ]
    places = [58.0]
    for font, size, text in below:
        places.append(places[-1] + stringWidth(text, font, size))
    source = listed(
        (body(40, "\u2022"), body(58, "The number of bytes that tell a colour in its space, as (1 =")),
        tuple((x, *text) for x, text in zip(places, below, strict=False)),
    )
    (found,) = markdown(source, tmp_path)
    assert found == "- The number of bytes that tell a colour in its space, as (1 = DeviceGray, 3 = DeviceRGB)."


def encoded(codes: dict[str, str], *lines: tuple[str, str]) -> bytes:
    """Lines that begin with a letter of the file's own Wingdings, the meanings of which `codes` says."""
    file = io.BytesIO()
    with pikepdf.open(
        io.BytesIO(listed(*(((40, "Times-Roman", 10, one), body(60, text)) for one, text in lines)))
    ) as pdf:
        fonts = pdf.pages[0].Resources.Font
        for name, font in fonts.items():
            if font.BaseFont == Name("/Times-Roman"):
                meanings = "".join(f"<{ord(each):02x}> <{ord(code):04x}>\n" for each, code in codes.items())
                cmap = f"begincmap {len(codes)} beginbfchar\n{meanings}endbfchar endcmap"
                fonts[name] = Dictionary(
                    Type=Name.Font,
                    Subtype=Name.Type1,
                    BaseFont=Name("/ABCDEF+Wingdings"),
                    ToUnicode=pdf.make_stream(cmap.encode()),
                )
        pdf.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("code", "begin"),
    [("\uf0d8", "- "), ("\uf076", "- "), ("\uf0fe", "☑ "), ("\uf0fd", "☒ "), ("\x84", "- ")],
    ids=["arrow", "diamond", "ticked", "crossed", "unknown"],
)
def test_signs_of_wingdings_before_items_are_bullets_and_boxes(tmp_path: Path, code: str, begin: str) -> None:
    texts = ["They work beside the others", "They are chosen by a court"]
    source = encoded({"a": code}, *(("a", text) for text in texts))
    assert markdown(source, tmp_path) == [f"{begin}{text}" for text in texts]


def test_a_table_between_two_items_stays_between_them(tmp_path: Path) -> None:
    rows = [("Region", "North", "South"), ("Apples", "12", "3"), ("Pears", "7", "4")]
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, 400), invariant=True)
    canvas.setFont("Helvetica", 10)
    for y, text in ((360, "\u2022 First item"), (280, "\u2022 Second item"), (262, "Words below."), (248, "More.")):
        canvas.drawString(40, y, text)
    for at in range(4):
        canvas.line(150, 350 - 18 * at, 330, 350 - 18 * at)
        canvas.line(150 + 60 * at, 350, 150 + 60 * at, 296)
    for number, row in enumerate(rows):
        for at, text in enumerate(row):
            canvas.drawString(154 + 60 * at, 338 - 18 * number, text)
    canvas.save()
    found = markdown(file.getvalue(), tmp_path)
    assert [found[0], found[5]] == ["- First item", "- Second item"]
    assert all("|" in each for each in found[1:5])


def bare(x: float, text: str) -> tuple[float, str, float, str]:
    return x, "Helvetica", 12, text


def test_numbers_without_a_full_stop_count_items_as_reportlab_draws_them(tmp_path: Path) -> None:
    source = listed(
        (body(40, "What there is to do:"),),
        (bare(40, "1"), body(58, "wash the windows of")),
        (body(58, "the lower floor"),),
        (bare(40, "2"), body(58, "sweep the yard")),
        (bare(40, "3"), body(58, "feed the hens")),
    )
    assert markdown(source, tmp_path) == [
        "What there is to do:",
        "1. wash the windows of the lower floor",
        "2. sweep the yard",
        "3. feed the hens",
    ]


def test_an_inner_list_without_full_stops_is_no_table(tmp_path: Path) -> None:
    source = listed(
        (bare(40, "1"), body(58, "wash the windows")),
        (bare(40, "2"), bare(58, "a"), body(76, "sweep the yard")),
        (bare(58, "b"), body(76, "sweep the stairs")),
        (bare(40, "3"), body(58, "feed the hens")),
    )
    found = markdown(source, tmp_path)
    assert not any("|" in line for line in found)
    words = ["1.", "windows", "2.", "a.", "yard", "b.", "stairs", "3.", "hens"]
    places = [" ".join(found).index(word) for word in words]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "lines",
    [
        [(bare(40, "1"), body(90, "Oslo")), (bare(40, "2"), body(90, "Bergen")), (bare(40, "3"), body(90, "Tromso"))],
        [(bare(40, "4"), body(58, "Oslo")), (bare(40, "5"), body(58, "Bergen")), (bare(40, "6"), body(58, "Tromso"))],
        [(bare(40, "1"), (58, "Courier", 10, "x = 1")), (bare(40, "2"), (58, "Courier", 10, "y = x"))],
    ],
    ids=["ranks", "not from 1", "a program"],
)
def test_other_numbers_before_texts_stay_as_they_are(
    lines: list[tuple[tuple[float, str, float, str], ...]], tmp_path: Path
) -> None:
    assert not any(f"{number}." in "\n".join(markdown(listed(*lines), tmp_path)) for number in range(1, 7))


def test_numbers_of_items_are_no_loss_in_html(tmp_path: Path) -> None:
    lines = [
        (body(40, "1."), body(60, "Opening")),
        (body(40, "2."), body(60, "Agenda")),
        (body(40, "3."), body(60, "End")),
    ]
    warn = Warn()
    source, target = tmp_path / "input.pdf", tmp_path / "output.html"
    source.write_bytes(listed(*lines))
    converter = CONVERTERS["pdf-to-html"]
    auditing.run(converter, source, target, build(converter.options, {"ocr": "off"}), warn)
    assert target.read_text().count("<li>") == 3
    assert not warn.warnings
