"""Boxes with a ratio of their sides are as high as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.html_pdf.plutoprint import aspect_ratios
from tests.converters.test_plutoprint import Result

_PAPER = "<style>@page { margin: 0; size: 400pt 400pt } body { margin: 0 } .a { background: red }</style>"
_DRAWING = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' preserveAspectRatio='none'%3E%3Crect width='9' height='9' fill='red'/%3E%3C/svg%3E"  # noqa: E501
_RED = (255, 0, 0)


def _size(style: str, body: str, folder: Path) -> tuple[int, int]:
    """The width and height of what is red at the top left, in points."""
    made = Result(f"{_PAPER}<style>{style}</style>{body}", folder)
    assert made.warn.warnings == ()
    across = next(x for x in range(400) if made.pixel(x, 2) != _RED)
    return across, next(y for y in range(400) if made.pixel(2, y) != _RED)


@pytest.mark.parametrize(
    ("style", "body", "size"),
    [
        (".a { width: 160pt; aspect-ratio: 16 / 9 }", "<div class=a></div>", (160, 90)),
        (".a { width: 50%; aspect-ratio: 2 }", "<div class=a></div>", (200, 100)),
        ("main { width: 75% } .a { aspect-ratio: 3/1 }", "<main><div class=a></div></main>", (300, 100)),
        (".a { height: 50pt; aspect-ratio: 3 }", "<div class=a></div>", (150, 50)),
        ("main { display: flex } .a { flex: 0 0 25%; aspect-ratio: 1 }", "<main><div class=a></div></main>",
         (100, 100)),
        ("main { display: grid; grid-template-columns: 1fr 3fr } .a { aspect-ratio: auto 1 / 2 }",
         "<main><div class=a></div><p></main>", (100, 200)),
        (".b { width: 50%; aspect-ratio: 4 } img { width: 100%; height: 100%; display: block; object-fit: cover }",
         f'<div class=b><img src="{_DRAWING}"></div>', (200, 50)),
        ("img { width: 25%; aspect-ratio: 2; object-fit: fill; display: block }", f'<img src="{_DRAWING}">', (100, 50)),
        (".a { width: 100pt; height: 20pt; aspect-ratio: 1 }", "<div class=a></div>", (100, 20)),
    ],
)  # fmt: skip
def test_a_ratio_gives_the_other_side(style: str, body: str, size: tuple[int, int], tmp_path: Path) -> None:
    assert _size(style, body, tmp_path) == pytest.approx(size, abs=2)


def test_a_box_grows_with_its_text(tmp_path: Path) -> None:
    style = ".a { width: 100pt; aspect-ratio: 4; font: 20pt / 25pt serif; color: red }"
    assert _size(style, f"<div class=a>{'word ' * 12}</div>", tmp_path)[1] > 60


def test_boxes_whose_width_is_unknown_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aspect_ratios, "MOST", 1)
    made = Result("<style>div { aspect-ratio: 2 }</style><div></div><div></div><div></div>", tmp_path)
    assert made.messages("NOT_UNDERSTOOD") == "Styles have no effect here: 2 (aspect-ratio, …)."
