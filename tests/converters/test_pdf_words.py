"""Words and paragraphs of a PDF: spaces that nothing states, lines that go on, and what stands beside them."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfgen.canvas import Canvas

from engine.families.pdf.page.glyphs import Glyph, Style
from engine.families.pdf.page.segments import segments_of
from tests.converters.test_pdf_columns import drawn, in_order, lines, words_of
from tests.converters.test_pdfs import convert


def page(content: bytes) -> bytes:
    """A page that draws `content`, with Helvetica as F1."""
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 200))
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica,
            Encoding=pikepdf.Name.WinAnsiEncoding,
        )  # fmt: skip
        pdf.pages[0].Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
        pdf.pages[0].Contents = pdf.make_stream(content)
        pdf.save(file)
    return file.getvalue()


def paragraphs(data: bytes, folder: Path) -> list[str]:
    text, _ = convert(folder, "pdf-to-markdown", data, ocr="off")
    return [part for part in text.decode().split("\n\n") if part.strip()]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        # The letters of words touch, and those around the gap are in one string, as where lines are justified by Tc.
        (b"(The hole of) Tj 52.8 0 Td 3 Tc (ac) Tj 13.56 0 Td 0 Tc (larinet) Tj", "The hole of a clarinet"),
        (b"(We know it today) Tj 76.14 0 Td 3 Tc (.I) Tj 8.56 0 Td 0 Tc (n this) Tj", "We know it today. In this"),
        (b"(The) Tj 25 0 Td 3 Tc (spaced) Tj 55 0 Td 0 Tc (letters) Tj", "The spaced letters"),
        (
            b"[(In the end,) -175 (I) -171 (stress) -167 (that it) -171 (stands)] TJ",
            "In the end, I stress that it stands",
        ),
    ],
    ids=["short-word", "full-stop", "spaced-out", "narrow"],
)
def test_a_gap_parts_words_where_the_letters_of_its_line_touch(content: bytes, said: str, tmp_path: Path) -> None:
    assert paragraphs(page(b"BT /F1 10 Tf 20 100 Td " + content + b" ET"), tmp_path) == [f"{said}\n"]


@pytest.mark.parametrize("target", ["txt", "markdown"])
def test_a_space_whose_width_is_taken_back_parts_no_word(target: str, tmp_path: Path) -> None:
    content = page(b"BT /F1 12 Tf 40 100 Td [(wa ) 278 (tering the ro ) 278 (ses in) 20 ( May)] TJ ET")
    text, _ = convert(tmp_path, f"pdf-to-{target}", content)
    assert text.decode().strip() == "watering the roses in May"


@pytest.mark.parametrize(
    ("x", "base", "said"),
    [(20.0, 96.0, "plane2"), (20.0, 102.0, "plane2"), (23.0, 96.0, "plane 2"), (20.0, 100.0, "plane 2")],
    ids=["raised", "lowered", "apart", "on-the-line"],
)
def test_scripts_that_touch_their_letter_have_no_space_before_them(x: float, base: float, said: str) -> None:
    # What PDFium takes for a space depends on the two fonts, so the letters are given as it gives them.
    large, small = (
        Style(size, bold=False, italic=False, mono=False, colour="000000", font="Helvetica", turn=0)
        for size in (10.0, 7.0)
    )
    word = [Glyph(each, 5.0 * at - 5, 5.0 * at, 100.0, large, not at, at) for at, each in enumerate("plane")]
    (segment,) = segments_of([*word, Glyph("2", x, x + 4, base, small, True, len(word))])
    assert segment.text.strip() == said


def justified(canvas: Canvas, x: float, y: float, width: float, found: list[str]) -> None:
    canvas.setFont("Helvetica", 10)
    for row, line in enumerate(found):
        text = canvas.beginText(x, y - 12 * row)
        last = row == len(found) - 1
        text.setWordSpace(0 if last else (width - stringWidth(line, "Helvetica", 10)) / line.count(" "))
        text.textLine(line)
        canvas.drawText(text)


def test_paragraphs_below_a_title_that_is_wider_than_they_are_stay_whole(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 17)
    canvas.drawCentredString(297, 760, "A title that is wider than what is below, and in the middle")
    texts = [lines(seed, 6, 5) for seed in range(2)]
    texts[0][-1] += "."
    width = max(stringWidth(line, "Helvetica", 10) for found in texts for line in found)
    for at, found in enumerate(texts):
        justified(canvas, 72, 720 - 100 * at, width, found)
    canvas.save()
    assert [part.rstrip() for part in paragraphs(file.getvalue(), tmp_path)[1:]] == [" ".join(each) for each in texts]


def test_lines_beside_a_list_in_the_next_column_are_no_cells(tmp_path: Path) -> None:
    left, above, items, below = lines(1, 24, 4), lines(2, 10, 4), lines(3, 4, 3), lines(4, 10, 4)
    marks = ["\u2022"] * len(items)
    source = drawn(
        (40, 760, 8, left), (310, 760, 8, above), (310, 660, 8, marks), (330, 660, 8, items), (310, 620, 8, below)
    )  # fmt: skip
    text, _ = convert(tmp_path, "pdf-to-markdown", source, ocr="off")
    assert "|" not in text.decode()
    found = [word for word in words_of(source, tmp_path) if word != "-"]
    assert found == in_order(left, above, items, below)


def test_numbers_before_texts_stay_on_their_lines(tmp_path: Path) -> None:
    numbers = [f"2.13.159-{number}" for number in range(97, 117)]
    texts = lines(1, 20, 4)
    for row in range(0, 20, 3):
        texts[row] = texts[row].split()[0]
    source = drawn((40, 760, 10, numbers), (130, 760, 10, texts))
    text, _ = convert(tmp_path, "pdf-to-markdown", source, ocr="off", tables="none")
    assert text.decode().split() == in_order([f"{one} {other}" for one, other in zip(numbers, texts, strict=True)])


def test_lines_that_are_read_from_the_right_make_paragraphs(tmp_path: Path) -> None:
    text = "שלום עולם זה מבחן של פסקה בעברית שבה השורות נקראות מימין לשמאל ולכן נגמרות בצד שמאל של העמוד. " * 4
    body = f'<body style="width: 60mm; text-align: right"><p>{text}</p><p>{text}</p></body>'
    made, _ = convert(tmp_path, "html-to-pdf", f'<html lang="he" dir="rtl">{body}</html>'.encode())
    found = [" ".join(part.split()) for part in paragraphs(made, tmp_path)]
    assert len(found) == 2
    assert all(sorted(part.split()) == sorted(text.split()) for part in found)


def test_letters_that_the_first_of_two_prints_leaves_out_stand_at_their_place(tmp_path: Path) -> None:
    def printed(words: tuple[tuple[float, str], ...], *, without: str) -> bytes:
        content = b""
        for x, word in words:
            parts = "".join(
                f"-{round(stringWidth(letter, 'Helvetica', 1_000))} " if letter in without else f"({letter})"
                for letter in word
            )
            content += b"BT /F1 10 Tf %.3f 100 Td [%s] TJ ET\n" % (x, parts.encode())
        return content

    words = ((20.0, "Hefty"), (80.0, "7.6"), (140.0, "1,204.5"), (220.0, "50"))
    content = printed(words, without="e.,y") + printed(words, without="")
    assert paragraphs(page(content), tmp_path) == ["Hefty 7.6 1,204.5 50\n"]


def test_a_text_that_goes_back_to_an_earlier_word_of_its_line_goes_on_with_it(tmp_path: Path) -> None:
    content = b"BT /F1 10 Tf 20 100 Td (Inter) Tj 60 0 Td (plan) Tj ET BT /F1 10 Tf %.3f 100 Td (national) Tj ET"
    assert paragraphs(page(content % (20 + stringWidth("Inter", "Helvetica", 10))), tmp_path) == [
        "International plan\n"
    ]


@pytest.mark.parametrize(("name", "bold"), [("ArialMT", False), ("AGaramondPro-Regular", False), ("Univers-65", True)])
def test_stems_make_bold_only_what_no_name_says_otherwise(name: str, bold: bool, tmp_path: Path) -> None:
    data = io.BytesIO()
    with pikepdf.open(io.BytesIO(page(b"BT /F1 10 Tf 20 100 Td (Some words) Tj ET"))) as pdf:
        font = pdf.pages[0].Resources.Font.F1
        font.BaseFont = pikepdf.Name(f"/{name}")
        font.FirstChar, font.LastChar, font.Widths = 32, 126, pikepdf.Array([500] * 95)
        font.FontDescriptor = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.FontDescriptor, FontName=font.BaseFont, Flags=32, FontBBox=[0, -200, 1000, 900],
                ItalicAngle=0, Ascent=900, Descent=-200, CapHeight=700, StemV=190,
            )
        )  # fmt: skip
        pdf.save(data)
    assert ("**Some words**" in paragraphs(data.getvalue(), tmp_path)[0]) is bold


def test_a_picture_that_is_printed_over_itself_is_one(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 200), invariant=True)
    noise = Image.effect_noise((60, 40), 50).convert("RGB")
    for x, y in ((20, 100), (20, 100), (20.2, 100), (200, 100)):
        canvas.drawImage(ImageReader(noise), x, y, 60, 40)
    canvas.drawString(20, 60, "Two pictures, one of them three times.")
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue(), ocr="off", images="embed")
    assert text.count(b"data:image/") == 2


def test_pictures_over_each_other_are_one_as_they_are_seen(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 200), invariant=True)
    for at, colour in enumerate(("red", "blue")):
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 40), colour)), 20, 100, 60 - 10 * at, 40)
    canvas.drawString(20, 60, "A red picture with a blue one over most of it.")
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue(), ocr="off", images="embed")
    (data,) = re.findall(rb"data:image/png;base64,([A-Za-z0-9+/=]+)", text)
    seen = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    middle = seen.height // 2
    assert (seen.getpixel((seen.width // 4, middle)), seen.getpixel((seen.width - 12, middle))) == (
        (0, 0, 255), (255, 0, 0),
    )  # fmt: skip


def test_korean_words_have_their_spaces_and_make_short_cells_as_words_do(tmp_path: Path) -> None:
    rows = [
        ("서울 특별시 종로구", "주민 등록 인구", "백오십이만 천이백"),
        ("부산 광역시 해운대구", "주민 등록 인구", "사십만 이천삼백"),
        ("대구 광역시 수성구", "주민 등록 세대", "십칠만 오천오백"),
        ("인천 광역시 연수구", "외국인 등록 인구", "삼십팔만 칠천육백"),
        ("광주 광역시 북구", "외국인 등록 세대", "사십이만 구천백"),
    ]
    registerFont(UnicodeCIDFont("HYSMyeongJo-Medium"))
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("HYSMyeongJo-Medium", 9)
    for number, row in enumerate(rows):
        for x, cell in zip((60, 230, 400), row, strict=True):
            canvas.drawString(x, 760 - 14 * number, cell)
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue(), ocr="off")
    assert [line for line in text.decode().splitlines() if line and "---" not in line] == [
        f"| {' | '.join(row)} |" for row in rows
    ]


END_FD = 40 + stringWidth("When FD", "Helvetica", 11)
AND = END_FD + 6.5
END_GD = AND + stringWidth("and GD", "Helvetica", 11)
SCRIPTED = [
    b"BT /F1 11 Tf 1 0 0 1 40 150 Tm (When FD) Tj 1 0 0 1 %.2f 150 Tm (and GD) Tj 1 0 0 1 %.2f 150 Tm (ap) Tj ET"
    % (AND, END_GD + 6.5),
    b"BT /F1 11 Tf %.2f 150 Td (pear) Tj ET" % (END_GD + 6.5 + stringWidth("ap", "Helvetica", 11)),
]


@pytest.mark.parametrize("early", [0, 1, 2])
def test_subscripts_written_out_of_order_join_their_line(early: int, tmp_path: Path) -> None:
    scripts = [b"BT /F1 6.5 Tf %.2f 147.6 Td (%s) Tj ET" % (x, digit) for x, digit in ((END_FD, b"3"), (END_GD, b"4"))]
    content = b"\n".join((*SCRIPTED[:early], *scripts, *SCRIPTED[early:]))
    assert paragraphs(page(content), tmp_path) == ["When FD<sub>3</sub> and GD<sub>4</sub> appear\n"]


def test_a_line_below_a_large_one_is_not_a_subscript(tmp_path: Path) -> None:
    beside = 40 + stringWidth("A large test", "Helvetica", 17)
    content = b"BT /F1 17 Tf 40 150 Td (A large test) Tj %.2f 0 Td (beside) Tj ET " % (beside - 20)
    content += b"BT /F1 9 Tf %.2f 141 Td (Isolated) Tj ET" % beside
    assert sorted(" ".join(paragraphs(page(content), tmp_path)).replace("#", "").split()) == sorted(
        ["A", "large", "test", "beside", "Isolated"]
    )
