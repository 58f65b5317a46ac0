"""Flexible boxes and grids by xhtml2pdf: rows where that is simple, else one below the other, which is said."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.xhtml2pdf import engine
from engine.toolkit.warnings import Warn

ITEM = "<div>{}</div>"


def places(page: str, folder: Path, *words: str) -> tuple[list[tuple[int, int]], str]:
    """Where words begin on the first page of a PDF, in points from its left and bottom edge, and what was said."""
    warn = Warn()
    engine.render(page, folder / "output.pdf", PageOptions(), warn)
    with pypdfium2.PdfDocument(folder / "output.pdf") as document:
        text = document[0].get_textpage()
        whole = text.get_text_range()
        boxes = [text.get_charbox(whole.index(word)) for word in words]
    messages = "\n".join(each.message for each in warn.warnings if each.code == "CSS_UNSUPPORTED")
    return [(round(box[0]), round(box[1])) for box in boxes], messages


def test_items_of_a_row_stand_side_by_side_and_share_it(tmp_path: Path) -> None:
    items = "".join(f"<div style='flex: 1'>{word}</div>" for word in ("aa", "bb", "cc"))
    (one, two, three), messages = places(f"<div style='display: flex'>{items}</div>", tmp_path, "aa", "bb", "cc")
    assert one[1] == two[1] == three[1]
    assert two[0] - one[0] == pytest.approx(three[0] - two[0], abs=2)
    assert messages == ""


def test_an_item_is_as_wide_as_it_says(tmp_path: Path) -> None:
    page = "<div style='display: flex'><div style='width: 25%'>aa</div><div style='width: 75%'>bb</div></div>"
    (one, two), _ = places(page, tmp_path, "aa", "bb")
    assert two[0] - one[0] == pytest.approx(0.25 * (210 - 30) * 72 / 25.4, abs=4)


def test_the_last_item_is_at_the_right_where_the_space_is_between(tmp_path: Path) -> None:
    page = f"<div style='display: flex; justify-content: space-between'>{ITEM.format('aa')}{ITEM.format('bb')}</div>"
    (_, two), _ = places(page, tmp_path, "aa", "bb")
    assert two[0] > 500


@pytest.mark.parametrize(
    ("style", "named"),
    [
        ("display: grid; grid-template-columns: 1fr 2fr", "display: grid"),
        ("display: inline-grid", "display: inline-grid"),
        ("display: grid; grid-template-areas: 'a b' 'c d'", "display: grid"),
        ("display: flex; flex-wrap: wrap; width: 50pt", "display: flex"),
        ("display: flex; flex-direction: row-reverse", "display: flex"),
    ],
)
def test_what_is_placed_otherwise_stands_one_below_the_other_and_is_named(
    style: str, named: str, tmp_path: Path
) -> None:
    items = "".join(ITEM.format(word) for word in ("aa", "bb", "cc", "dd", "ee", "ff", "gg"))
    found, messages = places(f'<div style="{style}">{items}</div>', tmp_path, "aa", "bb", "gg")
    assert found[0][1] > found[1][1] > found[2][1]
    assert found[0][0] == found[1][0] == found[2][0]
    assert named in messages


def test_a_column_of_items_is_no_loss(tmp_path: Path) -> None:
    page = f"<div style='display: flex; flex-direction: column'>text {ITEM.format('aa')}{ITEM.format('bb')}</div>"
    found, messages = places(page, tmp_path, "text", "aa", "bb")
    assert found[0][1] > found[1][1] > found[2][1]
    assert messages == ""


@pytest.mark.parametrize("kind", ["grid", "flex"])
@pytest.mark.parametrize("box", ["", "background: #ffe; border: 2pt solid red; padding: 5pt"])
def test_what_does_not_fit_goes_on_on_the_next_pages(kind: str, box: str, tmp_path: Path) -> None:
    items = "".join(f"<div><p>n{at}</p>{'<p>more</p>' * 30}</div>" for at in range(6))
    engine.render(f"<div style='display: {kind}; {box}'>{items}</div>", tmp_path / "output.pdf", PageOptions(), Warn())
    with pypdfium2.PdfDocument(tmp_path / "output.pdf") as document:
        words = " ".join(page.get_textpage().get_text_range() for page in document).split()
    assert {f"n{at}" for at in range(6)} <= set(words)
    assert words.count("more") == 180


def test_bare_text_among_items_is_drawn(tmp_path: Path) -> None:
    found, _ = places(f"<div style='display: flex'>bare {ITEM.format('aa')} text</div>", tmp_path, "bare", "aa", "text")
    assert len(found) == 3


@pytest.mark.parametrize(
    ("style", "named"),
    [
        ("align-items: center", "align-items"),
        ("justify-content: center", "justify-content"),
        ("gap: 4px 8px", "gap"),
        ("order: 2", "order"),
        ("min-width: 40px", "min-width"),
        ("clear: both", "clear"),
        ("position: relative; top: 4px", "top"),
        ("inset: 4px", "inset"),
        ("background-size: cover", "background-size"),
    ],
)
def test_what_is_given_up_is_named(style: str, named: str, tmp_path: Path) -> None:
    _, messages = places(f"<p style='{style}'>aa</p>", tmp_path, "aa")
    assert named in messages
