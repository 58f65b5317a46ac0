"""Items of lists keep their numbers: those with a value, lists that count down, and those that begin elsewhere."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from engine.conversion import convert
from engine.families.documents.list_numbers import split
from tests.families.documents import files

_LISTS = (
    '<ol start="5"><li>five</li><li value="9">nine<ul><li>inner</li></ul></li><li>ten</li></ol>'
    '<ol reversed="reversed"><li>third</li><li>second</li><li>first</li></ol>'
    '<ol type="a"><li value="3">see</li><li>dee</li></ol>'
)
_NUMBERS = ["5. five", "9. nine", "10. ten", "3. third", "2. second", "1. first", "c. see", "d. dee"]
_OTHERWISE = "VALUE_CONVERTED List items are numbered in another way than in the file: {}."


def _source(folder: Path, input: str) -> Path:
    source = folder / f"input.{input}"
    if input == "html":
        source.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>T</title>{_LISTS}")
        return source
    (folder / "whole.epub").write_bytes(files.epub())
    with zipfile.ZipFile(folder / "whole.epub") as whole, zipfile.ZipFile(source, "w") as book:
        for name in whole.namelist():
            book.writestr(name, re.sub(b"<h1>Regions</h1>", _LISTS.encode(), whole.read(name)))
    return source


def _numbered(text: str) -> list[str]:
    lines = (" ".join(each.split()) for each in text.splitlines())
    return [each for each in lines if re.match(r"\w{1,2}\. ", each)]


def _pages(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as pdf:
        return "\n".join(page.get_textpage().get_text_bounded() for page in pdf)


@pytest.mark.parametrize("input", ["html", "epub"])
def test_items_have_the_numbers_of_the_page(input: str, tmp_path: Path) -> None:
    text = convert(_source(tmp_path, input), tmp_path / "output.txt", sandbox=False)
    assert _numbered(text.path.read_text()) == _NUMBERS
    drawn = convert(_source(tmp_path, input), tmp_path / "output.pdf", sandbox=False)
    assert _numbered(_pages(drawn.path))[: len(_NUMBERS)] == _NUMBERS  # and the note of the book
    for result in (text, drawn):
        assert not [each for each in result.warnings if each.code == "VALUE_CONVERTED"]


@pytest.mark.parametrize("between", ["docx", "odt"])
def test_other_formats_keep_the_numbers(between: str, tmp_path: Path) -> None:
    made = convert(_source(tmp_path, "html"), tmp_path / f"made.{between}", sandbox=False)
    assert not [each for each in made.warnings if each.code == "VALUE_CONVERTED"]
    assert _numbered(convert(made.path, tmp_path / "output.txt", sandbox=False).path.read_text()) == _NUMBERS


@pytest.mark.parametrize(("extension", "count"), [("md", 2), ("org", 2), ("pptx", 2), ("jira", 7)])
def test_items_that_are_numbered_in_another_way_are_counted(extension: str, count: int, tmp_path: Path) -> None:
    result = convert(_source(tmp_path, "html"), tmp_path / f"output.{extension}", sandbox=False)
    said = [f"{each.code} {each.message}" for each in result.warnings]
    assert said == [_OTHERWISE.format(count)]


def test_a_list_in_order_is_left_as_it_is() -> None:
    page = '<ol start="2"><li>a</li><li value="3">b</li></ol><ul><li value="7">c</li></ul>'
    assert split(page) == (page, 0)


def test_items_beyond_a_thousand_lists_are_counted() -> None:
    page = "<ol reversed>" + 1_500 * "<li>x</li>" + "</ol>"
    made, lost = split(page)
    assert made.count("<ol") == 1_000
    assert lost == 1_500 - 1_000
