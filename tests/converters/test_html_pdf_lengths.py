"""Lengths across the page that cost no bytes are bounded, and a PDF that was not finished is a limit."""

from __future__ import annotations

from io import BytesIO

import pytest

from engine.families.html_pdf.css.declarations import Declarations
from engine.families.html_pdf.plutoprint import output
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn
from tests.conftest import Person


@pytest.mark.parametrize(
    ("declared", "lowered"),
    [
        ("width:99999999px", "width:100000px"),
        ("width:calc(9999999px + 1px)", "width:calc(100000px + 1px)"),
        ("margin-right:-9999999px", "margin-right:-100000px"),
        ("padding-left:1e9pt", "padding-left:100000px"),
        ("min-width:9999999em!important", "min-width:100000px!important"),
        ("height:9999999px", "height:9999999px"),
        ("text-indent:-99999px", "text-indent:-99999px"),
        ("max-width:100%", "max-width:100%"),
        ("border-radius:9999px", "border-radius:9999px"),
    ],
)
def test_only_lengths_across_a_hundred_papers_are_reduced(declared: str, lowered: str) -> None:
    warn = Warn()
    assert Declarations(warn, backgrounds=True).lowered(declared, "p") == lowered


@pytest.mark.parametrize("width", ["9999999px", "99999999px"])
def test_a_box_as_wide_as_no_paper_is_drawn(paying: Person, width: str) -> None:
    page = f'<p style="border:1px dotted red;border-radius:9px;width:{width}">x</p>'
    made = paying.convert("html-to-pdf", page.encode())
    assert made.status_code == 201, made.json()
    assert "SIZE_REDUCED" in {each["code"] for each in made.json()["data"]["warnings"]}


def test_a_pdf_that_was_not_finished_is_a_limit() -> None:
    with pytest.raises(OverLimit) as raised:
        output.opened(BytesIO(b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"))
    assert raised.value.reason == "memory"
