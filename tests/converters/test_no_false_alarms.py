"""What a result has of its file is not named as missing."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from engine.conversion import convert
from engine.toolkit.warnings import Warn


def told(folder: Path, name: str, data: bytes, target: str, **options: str) -> list[str]:
    source = folder / name
    source.write_bytes(data)
    result = convert(source, folder / target, sandbox=False, **options)
    return [f"{each.code} {each.message}" for each in result.warnings]


@pytest.mark.parametrize("target", ["output.txt", "output.md", "output.docx", "output.odt"])
def test_bytes_behind_the_end_of_a_rich_text_are_no_words(target: str, tmp_path: Path) -> None:
    assert (
        told(tmp_path, "input.rtf", rb"{\rtf1\ansi Words of it\par}" + b"\n\xef\xbf\xbd8 rubbish left over", target)
        == []
    )


def test_words_of_a_rich_text_are_counted_to_its_end(tmp_path: Path) -> None:
    data = rb"{\rtf1\ansi {Some {\b bold}} words {\*\unknown gone} and more\par}"
    assert told(tmp_path, "input.rtf", data, "output.txt") == []
    assert (tmp_path / "output.txt").read_text().split() == ["Some", "bold", "words", "and", "more"]


@pytest.mark.parametrize("target", ["output.csv", "output.json", "output.ods"])
def test_a_moment_of_which_the_format_shows_the_time_alone_is_kept(target: str, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["at"])
    book.active.append([datetime(1992, 12, 28, 6, 15, 0, 687000)])
    book.active["A2"].number_format = "h:mm AM/PM"
    file = io.BytesIO()
    book.save(file)
    assert told(tmp_path, "input.xlsx", file.getvalue(), target) == []


@pytest.mark.parametrize("target", ["output.html", "output.pptx", "output.docx", "output.txt"])
def test_a_word_with_a_subscript_of_markdown_is_whole(target: str, tmp_path: Path) -> None:
    assert told(tmp_path, "input.md", b"~~struck~~ H~2~O and a~b\n", target) == []


def test_a_word_with_a_subscript_that_is_gone_is_named(tmp_path: Path) -> None:
    from engine.families.documents.counting import plain
    from engine.toolkit.census import Census
    from engine.toolkit.comparison import compare

    (found,) = compare(plain.notation("H~2~O is water"), Census(texts=["is water"]), {"words"}, Warn())
    assert found.missing == 1


@pytest.mark.parametrize("target", ["output.txt", "output.md", "output.docx"])
def test_the_names_of_odd_styles_are_no_text(target: str, tmp_path: Path) -> None:
    styles = rb"{\stylesheet{\s0 Normal;}{\s1\b Odd \keycode name;}{\*\cs2\i{\*\keycode x} Emph;}{\s3 {\b Heading} 1;}}"
    data = rb"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}" + styles + rb"\pard\s1 First words\par\pard\s3 Second words\par}"
    assert told(tmp_path, "input.rtf", data, target) == []
    if target != "output.docx":
        text = (tmp_path / target).read_text()
        assert "Odd" not in text
        assert "Heading" not in text
        assert "First words" in text.replace("*", "")
