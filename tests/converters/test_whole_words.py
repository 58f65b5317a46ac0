"""Words of pages go to the next line whole, unless they are longer than a line."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_BREAKING = ("overflow-wrap:anywhere", "overflow-wrap:break-word", "word-wrap:break-word", "word-break:break-word")


def words(folder: Path, style: str, text: str) -> list[str]:
    page = f"<style>div{{font:bold 28px Arial;width:420px;{style}}}</style><div>{text}</div>"
    render.render(page, folder / "page.pdf", PageOptions(), Warn())
    found: str = pypdfium2.PdfDocument(folder / "page.pdf")[0].get_textpage().get_text_range()
    return found.split()


@pytest.mark.parametrize("style", _BREAKING)
@pytest.mark.parametrize(
    "text",
    [
        "Functional",
        "<span>Functional</span>",
        "<a href='#'><b>Functional</b></a>",
        "<i>Fun</i>ctional",
        "<i>x</i> Functional",
        "(<b>Functional</b>)",
    ],
)
def test_a_word_at_the_end_of_a_line_is_not_torn(tmp_path: Path, style: str, text: str) -> None:
    found = words(tmp_path, style, f"Some heading that will wrap {text} and more extraordinary words")
    assert [each for each in found if "unctional" in each]
    assert "extraordinary" in found


@pytest.mark.parametrize("style", _BREAKING)
def test_a_word_that_is_longer_than_a_line_breaks(tmp_path: Path, style: str) -> None:
    found = words(tmp_path, style, f"See <b>{'x' * 60}</b>")
    assert max(map(len, found)) < 40
    assert "".join(found) == "See" + "x" * 60


@pytest.mark.parametrize("style", _BREAKING[2:])
def test_no_word_behind_an_element_is_torn_however_long_the_line_is(tmp_path: Path, style: str) -> None:
    text = f"Check our <a href='#'>help documentation</a>. Or <b>reply to</b> this, the team of {'x' * 60} is ready"
    lines = "".join(f"<p style='width:{width}px'>{text}</p>" for width in range(200, 440, 4))
    page = f"<style>p{{font:16px Arial;{style}}}</style>{lines}"
    render.render(page, tmp_path / "page.pdf", PageOptions(), Warn())
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as document:
        found = {word for each in document for word in each.get_textpage().get_text_range().split()}
    whole = "Check our help documentation. Or reply to this, the team of is ready"
    assert {each for each in found if each.strip("x")} == set(whole.split())
