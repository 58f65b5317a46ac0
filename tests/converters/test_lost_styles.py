"""Borders of pages, numbers of lines and places of pictures that only Word pages have are named where they are lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.families.documents import files

_SECTION = "<w:p><w:r><w:t>Text</w:t></w:r></w:p><w:sectPr>{}</w:sectPr>"
_NONE = '<w:pgBorders><w:top w:val="none"/></w:pgBorders>'


def _floating() -> str:
    return files.PICTURE.replace("<wp:inline ", "<wp:anchor ").replace("</wp:inline>", "</wp:anchor>")


@pytest.mark.parametrize("output", ["odt", "rtf", "epub"])
@pytest.mark.parametrize(
    ("body", "named"),
    [
        (_SECTION.format('<w:pgBorders><w:top w:val="single" w:sz="4"/></w:pgBorders>'), "page borders"),
        (_SECTION.format('<w:lnNumType w:countBy="5"/>'), "line numbers"),
        (_floating(), "places of floating pictures"),
    ],
)
def test_what_only_pages_of_word_have_is_named(output: str, body: str, named: str, tmp_path: Path) -> None:
    done = Convert(tmp_path, f"docx-to-{output}", files.word(body))
    assert "STYLE_DROPPED" in done.codes
    assert named in done.messages


@pytest.mark.parametrize("body", [_SECTION.format(_NONE), files.PICTURE])
def test_pictures_in_lines_and_borders_that_are_none_are_not_named(body: str, tmp_path: Path) -> None:
    assert "STYLE_DROPPED" not in Convert(tmp_path, "docx-to-odt", files.word(body)).codes
