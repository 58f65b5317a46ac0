"""Values that a style sheet gives to many elements are counted for each of them, before the page is laid out."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.render import render
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn
from tests.converters.test_drawing_expansion import LINE, NESTED, drawing

BLUE = "linear-gradient(red,blue)"
MARKERS = drawing(f'{NESTED}<path marker-mid="url(#a9)" {LINE}/>')
URI = data_uri("image/svg+xml", MARKERS.encode())
MARK = f'<marker id="m">{"<rect/>" * 100}</marker>'
LONG = f'<path d="M0 0{"h1" * 9_999}"/>'
RULE = "<style>path{marker-mid:url(#m)}</style>"
STYLED = data_uri("image/svg+xml", drawing(RULE + MARK + LONG).encode())
WORDS = "word " * 4_000


@pytest.mark.parametrize(
    "page",
    [
        f"<style>p{{background:{','.join([BLUE] * 500)}}}</style>{'<p>x</p>' * 2_000}",
        f"<style>p::after{{content:'';background:{','.join([BLUE] * 500)}}}</style>{'<p>x</p>' * 2_000}",
        f"<style>p{{background:linear-gradient({','.join(['red', 'blue'] * 1_500)})}}</style>{'<p>x</p>' * 2_500}",
        f"<style>i::before{{content:'{WORDS}'}}</style>{'<i></i>' * 2_000}",
        f"<style>i::before{{content:{'counter(a) ' * 2_000}}}</style>{'<i></i>' * 2_000}",
        f"<style>i::before{{content:{'attr(title) ' * 2_000}}}</style><i title='{WORDS}'></i><b></b>",
        MARKERS,
        f"<img src='{URI}'>",
        f"<style>p{{background:url({URI})}}</style><p>x</p>",
        f"<style>p{{background:url({STYLED})}}</style><p>x</p>",
        RULE + drawing(MARK) + drawing(LONG),
    ],
    ids=[
        "layers", "layers after", "stops", "texts", "counters", "attributes", "markers", "picture", "background",
        "styled background", "markers of another drawing",
    ],
)  # fmt: skip
def test_values_that_many_elements_have_are_refused_early(page: str, tmp_path: Path) -> None:
    started = time.process_time()
    with pytest.raises(OverLimit) as raised:
        render(page, tmp_path / "page.pdf", PageOptions(), Warn())
    assert raised.value.reason == "timeout"
    assert time.process_time() - started < 2


def test_the_last_of_several_values_counts(tmp_path: Path) -> None:
    many = f"p{{background:{','.join([BLUE] * 500)};content:'{WORDS}'}}p{{background:{BLUE}}}p::before{{content:'x'}}"
    render(f"<style>{many}</style>{'<p>x</p>' * 200}", tmp_path / "page.pdf", PageOptions(), Warn())
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
