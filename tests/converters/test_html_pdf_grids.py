"""CSS grids and flex containers as tables, which xhtml2pdf makes of them: where their items are, and that none is lost.

How they are aligned in their columns, and how tall rows are, only the other engine owes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.xhtml2pdf import engine as render
from conversions.toolkit.warnings import Warn

PAGE = "<style>@page { size: 300pt 400pt; margin: 0 } body { margin: 0; font-size: 10pt } .g { display: grid }</style>"


class Sheet:
    """A page of 300 points by 400; `at` has every word's left edge and its line's top, from the page's top."""

    def __init__(self, html: str, folder: Path) -> None:
        self.warn = Warn()
        target = folder / "output.pdf"
        render.render(PAGE + html, target, PageOptions(), self.warn, title=None)
        self.at: dict[str, tuple[int, int]] = {}
        self.words: list[str] = []
        with pypdfium2.PdfDocument(target) as document:
            self.pages = len(document)
            for number, page in enumerate(document):
                for word, left, top in words_of(page.get_textpage()):
                    self.words.append(word)
                    self.at.setdefault(word, (round(left), round(400 * (number + 1) - top)))

    def lefts(self, *words: str) -> list[int]:
        return [self.at[word][0] for word in words]

    def rows(self) -> list[list[str]]:
        """The words by line, from the top, each from the left."""
        tops = sorted({top for _, top in self.at.values()})
        lines = [[word for word, (_, y) in self.at.items() if y == top] for top in tops]
        return [sorted(line, key=lambda word: self.at[word][0]) for line in lines]

    def said(self) -> str:
        return "\n".join(each.message for each in self.warn.warnings)


def words_of(text: pypdfium2.PdfTextPage) -> Iterator[tuple[str, float, float]]:
    """Every word with its left edge and its top: letters that follow each other closely on one line."""
    word, begun, end, line = "", 0.0, 0.0, 0.0
    for at in range(text.count_chars()):
        letter = text.get_text_range(at, 1)
        left, _, right, top = text.get_charbox(at, loose=True)
        if word and (letter.isspace() or abs(top - line) > 1 or not -1 < left - end < 1):
            yield word, begun, line
            word = ""
        if not letter.isspace():
            begun, line = (begun, line) if word else (left, top)
            word, end = word + letter, right
    if word:
        yield word, begun, line


def items(*texts: str) -> str:
    return "".join(f"<div>{text}</div>" for text in texts)


@pytest.mark.parametrize(
    ("columns", "lefts"),
    [
        ("1fr 1fr 1fr", [0, 100, 200]),
        ("1fr 2fr 1fr", [0, 75, 225]),
        ("repeat(3, 1fr)", [0, 100, 200]),
        ("60pt 1fr 2fr", [0, 60, 140]),
        ("20% 30% auto", [0, 60, 150]),
        ("[a] 30pt [b c] 30pt 1fr [d]", [0, 30, 60]),
        ("minmax(0, 1fr) minmax(60pt, 90pt) 60pt", [0, 150, 240]),
        ("repeat(auto-fill, 100pt)", [0, 100, 200]),
        ("repeat(auto-fit, minmax(80pt, 1fr))", [0, 100, 200]),
        ("400pt 400pt 400pt", [0, 100, 200]),  # what is too wide for the page shrinks
    ],
)
def test_columns_are_as_wide_as_they_say(columns: str, lefts: list[int], tmp_path: Path) -> None:
    sheet = Sheet(f"<div class=g style='grid-template-columns: {columns}'>{items('a', 'b', 'c')}</div>", tmp_path)
    assert sheet.lefts("a", "b", "c") == lefts
    assert not sheet.warn.warnings


def test_a_column_is_as_wide_as_what_is_in_it(tmp_path: Path) -> None:
    sheet = Sheet(
        "<div class=g style='grid-template-columns: max-content 1fr; gap: 5pt'>"
        f"{items('wwwwwwwwww', 'a', 'b', 'c ' * 200)}</div>",
        tmp_path,
    )
    width = sheet.at["a"][0]
    assert 60 < width < 100
    assert width == sheet.at["c"][0]
    long_word = Sheet(
        f"<div class=g style='grid-template-columns: 1fr 1fr; gap: 5pt'>{items('w' * 30, 'a')}</div>", tmp_path
    )
    assert long_word.at["a"][0] > 200


def test_items_fill_row_after_row_with_the_gaps_between(tmp_path: Path) -> None:
    sheet = Sheet(
        f"<div class=g style='grid-template-columns: 1fr 1fr; gap: 20pt 40pt'>{items(*'abcde')}</div>", tmp_path
    )
    assert sheet.rows() == [["a", "b"], ["c", "d"], ["e"]]
    assert sheet.lefts("a", "b") == pytest.approx([0, 190], abs=1)
    line = sheet.at["c"][1] - sheet.at["a"][1]
    assert sheet.at["e"][1] - sheet.at["c"][1] == pytest.approx(line, abs=2)
    assert line > 30


@pytest.mark.parametrize(
    ("style", "rows"),
    [
        ("grid-column: span 2", [["a", "b"], ["c", "d", "e"]]),
        ("grid-column: 1 / -1", [["a"], ["b"], ["c", "d", "e"]]),
        ("grid-column: 3", [["a", "b"], ["c", "d", "e"]]),
        ("grid-column: 3 / span 1", [["a", "b"], ["c", "d", "e"]]),
        ("grid-column-start: 1", [["a"], ["b", "c", "d"], ["e"]]),
        ("grid-column: 2 / 99", [["a", "b"], ["c", "d", "e"]]),
        ("order: -1", [["b", "a", "c"], ["d", "e"]]),
        ("order: 1", [["a", "c", "d"], ["e", "b"]]),
        ("display: none", [["a", "c", "d"], ["e"]]),
    ],
)
def test_an_item_is_where_it_asks_to_be(style: str, rows: list[list[str]], tmp_path: Path) -> None:
    html = f"<div class=g style='grid-template-columns: repeat(3, 1fr)'><div>a</div><div style='{style}'>b</div>"
    sheet = Sheet(html + items(*"cde") + "</div>", tmp_path)
    assert sheet.rows() == rows
    assert not sheet.warn.warnings


def test_named_areas_put_items_into_their_places(tmp_path: Path) -> None:
    areas = '"head head" "side main" "foot foot"'
    parts = "".join(f"<div style='grid-area: {name}'>{name}</div>" for name in ("foot", "main", "head", "side"))
    sheet = Sheet(
        f"<style>.g {{ grid-template-areas: {areas}; grid-template-columns: 90pt 1fr }}</style>"
        f"<div class=g>{parts}</div>",
        tmp_path,
    )
    assert sheet.rows() == [["head"], ["side", "main"], ["foot"]]
    assert sheet.lefts("side", "main") == [0, 90]


def test_empty_items_and_bare_text_have_their_places(tmp_path: Path) -> None:
    sheet = Sheet("<div class=g style='grid-template-columns: 1fr 1fr 1fr'><div></div>bare<b>c</b></div>", tmp_path)
    assert sheet.lefts("bare", "c") == [100, 200]


def test_a_grid_in_a_page_from_right_to_left_begins_at_the_right(tmp_path: Path) -> None:
    html = f"<div class=g style='grid-template-columns: 100pt 1fr'>{items('a', 'b')}</div>"
    sheet = Sheet(f"<html dir=rtl><body>{html}", tmp_path)
    assert sheet.at["a"][0] > 200 > sheet.at["b"][0]


@pytest.mark.parametrize("kind", ["grid", "flex"])
@pytest.mark.parametrize("box", ["", "background: #ffe; border: 2pt solid red; padding: 5pt"])
def test_what_does_not_fit_goes_on_on_the_next_pages(kind: str, box: str, tmp_path: Path) -> None:
    style = "display: grid; grid-template-columns: 1fr 1fr" if kind == "grid" else "display: flex; flex-wrap: wrap"
    cells = "".join(f"<div style='width: 120pt'>n{at} {'word ' * (at % 20)}</div>" for at in range(500))
    sheet = Sheet(f"<div style='{style}; gap: 4pt; {box}'>{cells}</div>", tmp_path)
    assert sheet.pages > 10
    assert sorted(word for word in sheet.words if word[0] == "n") == sorted(f"n{at}" for at in range(500))
    assert sheet.words.count("word") == sum(at % 20 for at in range(500))
    assert {left for word, (left, _) in sheet.at.items() if word[0] == "n"} == set(sheet.lefts("n0", "n1"))


@pytest.mark.parametrize(
    "style",
    ["grid-template-rows: 90pt 90pt", "grid-auto-rows: 90pt", "grid-template-columns: subgrid",
     "grid-template-columns: calc(1px + 1em) 1fr", "grid-auto-flow: column", "justify-items: end",
     "place-items: start end"],
)  # fmt: skip
def test_what_a_grid_loses_is_named(style: str, tmp_path: Path) -> None:
    sheet = Sheet(f"<style>.g {{ {style} }}</style><div class=g>{items(*'ab')}</div>", tmp_path)
    assert style.partition(":")[0] in sheet.said()
    assert {"a", "b"} <= set(sheet.at)


@pytest.mark.parametrize(
    "style",
    ["grid-template-rows: auto 1fr", "grid-auto-flow: row dense", "grid-auto-rows: min-content",
     "grid-template-columns: none", "justify-items: stretch", "grid-gap: 3px", "grid-template: auto / 1fr 1fr"],
)  # fmt: skip
def test_what_a_grid_does_anyway_is_not_reported(style: str, tmp_path: Path) -> None:
    sheet = Sheet(f"<style>.g {{ {style} }}</style><div class=g>{items(*'ab')}</div>", tmp_path)
    assert not sheet.warn.warnings


@pytest.mark.parametrize(
    "box",
    ["border: 1px solid", "background: #eee", "display: flex; border: 1px solid", "padding: 2px"],
)
@pytest.mark.parametrize("item", ["width: 34%", "width: 34%; max-width: 100%", "width: 102pt", "flex: 0 0 34%"])
def test_a_box_in_an_item_is_as_wide_as_the_item(item: str, box: str, tmp_path: Path) -> None:
    html = f"<div style='display: flex'><div style='{item}'><div style='{box}'><div>text in a box</div></div></div>"
    sheet = Sheet(f"{html}<div style='{item}'>beside</div></div>", tmp_path)
    assert len({top for word, (_, top) in sheet.at.items() if word != "beside"}) == 1
    assert sheet.at["beside"][0] == 102


def test_an_item_that_is_a_container_is_as_wide_as_it_says(tmp_path: Path) -> None:
    html = "<div style='display: flex; width: 50%'><div style='width: 50%'>a</div><div>b</div></div><div>c</div>"
    sheet = Sheet(f"<div style='display: flex'>{html}</div>", tmp_path)
    assert sheet.lefts("a", "b", "c") == [0, 75, 150]
