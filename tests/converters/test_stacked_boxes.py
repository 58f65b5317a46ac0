"""Columns of flex boxes look the same once they are laid out as rows of one box."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.plutoprint import exponential_layout, stacked_boxes
from engine.families.html_pdf.render import render
from engine.toolkit.warnings import Warn

_STYLE = "<!DOCTYPE html><style>.c{display:flex;flex-direction:column}</style>"
_TEXT = "Some words that go on, so that they need more than one line of a page to be shown. " * 3
SAME = {
    "margins": f"<div class=c><p>a<p>{_TEXT}</p><div class=c><h2>h</h2><p>{_TEXT}</div><ul><li>x</ul></div><p>after",
    "padding and borders": "<div class=c style='padding:10px;border:2px solid'>"
    f"<div style='padding:5px;margin:7px;border:1px solid'>{_TEXT}</div><div class=c style='margin:3px 9px'><p>b</div>",
    "border boxes": "<style>*{box-sizing:border-box}</style><div class=c style='padding:10px'>"
    f"<div style='padding:5px;margin:7px;border:1px solid'>{_TEXT}</div></div>",
    "gaps": f"<div class=c style='gap:12px 30px'><p>a<p>{_TEXT}<p>c</div>",
    "tables": "<div class=c><table style='width:100%' border=1><tr><td>a<td>b</table><table><tr><td>x</table></div>",
    "inline elements": f"<div class=c><span>one</span><b>two</b><a href='https://example.org'>{_TEXT}</a></div>",
    "from right to left": f"<div class=c dir=rtl><p>a</p><div class=c><p>{_TEXT}<p>b</div></div>",
    "centred text": f"<div class=c style='text-align:center'><p>a</p><div class=c><p>{_TEXT}<p>b</div></div>",
    "rows in columns": "<div class=c><div style='display:flex;justify-content:space-between'><p>a<p>b</div></div>",
    "negative margins": f"<div class=c><p>a<p style='margin:-10px -20px'>{_TEXT}<p>b</div>",
    "heights": f"<div class=c><div style='height:40px'>{_TEXT}</div><div style='max-height:9px'>b</div><p>c</div>",
    "as wide as the column": f"<div class=c><div style='width:100%;margin:5px;padding:4px'>{_TEXT}</div></div>",
    "an order": "<div class=c><p style='order:2'>a<p>b<p style='order:-1'>c</div>",
    "growing boxes": f"<div class=c><div style='flex:1'>{_TEXT}</div><div style='flex:auto'>b</div></div>",
    "boxes moved": "<div class=c><p>a<p style='position:relative;top:4px'>b<p>c</div>",
    "one box in a cell": f"<table border=1><tr><td><div class=c><p>{_TEXT}</div><td>b</table>",
}
DIFFERENT = {
    "texts": "<div class=c>text<p>a</div>",
    "narrow boxes": "<div class=c><p style='width:50%'>a<p>b</div>",
    "boxes that shrink": "<div class=c style='align-items:center'><p>a<p>b</div>",
    "a box that shrinks": "<div class=c><p style='align-self:flex-end'>a<p>b</div>",
    "automatic margins": "<div class=c><p style='margin:0 auto'>a<p>b</div>",
    "a height": "<div class=c style='height:300px;justify-content:center'><p>a<p>b</div>",
    "pictures": "<div class=c><img src='data:,' alt=a><p>b</div>",
    "boxes out of the flow": "<div class=c><p>a<p style='position:absolute'>b</div>",
    "several boxes in a cell": f"<table border=1><tr><td><div class=c><p>{_TEXT}<p>b</div><td>b</table>",
    "several boxes in a row": "<div style='display:flex'><div class=c><p>a<p>b</div></div>",
    "boxes made by a style": "<style>.c::before{content:'a'}</style><div class=c><p>b</div>",
    "a column on narrow screens": "<style>@media(min-width:900px){.c{flex-direction:row}}</style>"
    "<div class=c><p>a<p>b</div>",
    "perhaps a row": "<style>.r{flex-direction:row}</style><div class='c r'><p>a<p>b</div>",
}


def _drawn(page: str, target: Path) -> bytes:
    render(_STYLE + page, target, PageOptions(), Warn())
    return target.read_bytes()


@pytest.mark.parametrize("name", SAME)
def test_a_stacked_column_looks_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _drawn(SAME[name], tmp_path / "before.pdf")
    monkeypatch.setattr(exponential_layout, "CHEAP_LAYOUTS", 0)
    found: list[int] = []
    stack = stacked_boxes.stack

    def counted(*given: object, **named: object) -> object:
        made = stack(*given, **named)  # type: ignore[arg-type]
        found.append(len(made))
        return made

    monkeypatch.setattr(stacked_boxes, "stack", counted)
    assert _drawn(SAME[name], tmp_path / "after.pdf") == before
    assert found == [SAME[name].count("class=c")]


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_column_that_would_look_different_stays(name: str) -> None:
    root = html.document_fromstring(_STYLE + DIFFERENT[name])
    sheets = [each.text or "" for each in root.iter("style")]
    styled = [(each, each.get("style") or "") for each in root.iter() if each.get("style")]
    assert stacked_boxes.stack(root, styled, sheets, media="print") == set()
