"""Drawings whose markers, paints and references multiply are refused early, however they are declared."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.families.html_pdf.plutoprint.drawing import draw
from engine.families.images import svg
from engine.toolkit.failures import ConversionError, OverLimit
from engine.toolkit.warnings import Warn

LEAF = '<marker id="a0"><path d="M0 0h9"/></marker>'
LINE = f'd="M0 0{"h1" * 9}"'
MARK = f'<marker id="m">{"<path/>" * 100}</marker>'
LONG = f'd="M0 0{"h1" * 50_000}"'
NESTED = LEAF + "".join(
    f'<marker id="a{at}"><path marker-mid="url(#a{at - 1})" {LINE}/></marker>' for at in range(1, 10)
)
STOPS = f'<linearGradient id="g">{"<stop/>" * 2_000}</linearGradient>'
SHAPES = '<path d="M0 0h9v9"/>' * 2_000


def drawing(body: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{body}</svg>'


@pytest.mark.parametrize(
    "body",
    [
        f'{NESTED}<path marker-mid="url(#a9)" {LINE}/>',
        f"<style>.a{{marker-mid:url(#m)}}</style>{MARK}<path class='a' {LONG}/>",
        f'{MARK}<g marker="url(#m)"><polyline points="{"1 1 " * 50_000}"/></g>',
        f'{STOPS}<g fill="url(#g)">{SHAPES}</g>',
        f"<style>path{{stroke:url(#h)}}</style>{STOPS}<radialGradient id='h' href='#g'/>{SHAPES}",
        f'<pattern id="p"><rect fill="url(#g)"/></pattern>{STOPS}<g fill="url(#p)">{SHAPES}</g>',
    ],
    ids=["nested markers", "markers by a rule", "markers of a group", "stops", "stops of another", "stops in patterns"],
)
def test_what_multiplies_in_a_drawing_is_refused_before_it_is_drawn(body: str) -> None:
    started = time.process_time()
    with pytest.raises(OverLimit) as raised:
        svg.cleaned(drawing(body).encode(), Warn())
    assert raised.value.reason == "timeout"
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "links",
    ['<{name} id="u{at}" href="#u{before}"/>'.replace("{name}", name) for name in ("use", "linearGradient")],
    ids=["uses", "gradients"],
)
def test_chains_of_references_are_refused(links: str) -> None:
    chain = "".join(links.format(at=at, before=at - 1) for at in range(1, 2_000))
    end = '<rect width="9" height="9" fill="url(#u1999)"/>' if "Gradient" in links else '<use href="#u1999"/>'
    with pytest.raises(ConversionError, match="nested more than"):
        svg.cleaned(drawing('<g id="u0"/>' + chain + end).encode(), Warn())


def test_arrowheads_gradients_and_repeated_symbols_are_none_too_many() -> None:
    arrows = '<marker id="m"><path d="M0 0h9v9"/></marker><path marker-end="url(#m)" d="M0 0L9 9"/>'
    shapes = '<linearGradient id="h"><stop/><stop/></linearGradient><g fill="url(#h)">' + SHAPES + "</g>"
    symbol = '<symbol id="s"><rect/><rect/></symbol>' + '<use href="#s"/>' * 5_000
    itself = '<marker id="i"><path marker-end="url(#i)" d="M0 0h9"/></marker><path marker-end="url(#i)" d="M0 0h9"/>'
    svg.cleaned(drawing(arrows + shapes + symbol + itself).encode(), Warn())


def test_clipping_paths_that_are_drawn_as_masks_are_counted(tmp_path: Path) -> None:
    clip = '<clipPath id="c"><circle r="900"/><circle r="800"/></clipPath>'
    clipped = '<rect width="1000" height="1000" clip-path="url(#c)"/>'
    large = drawing(f"{clip}{clipped * 300}").replace('"100"', '"1000"', 2).encode()
    started = time.process_time()
    with pytest.raises(OverLimit) as raised:
        draw(large, (750.0, 750.0), tmp_path / "drawing.pdf", Warn())
    assert raised.value.reason == "limit"
    assert time.process_time() - started < 2


def test_clipping_paths_of_one_shape_take_no_masks(tmp_path: Path) -> None:
    clip = '<clipPath id="c"><circle r="900"/></clipPath>'
    clipped = '<rect width="1000" height="1000" clip-path="url(#c)"/>'
    draw(drawing(f"{clip}{clipped * 2_000}").encode(), (750.0, 750.0), tmp_path / "drawing.pdf", Warn())
