"""Links of pages: they keep their look and their address, and those that could do harm lead nowhere."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PrintOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_RED = (255, 0, 0)


def _made(href: str, folder: Path) -> tuple[list[str], bool, Warn]:
    """The addresses of the links of a page with one link, whether it is red as the page asks, and the warnings."""
    warn, path = Warn(), folder / "page.pdf"
    page = f"<style>a:link{{color:#f00}}</style><h1><a href='{href}'>link</a></h1>"
    render.render(page, path, PrintOptions(), warn)
    with pikepdf.open(path) as pdf:
        found = [str(each.A.URI) for each in pdf.pages[0].obj.get("/Annots", []) if "/A" in each]
    with pypdfium2.PdfDocument(path) as document:
        colours = {colour for _, colour in document[0].render().to_pil().convert("RGB").getcolors(1 << 20)}
    return found, _RED in colours, warn


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("prices/list.html?a=1#b", "prices/list.html?a=1#b"),
        ("*|TWITTER:PROFILEURL|*", "./*|TWITTER:PROFILEURL|*"),
        ("./javascript:alert(1)", "./javascript:alert(1)"),
        ("https://example.com/x", "https://example.com/x"),
    ],
)
def test_a_relative_link_keeps_its_address(href: str, address: str, tmp_path: Path) -> None:
    found, is_red, warn = _made(href, tmp_path)
    assert (found, is_red, warn.warnings) == ([address], True, ())


@pytest.mark.parametrize("href", ["#", "#top", "#missing", "http://[x"])
def test_a_link_that_leads_nowhere_looks_like_a_link(href: str, tmp_path: Path) -> None:
    found, is_red, warn = _made(href, tmp_path)
    assert (found, is_red, warn.warnings) == ([], True, ())


@pytest.mark.parametrize(
    ("href", "code", "scheme"),
    [
        ("file:///etc/passwd", "CONTENT_DROPPED", "file:"),
        ("fi\nle:///etc/passwd", "CONTENT_DROPPED", "file:"),
        ("MS-Thing:x", "CONTENT_DROPPED", "ms-thing:"),
        ("java\tscript:alert(1)", "SCRIPT_REMOVED", "script"),
    ],
)
def test_a_link_that_could_do_harm_is_removed_and_named(href: str, code: str, scheme: str, tmp_path: Path) -> None:
    found, is_red, warn = _made(href, tmp_path)
    assert (found, is_red) == ([], True)
    assert [each.code for each in warn.warnings] == [code]
    assert scheme in str(warn.warnings[0].message)
