"""Small capitals are drawn as smaller ones, and named where they can't be."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from engine.conversion import convert
from engine.families.html_pdf.plutoprint import small_caps


def drawn(body: str, folder: Path, name: str) -> tuple[Image.Image, list[str]]:
    source, target = folder / f"{name}.html", folder / f"{name}.png"
    source.write_text(f"<!DOCTYPE html><meta charset=utf-8><style>u {{ text-decoration: none }}</style>{body}", "utf-8")
    warnings = convert(source, target, sandbox=False).warnings
    return Image.open(target).convert("RGB"), [str(each.message) for each in warnings]


def _small(text: str) -> str:
    return f"<u style='font-size: 70%'>{text}</u>"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("<p style='font-variant: small-caps'>Von 12 <b>Aß</b>.", f"<p>V{_small('ON')} 12 <b>A{_small('SS')}</b>."),
        ("<p style='font: small-caps 20px serif'>Ab", f"<p style='font: 20px serif'>A{_small('B')}"),
        ("<p style='font-variant-caps: all-small-caps'>Ab 1", f"<p>{_small('AB')} 1"),
        ("<p style='font-variant: small-caps'>A<i style='font-variant: normal'>b", "<p>A<i>b"),
        ("<p style='font-variant: small-caps; text-transform: uppercase'>ab", "<p>AB"),
        ("<p style='font-variant: small-caps; font: 20px serif'>ab", "<p style='font: 20px serif'>ab"),
    ],
)
def test_small_letters_are_smaller_capitals(given: str, meant: str, tmp_path: Path) -> None:
    (ours, warnings), (other, _) = drawn(given, tmp_path, "given"), drawn(meant, tmp_path, "meant")
    assert warnings == []
    assert ImageChops.difference(ours, other).getbbox() is None


def test_small_capitals_of_generated_text_are_named(tmp_path: Path) -> None:
    style = "<style>p::before { content: 'note'; font-variant: small-caps }</style>"
    assert drawn(f"{style}<p>text", tmp_path, "page")[1] == [
        "Styles have no effect here: 1 (font-variant: small-caps)."
    ]


def test_too_many_small_capitals_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_caps, "_MOST", 3)
    text = "<p style='font-variant: small-caps'>a b c d"
    assert drawn(text, tmp_path, "page")[1] == ["Styles have no effect here: 1 (font-variant: small-caps)."]


def test_a_block_of_too_many_small_capitals_leaves_those_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_caps, "_MOST_IN_BLOCK", 3)
    style = "<div style='font-variant: small-caps; white-space: nowrap'>"
    given = f"{style}<p>a <i>b <b>c</b></i><s style='text-decoration: none'>d</s><p>e"
    meant = f"<p>{_small('A')} <i>{_small('B')} <b>{_small('C')}</b></i>d<p>{_small('E')}"
    (ours, warnings), (other, _) = drawn(given, tmp_path, "given"), drawn(meant, tmp_path, "meant")
    assert warnings == ["Styles have no effect here: 1 (font-variant: small-caps)."]
    assert ImageChops.difference(ours, other).getbbox() is None
