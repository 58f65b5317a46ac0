"""Text of a PDF that is drawn again at nearly the same place, as for a bold effect, or letter by letter."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from engine import convert

LINES = [
    "Annual report of the water works",
    "A book of little letters: committee",
    "will fill still hills 11 2211 ll",
    "Mississippi assesses aa bb",
    "Total 1,000.00 EUR",
]
SIZE = 10
Drawn = list[tuple[float, float, str]]


def _placed(unit: str, apart: float) -> list[Drawn]:
    """Each line as its parts at their places, letters `apart` by so many points."""
    lines: list[Drawn] = []
    for number, line in enumerate(LINES * 4):
        across, down = 50.0, 700.0 - 2 * SIZE * number
        parts = {"line": [line], "words": line.split(), "letters": list(line)}[unit]
        drawn: Drawn = []
        for part in parts:
            if part != " ":
                drawn.append((across, down, part))
            across += stringWidth(part + " " * (unit == "words"), "Helvetica", SIZE) + apart
        lines.append(drawn)
    return lines


def _again(lines: list[Drawn], order: str, shift: tuple[float, float]) -> Iterator[tuple[float, float, str]]:
    """All parts twice: each at once, or after its line, or after the whole page."""
    right, up = shift
    groups = {
        "at once": [[part] for line in lines for part in line],
        "after the line": lines,
        "after the page": [[part for line in lines for part in line]],
    }[order]
    for group in groups:
        yield from group
        yield from ((across + right, down + up, part) for across, down, part in group)


def _pdf(path: Path, parts: Iterator[tuple[float, float, str]], *, turned: bool = False) -> Path:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(800, 800))
    if turned:
        canvas.translate(800, 0)
        canvas.rotate(90)
    canvas.setFont("Helvetica", SIZE)
    for across, down, part in parts:
        canvas.drawString(across, down, part)
    canvas.save()
    path.write_bytes(buffer.getvalue())
    return path


def _words(source: Path, output: str) -> list[str]:
    target = source.with_suffix(f".{output}")
    convert(source, target, sandbox=False)
    if output == "docx":
        with zipfile.ZipFile(target) as archive:
            body = archive.read("word/document.xml").decode()
        return re.sub(r"<[^<>]*>", "", body.replace("</w:p>", " ")).split()
    return target.read_text("utf-8").split()


EXPECTED = " ".join(LINES * 4).split()


@pytest.mark.parametrize("order", ["at once", "after the line", "after the page"])
@pytest.mark.parametrize("unit", ["line", "words", "letters"])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.4, 0.0), (0.3, -0.3)], ids=["nowhere", "right", "down"])
def test_text_that_is_drawn_twice_is_one_text(
    tmp_path: Path, unit: str, order: str, shift: tuple[float, float]
) -> None:
    source = _pdf(tmp_path / "twice.pdf", _again(_placed(unit, 0), order, shift))

    assert _words(source, "txt") == EXPECTED
    assert _words(source, "md") == EXPECTED


def test_text_that_is_drawn_twice_is_one_text_in_word(tmp_path: Path) -> None:
    source = _pdf(tmp_path / "twice.pdf", _again(_placed("letters", 0), "after the line", (0.8, 0.0)))

    assert _words(source, "docx") == EXPECTED


def test_text_that_is_drawn_twice_is_not_missing_where_it_is_once(tmp_path: Path) -> None:
    source = _pdf(tmp_path / "twice.pdf", _again(_placed("letters", 0), "after the line", (0.8, 0.0)))

    assert not convert(source, tmp_path / "once.md", sandbox=False).warnings


def test_touching_letters_that_are_drawn_out_of_order_are_a_word(tmp_path: Path) -> None:
    parts = sorted(_placed("letters", 0)[0], key=lambda part: -part[0])
    source = _pdf(tmp_path / "backwards.pdf", iter(parts))

    assert _words(source, "md") == _words(source, "txt") == LINES[0].split()


def test_turned_text_that_is_drawn_twice_is_one_text(tmp_path: Path) -> None:
    source = _pdf(tmp_path / "twice.pdf", _again(_placed("letters", 0), "after the line", (0.4, 0.0)), turned=True)

    assert _words(source, "txt") == _words(source, "md") == EXPECTED


@pytest.mark.parametrize("apart", [1.0, 2.0, 3.0])
def test_letters_that_are_drawn_apart_are_words(tmp_path: Path, apart: float) -> None:
    source = _pdf(tmp_path / "apart.pdf", _again(_placed("letters", apart), "at once", (0.4, 0.0)))

    assert _words(source, "txt") == _words(source, "md") == EXPECTED


def test_single_letters_and_equal_neighbours_stay_apart(tmp_path: Path) -> None:
    parts = [(50.0 + 40 * at, 700.0, letter) for at, letter in enumerate("AAABBB")]
    numbers = [(50.0 + 8 * at, 650.0, digit) for at, digit in enumerate("11223344")]
    source = _pdf(tmp_path / "table.pdf", iter([*parts, *numbers]))

    assert "".join(_words(source, "txt")) == "AAABBB11223344"
    assert _words(source, "txt")[:6] == list("AAABBB")
