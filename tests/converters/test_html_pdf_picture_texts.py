"""The text that replaces a picture which was not loaded stands where the picture would."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PrintOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")


def _places(body: str, folder: Path) -> dict[str, tuple[float, float]]:
    """Where each word of a page begins, and its height, in points."""
    render.render(f"<body style='margin:0'>{body}", folder / "page.pdf", PrintOptions(), Warn())
    found = {}
    with pypdfium2.PdfDocument(folder / "page.pdf") as document:
        text = document[0].get_textpage()
        for word in text.get_text_range().split():
            at, _ = text.search(word, match_whole_word=True).get_next()
            left, bottom, _, _ = text.get_charbox(at)
            found[word] = left, bottom
    return found


def test_texts_of_icons_in_cells_are_words_of_their_own(tmp_path: Path) -> None:
    cells = "".join(
        f"<td style='padding:0'><img src='https://x.y/{name}.png' width='29' alt='{name}'></td>"
        for name in ("Facebook", "Twitter", "F", "T")
    )
    found = _places(f"<table cellspacing='0'><tr>{cells}</tr></table>", tmp_path)
    assert {"Facebook", "Twitter", "F", "T"} == set(found)
    assert found["T"][0] - found["F"][0] > 29 * 0.75


def test_a_picture_that_is_hidden_has_no_text(tmp_path: Path) -> None:
    assert set(_places("<p>seen <img src='https://x.y/a.png' alt='unseen' style='display:none'>", tmp_path)) == {"seen"}


@pytest.mark.parametrize("how", ["align='right'", "style='float:right'"])
def test_the_text_floats_as_the_picture_would(how: str, tmp_path: Path) -> None:
    found = _places(f"<p><img src='https://x.y/a.png' alt='picture' {how}>text</p>", tmp_path)
    assert found["picture"][0] > 400
    assert found["picture"][1] == pytest.approx(found["text"][1], abs=4)


def test_the_text_of_a_picture_that_is_a_block_has_its_own_line(tmp_path: Path) -> None:
    found = _places("<p><img src='https://x.y/a.png' alt='picture' style='border:0;display:block'>text</p>", tmp_path)
    assert found["picture"][0] == pytest.approx(found["text"][0], abs=1)
    assert found["picture"][1] > found["text"][1] + 8
