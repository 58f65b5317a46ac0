"""Dotted and dashed borders that are too long are drawn solid, in time; others stay as they are."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pikepdf
import pytest

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.plutoprint import dashes
from engine.families.html_pdf.render import render
from engine.toolkit.warnings import Warn

DOTTED = "border:1px dotted red;border-radius:9px"
WIDE = "99999999px"
SECONDS = 5.0


def pdf_of(page: str, folder: Path) -> tuple[pikepdf.Pdf, list[str], float]:
    """The PDF of a page, the messages of its warnings, and the seconds of processor time that it took."""
    target, warn = folder / "page.pdf", Warn()
    started = time.process_time()
    render(page, target, PageOptions(), warn)
    return pikepdf.open(target), [each.message for each in warn.warnings], time.process_time() - started


def dashed_lines(pdf: pikepdf.Pdf) -> int:
    return sum(len(re.findall(rb"\[ ?[\d.]+[^\]]*\] [\d.]+ d\b", each.Contents.read_bytes())) for each in pdf.pages)


@pytest.mark.parametrize(
    "page",
    [
        f'<div style="{DOTTED};height:300000px">x</div>',
        f'<div style="{DOTTED};padding:200000px 0">x</div>',
        f'<style>:root{{--a:300000px}}div{{{DOTTED};min-height:var(--a)}}</style><div>x</div>',
        f'<div style="{DOTTED}">' + "<p>x" * 9_000 + "</div>",
        f'<div style="{DOTTED};padding:0 {WIDE}">x</div>',
        f'<div style="{DOTTED};width:calc(9999px*9999)">x</div>',
        f'<div style="{DOTTED};position:absolute;inset:0 -{WIDE} 0 0">x</div>',
        f'<div style="display:flex"><div style="{DOTTED};flex:0 0 {WIDE}">x</div></div>',
        f'<div style="{DOTTED};width:30000px">x</div>' * 300,
        f'<table border=1 style="{DOTTED}" width=99999999><td>x</table>',
    ],
    ids=["height", "padding", "variable", "content", "sides", "product", "inset", "basis", "many", "attribute"],
)  # fmt: skip
def test_borders_too_long_for_dots_are_solid(page: str, tmp_path: Path) -> None:
    pdf, said, seconds = pdf_of(page, tmp_path)
    assert not dashed_lines(pdf)
    assert "Dotted and dashed borders were drawn solid: they are too long." in said
    assert seconds < SECONDS


def test_many_short_borders_stay_dotted(tmp_path: Path) -> None:
    rows = "<tr><td style='border:1px dotted red'>x" * 400
    pdf, said, _ = pdf_of(f"<table>{rows}</table>", tmp_path)
    assert dashed_lines(pdf) >= 400
    assert len(pdf.pages) > 3
    assert not said


def test_only_styles_become_solid() -> None:
    page = '<style>.dotted{border:2px dotted red}</style><p class="dotted" style="outline:dashed">border: dotted</p>'
    assert dashes.solid(page) == page.replace("2px dotted", "2px solid").replace("outline:dashed", "outline:solid")
