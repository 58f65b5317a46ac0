"""Text that has no room ends with dots where a page's styles say so, as in browsers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.families.html_pdf.options import PrintOptions
from engine.families.html_pdf.render import render
from engine.toolkit.warnings import Warn
from tests.converters.test_plutoprint import Result

_STYLE = (
    "@page { margin: 0; size: 400pt 300pt } body { margin: 0; font: 20px/24px 'Liberation Mono' }"
    ".dots { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; width: 122px }"
    ".lines { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;"
    "width: 122px }"
)
"""Ten letters of 12 pixels fit a line."""


def _drawn(body: str, folder: Path) -> list[str]:
    return Result(f"<style>{_STYLE}</style>{body}", folder).text.split("\n")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<div class=dots>abcdefghijkl</div>", ["abcdefghi…"]),
        ("<div class=dots>abcdefghij</div>", ["abcdefghij"]),
        ("<div class=dots>abc <b>defgh<i>ijkl</i> mno</b> pqr</div>", ["abc defgh…"]),
        ("<div class=dots>ab <b>cd</b> efgh ijklm</div>", ["ab cd efg…"]),
        ("<div class=dots style='text-align:right'>abcdefghijkl</div>", ["abcdefghi…"]),
        ("<div class=dots style='width: 146px; box-sizing: border-box; padding: 0 12px'>abcdefghijkl</div>",
         ["abcdefghi…"]),
        ("<div style='display: flex; width: 182px'>abcde"
         "<p class=dots style='flex: 1; width: 0; margin: 0'>fghijklmnop</p></div>",
         ["abcdefghijklmn…"]),
        ("<table style='table-layout: fixed; width: 122px' cellspacing=0 cellpadding=0>"
         "<td class=dots>abcdefghijkl</table>",
         ["abcdefghi…"]),
        ("<div class=lines>one two three four five six</div>", ["one two", "three…"]),
        ("<div class=lines>one two three four</div>", ["one two", "three four"]),
        ("<div class=lines><p style='margin: 0'>one <b>two three</b> four five</p>six</div>", ["one two", "three…"]),
        ("<div class=lines style='-webkit-line-clamp: 1'>one two three</div>", ["one…"]),
        ("<div class=lines style='-webkit-line-clamp: 1'><div class=lines>one <b>two three</b> <b>four five</b> six"
         "</div></div>",
         ["one …"]),
    ],
)  # fmt: skip
def test_text_ends_with_dots_where_there_is_no_room(body: str, shown: list[str], tmp_path: Path) -> None:
    assert _drawn(body, tmp_path) == shown


def test_lines_that_no_rule_cuts_are_whole(tmp_path: Path) -> None:
    body = "<div class=lines style='-webkit-box-orient: horizontal'>one two three four five six</div>"
    assert "six" in _drawn(body, tmp_path)[-1]


def test_the_words_that_dots_stand_for_are_counted(tmp_path: Path) -> None:
    warn = Warn()
    page = f"<style>{_STYLE}</style><div class=lines>one two three four five six</div>"
    render(page, tmp_path / "output.pdf", PrintOptions(), warn)
    assert [str(each.message) for each in warn.warnings] == ["Words missing from the pages: 3 (“four five six”)."]


def test_a_box_of_very_many_elements_is_cut_in_the_time_for_its_lines(tmp_path: Path) -> None:
    page = f"<style>{_STYLE}</style><div class=lines>" + "<b>w</b> x " * 8_000
    begun = time.process_time()
    render(page, tmp_path / "output.pdf", PrintOptions(), Warn())
    assert time.process_time() - begun < 3


def test_a_line_longer_than_the_paper_is_wide_ends_in_dots(tmp_path: Path) -> None:
    style = "width: 200px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis"
    made = Result(f"<div style='{style}'>Many words {'of a long text ' * 12}</div>", tmp_path)
    assert made.text.startswith("Many words of a long text")
    assert made.text.endswith("…")
    assert len(made.text) < 40
