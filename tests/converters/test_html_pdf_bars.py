"""Progress bars and gauges are drawn as far as they are filled."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.xhtml2pdf import engine
from engine.toolkit.warnings import Warn
from tests.converters.test_plutoprint import Result

_PAPER = (
    "<style>@page { margin: 0; size: 200pt 100pt } body { margin: 0 } .a { display: block; width: 200pt; height: 40pt }"
)
_BLUE, _GREEN, _YELLOW, _RED, _TRACK = (0, 117, 255), (16, 124, 16), (255, 185, 0), (216, 59, 1), (239, 239, 239)


@pytest.mark.parametrize(
    ("bar", "at", "colour"),
    [
        ("<progress class=a value=30 max=100>", 50, _BLUE),
        ("<progress class=a value=30 max=100>", 70, _TRACK),
        ("<progress class=a value=.3>thirty</progress>", 70, _TRACK),
        ("<progress class=a>", 10, _TRACK),
        ("<progress class=a value=x max=inf>", 10, _TRACK),
        ("<progress class=a value=9 max=3>", 190, _BLUE),
        ("<meter class=a value=.6>", 110, _GREEN),
        ("<meter class=a value=.6>", 130, _TRACK),
        ("<meter class=a min=0 max=10 low=3 high=8 optimum=9 value=2>", 30, _RED),
        ("<meter class=a min=0 max=10 low=3 high=8 optimum=9 value=5>", 30, _YELLOW),
        ("<meter class=a min=0 max=10 low=3 high=8 optimum=1 value=2>", 30, _GREEN),
        ("<meter class=a min=5 max=5 value=5>", 30, _TRACK),
    ],
)
def test_a_bar_is_filled_as_far_as_its_value(bar: str, at: int, colour: tuple[int, int, int], tmp_path: Path) -> None:
    result = Result(f"{_PAPER}</style>{bar}", tmp_path)
    assert result.pixel(at, 20) == colour
    assert result.warn.warnings == ()


def test_the_rules_of_a_page_style_its_bars(tmp_path: Path) -> None:
    rules = "progress::-webkit-progress-bar { background: #0f0 } progress::-webkit-progress-value { background: #f00 }"
    result = Result(f"{_PAPER}{rules}</style><progress class=a value=.5>", tmp_path)
    assert (result.pixel(50, 20), result.pixel(150, 20)) == ((255, 0, 0), (0, 255, 0))


def test_a_bar_that_the_other_library_does_not_draw_is_named(tmp_path: Path) -> None:
    warn = Warn()
    engine.render("<p>Text <progress value=1></progress>", tmp_path / "output.pdf", PageOptions(), warn)
    assert "A progress bar (<progress>) can't be printed" in str(warn.warnings[0].message)
