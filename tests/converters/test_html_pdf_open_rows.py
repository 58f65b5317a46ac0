"""Pages break inside tall rows of layout tables, and rows of tables with data stay whole."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PrintOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_TABLE = '<table cellpadding="0" cellspacing="0" border="0"'
_HERO = '<div style="height:350px;background:#8af">Hero</div>'


def _words(name: str, count: int) -> str:
    return "".join(f"<p>{name}{at} and more words" for at in range(count))


def _mail(body: str, *, width: int = 500) -> str:
    return (
        f'<body style="margin:0">{_TABLE} width="100%"><tr><td align="center" valign="top">'
        f'{_TABLE} width="{width}"><tr><td>{_HERO}</td></tr>'
        f'<tr><td align="center" valign="top">{body}</td></tr>'
        f"<tr><td>{_words('foot', 6)}</td></tr></table></td></tr></table>"
    )


_ONE_COLUMN = _mail(
    f'{_TABLE} width="400" bgcolor="#ffeecc"><tr><td style="padding:10px">{_words("text", 20)}</td></tr></table>'
)
_TWO_COLUMNS = _mail(
    f'{_TABLE} width="480"><tr><td valign="top" width="240">{_words("left", 20)}</td>'
    f'<td valign="top" width="240">{_TABLE} width="100%"><tr><td>{_words("right", 18)}</td></tr></table></td>'
    "</tr></table>"
)
_SPACED = _mail(
    f'<table cellpadding="8" cellspacing="4" width="440" role="presentation"><tbody><tr><td><h2>Title</h2></td></tr>'
    f'<tr><td><table width="100%"><tr><td>{_words("deep", 18)}</td></tr></table></td></tr></tbody></table>'
)


class _Made:
    def __init__(self, page: str, folder: Path, **options: Any) -> None:
        self.warn, path = Warn(), folder / "page.pdf"
        render.render(page, path, PrintOptions(**options), self.warn)
        self.places: dict[str, tuple[int, float, float]] = {}
        with pypdfium2.PdfDocument(path) as document:
            self.pages = [each.get_textpage().get_text_range().split() for each in document]
            for number, each in enumerate(document):
                text = each.get_textpage()
                for word in self.pages[number]:
                    at = text.search(word, match_whole_word=True).get_next()
                    if at is not None:
                        left, bottom, _, _ = text.get_charbox(at[0])
                        self.places.setdefault(word, (number, left, bottom))

    @property
    def words(self) -> list[str]:
        return sorted(word for page in self.pages for word in page)


def _expected(page: str) -> list[str]:
    """The words of a page of elements that are blocks."""
    return sorted(re.sub(r"<[^>]*>", " ", page).split())


@pytest.mark.parametrize(
    ("page", "first", "last"),
    [(_ONE_COLUMN, "text0", "text19"), (_TWO_COLUMNS, "left0", "left19"), (_SPACED, "deep0", "deep17")],
)
def test_a_tall_row_of_a_layout_table_begins_on_the_page_where_it_has_room(
    page: str, first: str, last: str, tmp_path: Path
) -> None:
    made = _Made(page, tmp_path)
    assert len(made.pages) == 2
    assert (made.places[first][0], made.places[last][0]) == (0, 1)
    assert made.words == _expected(page)
    assert not made.warn.warnings


@pytest.mark.parametrize("height", range(760, 960, 25))
def test_the_padding_of_a_cell_within_counts_as_its_height(height: int, tmp_path: Path) -> None:
    inner = f'{_TABLE} width="400"><tr><td style="padding:45px"><p>first</p><div style="height:{height - 90}px"></div>'
    text = f"{inner}<p>last</p></td></tr></table>"
    page = f'<body style="margin:0">{_TABLE}><tr><td><p>head</p></td></tr><tr><td>{text}</td></tr></table>'
    assert _Made(page, tmp_path).places["first"][0] == 0


def test_the_content_of_a_row_that_breaks_stays_where_it_was_across(tmp_path: Path) -> None:
    paper = {"page_size": "A3", "margin": "20mm"}
    one = _Made(_ONE_COLUMN, tmp_path)
    width = 841.89 - 2 * 56.69
    # The table of 400 pixels is in the middle, and has a padding of 10.
    whole = _Made(_ONE_COLUMN, tmp_path, **paper)
    assert len(whole.pages) == 1
    assert whole.places["text0"][1] == pytest.approx(56.69 + width / 2 - 142.5, abs=1)
    middle = 595.28 / 2
    assert one.places["text0"][1] == pytest.approx(middle - 142.5, abs=1)
    assert one.places["text19"][1] == one.places["text0"][1]
    two = _Made(_TWO_COLUMNS, tmp_path)
    assert two.places["left0"][1] == pytest.approx(middle - 180, abs=1)
    assert two.places["right0"][1] == pytest.approx(middle, abs=1)
    assert two.places["left0"][2] == pytest.approx(two.places["right0"][2], abs=2)


@pytest.mark.parametrize("head", ["<tr><th>Item<th>Notes<th>Price</tr>", ""])
def test_rows_of_an_invoice_stay_whole(head: str, tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>item{at}<td>{_words(f'row{at}x', 9)}<td>{at}.00</tr>" for at in range(4))
    made = _Made(_mail(f'{_TABLE} width="480">{head}{rows}</table>'), tmp_path)
    for at in range(4):
        assert len({made.places[f"row{at}x{each}"][0] for each in range(9)}) == 1


def test_a_row_that_must_not_break_stays_whole(tmp_path: Path) -> None:
    made = _Made(f"<style>tr{{page-break-inside:avoid}}</style>{_ONE_COLUMN}", tmp_path)
    assert made.places["text0"][0] == 1


@pytest.mark.parametrize(
    ("page", "layouts"),
    [
        (_words("word", 90), 1),
        (f"<table>{''.join(f'<tr><td>a{at}<td>b{at}' for at in range(90))}</table>", 1),
        (f"{_TABLE}><tr><td>{_TABLE}>{''.join(f'<tr><td>a{at}</td></tr>' for at in range(90))}</table></table>", 1),
        (_ONE_COLUMN, 3),
    ],
)
def test_only_pages_with_gaps_are_laid_out_again(
    page: str, layouts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("engine.families.html_pdf.plutoprint.layouts")
    laid, number = module.laid_out, []

    def counted(*args: Any, **named: Any) -> Any:
        number.append(1)
        return laid(*args, **named)

    monkeypatch.setattr(module, "laid_out", counted)
    assert len(_Made(page, tmp_path).pages) > 1
    assert len(number) == layouts
