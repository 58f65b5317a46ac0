"""Shadows around boxes are drawn as in browsers, and the others are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.html_pdf.plutoprint import box_shadows
from tests.converters.test_plutoprint import Result

_PAPER = (
    "<style>@page { margin: 0; size: 300pt 200pt } body { margin: 0 }"
    ".a { position: absolute; left: 75pt; top: 75pt; width: 75pt; height: 37.5pt }</style>"
)
"""A box of 100 to 50 pixels at 100 pixels from both edges."""
_WHITE = (255, 255, 255)


def _made(style: str, folder: Path, body: str = "<div class=a></div>") -> Result:
    return Result(f"{_PAPER}<style>.a {{ {style} }}</style>{body}", folder)


def test_a_shadow_without_blur_is_beside_the_box_and_not_in_it(tmp_path: Path) -> None:
    made = _made("box-shadow: 8px 8px 0 red", tmp_path)
    assert made.pixel(153, 100) == made.pixel(110, 115) == (255, 0, 0)
    assert made.pixel(78, 114) == made.pixel(72, 90) == made.pixel(110, 90) == _WHITE
    assert made.warn.warnings == ()


def test_a_blurred_shadow_fades_and_is_half_as_dark_at_the_edge(tmp_path: Path) -> None:
    made = _made("box-shadow: 0 0 24px #000", tmp_path)
    tones = [made.pixel(150 + at, 93)[0] for at in (0, 4, 8, 12, 16)]
    assert tones == sorted(tones)
    assert 120 <= tones[0] <= 160
    assert tones[-1] > 245
    assert made.pixel(110, 90) == _WHITE


def test_several_shadows_are_drawn_around_a_border(tmp_path: Path) -> None:
    made = _made("border: 4px solid lime; box-shadow: 0 0 0 4px red, 0 0 0 8px blue", tmp_path)
    assert [made.pixel(at, 93) for at in (76, 73, 70, 66)] == [(0, 255, 0), (255, 0, 0), (0, 0, 255), _WHITE]


def test_a_box_in_the_flow_keeps_its_place(tmp_path: Path) -> None:
    flow = "<div style='margin: 20pt; box-shadow: 2px 2px 4px #000'>one</div><p>two"
    plain = flow.replace("box-shadow", "x-shadow")
    places = [[Result(each, tmp_path).at(word) for word in ("one", "two")] for each in (flow, plain)]
    assert [at for pair in places[0] for at in pair] == pytest.approx(
        [at for pair in places[1] for at in pair], abs=0.1
    )


@pytest.mark.parametrize(
    ("style", "body"),
    [
        ("box-shadow: inset 0 0 5px red", "<div class=a></div>"),
        ("box-shadow: 0 0 5px red; overflow: hidden", "<div class=a></div>"),
        ("box-shadow: 0 0 5px red", "<table><tr><td class=a>cell</table>"),
        ("box-shadow: 0 0 5px red", "<style>p:last-child { color: red }</style><div class=a><p>text</div>"),
        ("box-shadow: 0 0 5px var(--none)", "<div class=a></div>"),
    ],
)
def test_a_shadow_that_is_not_drawn_is_named(style: str, body: str, tmp_path: Path) -> None:
    assert "box-shadow" in _made(style, tmp_path, body).messages("NOT_UNDERSTOOD")


def test_shadows_beyond_a_number_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_shadows, "MOST", 1)
    made = _made("box-shadow: 0 0 5px red", tmp_path, "<div class=a></div>" * 3)
    assert made.messages("NOT_UNDERSTOOD") == "Styles have no effect here: 2 (box-shadow, …)."
