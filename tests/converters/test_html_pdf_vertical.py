"""Short vertical texts, such as those of table heads, are on their side, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_plutoprint import Result

_STYLE = (
    "<style>@page { margin: 20pt; size: 400pt 400pt } body { margin: 0; font: 10pt 'Liberation Sans' }"
    "table { border-collapse: collapse } td, th { border: 1pt solid; padding: 0; font-weight: normal }</style>"
)


def _places(made: Result, word: str) -> list[tuple[float, float]]:
    """The middle of each letter of a word, in points from the left and from the top."""
    with pypdfium2.PdfDocument(made.path) as document:
        page = document[0]
        text = page.get_textpage()
        at = text.get_text_range().index(word)
        boxes = [text.get_charbox(each) for each in range(at, at + len(word))]
        return [((left + right) / 2, page.get_height() - (low + high) / 2) for left, low, right, high in boxes]


@pytest.mark.parametrize(
    ("style", "down"),
    [
        ("writing-mode: vertical-rl", True),
        ("writing-mode: vertical-lr", True),
        ("writing-mode: sideways-lr", False),
        ("writing-mode: vertical-rl; transform: rotate(180deg)", False),
    ],
)
def test_the_head_of_a_column_is_on_its_side(style: str, down: bool, tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<table><tr><th style='{style}'>Heading</th><th>x<tr><td>1<td>2</table>", tmp_path)
    places = _places(made, "Heading")
    across = [left for left, _ in places]
    along = [top for _, top in places]
    assert max(across) - min(across) < 5
    assert along == sorted(along, reverse=not down)
    assert 20 < min(along) < max(along) < made.at("1")[1]
    assert made.warn.warnings == ()


def test_the_cell_of_vertical_text_is_narrow_and_as_high_as_the_text(tmp_path: Path) -> None:
    cells = "<tr><th style='writing-mode: vertical-rl'>A long heading</th><th>next<tr><td>1<td>2</table>"
    made = Result(f"{_STYLE}<table>{cells}", tmp_path)
    assert made.at("next")[0] < 45
    assert made.at("1")[1] == pytest.approx(90, abs=8)


def test_chinese_letters_stand_one_below_the_other(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<table><tr><th style='writing-mode: vertical-rl'>数量单位<th>x</table>", tmp_path)
    places = [made.at(each) for each in "数量单位"]
    assert [top for _, top in places] == sorted(top for _, top in places)
    assert max(left for left, _ in places) - min(left for left, _ in places) < 5
    assert made.warn.warnings == ()


@pytest.mark.parametrize("content", ["<p>a</p><p>b</p>", "縦書き ABC", "word " * 100])
def test_vertical_text_that_is_drawn_from_left_to_right_is_named(content: str, tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<style>.v {{ writing-mode: vertical-rl }}</style><div class=v>{content}</div>", tmp_path)
    assert "writing-mode" in made.messages("NOT_UNDERSTOOD")


def test_a_vertical_text_longer_than_the_page_is_wide_is_named(tmp_path: Path) -> None:
    text = "many words " * 15
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 90pt'>{text}</div>", tmp_path)
    assert made.messages("CSS_UNSUPPORTED") == "Vertical texts that are drawn from left to right: 1."
    assert made.messages("WIDTH_FITTED") == ""
    assert made.text.split() == text.split()
