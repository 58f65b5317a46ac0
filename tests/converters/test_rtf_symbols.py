"""Signs of the fonts Symbol and Wingdings in RTF become the characters that they look like."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import convert

FONTS = (
    r"{\fonttbl{\f0\froman\fcharset0 Times New Roman;}{\f1\froman\fprq2\fcharset2{\*\panose 05050102}Symbol;}"
    r"{\f2\fnil\fcharset2 Wingdings;}{\f3\fnil\fprq0\fcharset128 OpenSymbol{\*\falt Arial Unicode MS};}}"
)
LISTS = (
    r"{\*\listtable{\list\listtemplateid1{\listlevel\levelnfc23\leveljc0\levelstartat1\levelfollow0"
    r"{\leveltext \'01\u-3913 ?;}{\levelnumbers;}\f1\fi-360\li720}\listid1}}"
    r"{\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}"
)


def _converted(folder: Path, body: str, output: str) -> tuple[str, list[str]]:
    source, target = folder / "signs.rtf", folder / f"signs.{output}"
    source.write_text(rf"{{\rtf1\ansi\ansicpg1252\deff0{FONTS}{LISTS}\pard\plain {body}}}", "ascii")
    warnings = convert(source, target, sandbox=False).warnings
    return target.read_text("utf-8"), [f"{each.code} {each.message}" for each in warnings]


@pytest.mark.parametrize("output", ["md", "txt", "html"])
@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        (r"\u-3913\'3f", "•"),  # as LibreOffice writes it
        (r"\u61623 ?", "•"),
        (r"{\f2\u-3844 ?}", "✓"),
    ],
)
def test_private_characters_become_signs_that_any_font_has(
    tmp_path: Path, signs: str, expected: str, output: str
) -> None:
    text, warnings = _converted(tmp_path, rf"One {{\f1 {signs}}} two\par", output)

    assert f"One {expected} two" in re.sub(r"<[^<>]*>", "", text)
    assert not [each for each in warnings if "U+FFFD" in each]


@pytest.mark.parametrize("label", [r"\hich\af1\loch\f1 \u-3913\'3f", r"\f1 \'b7", r"\hich\af3\dbch\af3\loch\f3 \'96"])
def test_bullets_of_lists_are_no_characters_that_could_not_be_read(tmp_path: Path, label: str) -> None:
    item = rf"{{\listtext\pard\plain {label}\tab}}\ilvl0\ls1 \li720\fi-360 an item\par"
    text, warnings = _converted(tmp_path, item, "md")

    assert "- an item" in text
    assert not warnings
