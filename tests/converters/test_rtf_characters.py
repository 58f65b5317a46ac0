"""Characters of RTF files in the code pages of their fonts."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.libreoffice import parts
from engine.families.registry import CONVERTERS
from engine.toolkit.warnings import Warn
from tests.converters.test_documents import Convert

_HEAD = rb"{\rtf1\ansi\ansicpg932{\fonttbl{\f0\fcharset0 Times New Roman;}{\f1\fcharset128 Mincho;}}"
_HALF = rb"\'81\'8f\'81"  # the last byte begins a character of two bytes


@pytest.mark.parametrize("name", [b"fchars", b"lchars"])
def test_characters_that_begin_no_line_are_not_text_that_could_not_be_read(tmp_path: Path, name: bytes) -> None:
    rules = rb"{\*\%s " % name + _HALF + rb"}\f1 "
    done = Convert(tmp_path, "rtf-to-txt", (_HEAD + rules + rb"\'83\'65\'83\'58\'83\'67\par}").decode("latin-1"))
    assert done.text.split() == ["テスト"]
    assert not done.codes
    spoiled = Convert(tmp_path, "rtf-to-txt", (_HEAD + rules + _HALF + rb"\par}").decode("latin-1"))
    assert spoiled.codes == {"ENCODING_REPLACED"}


def test_a_font_without_a_name_is_none_that_is_missing(tmp_path: Path) -> None:
    source = tmp_path / "text.rtf"
    source.write_bytes(rb"{\rtf1{\fonttbl{\f0\fnil;}{\f1\fswiss\fcharset0 Arial;}}text}")
    needed = parts.inspect(source, CONVERTERS["rtf-to-pdf"].input, Warn(), drawn=False)
    assert needed.fonts == ("Arial",)
