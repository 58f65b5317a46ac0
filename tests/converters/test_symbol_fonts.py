"""Pages and mails whose tags set letters in Symbol, Wingdings and Webdings, as Outlook and Word write them."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_mail import HEAD, shown

_PAGE = """<html><body><p>adb root <span style='font-size:11.0pt;font-family:Wingdings'>&egrave;</span> check</p>
<p><span style='font-family:Wingdings'><span style='mso-list:Ignore'>n<span style='font:7.0pt "Times New Roman"'>&nbsp;
</span></span></span>item</p><p>glad <font face="Wingdings">J</font></p>
<p><span style="font-family:Symbol">a</span> radiation</p>
<p><span style="font-family:Verdana">n stays</span></p></body></html>"""
_MAIL = HEAD + b"text/html; charset=utf-8\n\n" + _PAGE.encode()


@pytest.mark.parametrize("slug", ["eml-to-markdown", "eml-to-txt", "eml-to-html"])
def test_pictures_of_symbol_fonts_are_the_characters_that_they_show(tmp_path: Path, slug: str) -> None:
    text, warn = shown(tmp_path, _MAIL, slug)
    assert "adb root ➔ check" in re.sub("<[^>]*>", "", text)
    assert "■" in text
    assert "☺" in text
    assert "α" in text
    assert "n stays" in text
    assert [each.code for each in warn.warnings if "missing" in str(each.message)] == []


def test_pictures_of_symbol_fonts_are_drawn(tmp_path: Path) -> None:
    from engine.families import auditing
    from engine.families.registry import CONVERTERS
    from engine.toolkit.options import build
    from engine.toolkit.warnings import Warn

    converter, warn = CONVERTERS["eml-to-pdf"], Warn()
    source, target = tmp_path / "input.eml", tmp_path / "output.pdf"
    source.write_bytes(_MAIL)
    auditing.run(converter, source, target, build(converter.options, {}), warn)
    text = pypdfium2.PdfDocument(target)[0].get_textpage().get_text_bounded()
    assert "➔" in text
    assert "è" not in text
    assert "■" in text
    assert {each.code for each in warn.warnings} <= {"FONT_SUBSTITUTED"}


def test_a_picture_without_a_character_is_counted(tmp_path: Path) -> None:
    mail = HEAD + b'text/html\n\n<p>x <span style="font-family:Webdings">Z</span></p>'
    text, warn = shown(tmp_path, mail, "eml-to-markdown")
    assert "x •" in text
    assert [each.code for each in warn.warnings if each.code != "CSS_UNSUPPORTED"] == ["GLYPH_MISSING"]
