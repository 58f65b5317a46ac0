"""MathML of a page is drawn like the formulas of a Word document, and what can't be drawn is named with its count."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.conversion import convert
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT

FRACTION = "<math display='block'><mfrac><mrow><mi>p</mi><mo>+</mo><mn>7</mn></mrow><mi>q</mi></mfrac></math>"


def drawn(folder: Path, body: str, css: str = "") -> tuple[list[str], dict[str, float]]:
    """The messages of a page, and the lower edge of each letter on its PDF, in points."""
    source = folder / "page.html"
    source.write_text(f"<!DOCTYPE html><title>x</title><style>{css}</style>{body}")
    messages = [str(each.message) for each in convert(source, folder / "page.pdf", sandbox=False).warnings]
    with pypdfium2.PdfDocument(folder / "page.pdf") as pdf:
        text = pdf[0].get_textpage()
        letters = {text.get_text_range(at, 1): text.get_charbox(at)[1] for at in range(text.count_chars())}
    return messages, letters


@pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="boxes need PlutoPrint")
@pytest.mark.parametrize("css", ["", ".frac, .above, .formula { display: none }"])
def test_a_fraction_is_drawn_above_its_denominator(css: str, tmp_path: Path) -> None:
    messages, letters = drawn(tmp_path, f"<p>x</p>{FRACTION}", css)
    assert messages == []
    assert letters["7"] > letters["q"] + 5


def test_superscripts_are_raised_and_the_text_around_a_formula_stays(tmp_path: Path) -> None:
    body = "<p>If <math><msup><mi>c</mi><mn>2</mn></msup></math> holds, z</p>"
    messages, letters = drawn(tmp_path, body)
    assert messages == []
    assert letters["2"] > letters["c"] + 1
    assert letters["z"] < letters["2"]


def test_what_can_not_be_drawn_of_a_formula_is_named_with_its_count(tmp_path: Path) -> None:
    scripts = "<math><mmultiscripts><mi>X</mi><mn>1</mn><none/></mmultiscripts></math>"
    messages, letters = drawn(tmp_path, f"<p>{scripts} and {scripts}</p>")
    assert messages == ["Parts of formulas became plain text, because they can't be drawn: 2 (<mmultiscripts>, …)."]
    assert {"X", "1"} <= letters.keys()
