"""Cascade layers win by their order, rules outside of them over all, and important declarations the other way round."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from engine.conversion import convert
from engine.families.html_pdf.css.layers import Layers

_RED, _GREEN = "rgb(255,0,0)", "rgb(0,255,0)"

PAGES = {
    "order before specificity": "@layer one, two; @layer two{p{color:GREEN}} @layer one{#t.c{color:RED}}",
    "outside before layers": "p{color:GREEN} @layer one{#t.c{color:RED}}",
    "important the other way round": "@layer one{p{color:GREEN!important}} @layer two{#t{color:RED!important}}",
    "important in a layer before outside": "@layer one{p{color:GREEN!important}} #t{color:RED!important}",
    "own rules before inner layers": "@layer one{p{color:GREEN} @layer inner{#t{color:RED}}}",
    "without names": "@layer{#t{color:RED}} @layer{p{color:GREEN}}",
    "by media": "@layer one{#t{color:RED}} @media print{@layer two{p{color:GREEN}}} @media screen{p{color:RED}}",
    "in another sheet": "@layer a, b;</style><style>@layer b{p{color:GREEN}}</style><style>@layer a{#t{color:RED}}",
    "in a later sheet": "p{color:GREEN}</style><style>@layer one{#t{color:RED}}",
    "within a layer by specificity": "@layer one{#t{color:GREEN} p{color:RED}} @layer zero{}",
    "lists of selectors": "@layer one{#t:is(p,b){color:RED}} @layer two{i,p,b{color:GREEN}}",
    "the style attribute": "@layer one{p{color:RED}} p{color:RED}</style><style id=own>",
}  # fmt: skip


def _colours(page: str, folder: Path) -> set[tuple[float, ...]]:
    source = folder / "input.html"
    source.write_text(page)
    result = convert(source, folder / "output.pdf", sandbox=False)
    assert result.warnings == ()
    with pikepdf.open(result.path) as pdf:
        found = [
            tuple(map(float, each.operands))
            for each in pikepdf.parse_content_stream(pdf.pages[0])
            if str(each.operator) == "rg"
        ]
    return {each for each in found if each[0] != each[1]}


@pytest.mark.parametrize("which", PAGES)
def test_layers_win_by_their_order(which: str, tmp_path: Path) -> None:
    style = PAGES[which].replace("RED", _RED).replace("GREEN", _GREEN)
    own = f" style='color:{_GREEN}'" if "attribute" in which else ""
    page = f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style><p id=t class=c{own}>Words"
    assert _colours(page, tmp_path) == {(0.0, 1.0, 0.0)}


def test_generated_content_is_ordered_as_well(tmp_path: Path) -> None:
    style = f"@layer one{{#t::before{{content:'x';color:{_RED}}}}} @layer two{{p::before{{color:{_GREEN}}}}}"
    assert _colours(f"<!DOCTYPE html><style>{style}</style><p id=t>", tmp_path) == {(0.0, 1.0, 0.0)}


def test_sheets_without_layers_are_not_weighed() -> None:
    assert not Layers(["p{color:red}", ""]).are_weighed


def test_layers_deep_in_others_are_those_around_them() -> None:
    layers = Layers(["@layer a{" * 40_000])
    assert len(layers.inner("a" + ".a" * 20, "b").split(".")) == 21
    assert layers.rank("a") == 20
