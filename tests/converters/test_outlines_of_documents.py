"""Documents as outlines (OPML): their words are counted, and text before the first heading is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from engine.conversion import convert
from engine.families.auditing import audited_kinds
from engine.families.registry import CONVERTERS


def _outline(folder: Path, text: str, name: str = "input.md") -> tuple[list[tuple[str, str]], list[str]]:
    source = folder / name
    source.write_text(text)
    result = convert(source, folder / "output.opml", sandbox=False)
    items = etree.parse(result.path).iter("outline")
    return [(each.get("text"), each.get("_note", "")) for each in items], [each.code for each in result.warnings]


def test_a_document_without_headings_is_an_outline_of_its_paragraphs(tmp_path: Path) -> None:
    items, warned = _outline(tmp_path, "First words.\n\n- a list\n\nMore words.\n")
    assert items == [("First words.", "- a list"), ("More words.", "")]
    assert warned == []


def test_what_is_no_paragraph_at_the_start_belongs_to_an_item(tmp_path: Path) -> None:
    items, warned = _outline(tmp_path, "| a | b |\n|---|---|\n| c | d |\n\n# Head\n\nText.\n")
    assert [text for text, _ in items] == ["…", "Head"]
    assert "c" in items[0][1]
    assert warned == []


def test_text_before_the_first_heading_is_beside_the_headings(tmp_path: Path) -> None:
    items, warned = _outline(tmp_path, "<p>Intro</p><section><h2>One</h2><p>Text</p></section>", "input.html")
    assert items == [("Intro", ""), ("One", "Text")]
    assert warned == []


@pytest.mark.parametrize("text", ["# A\n\nsnake\\_case and `code_x` *a*b [link](https://a.example/x_y) d\\*e\n"])
def test_words_of_notes_are_found_in_their_markdown(text: str, tmp_path: Path) -> None:
    assert _outline(tmp_path, text)[1] == []


@pytest.mark.parametrize("slug", ["markdown-to-opml", "docx-to-opml", "html-to-opml", "odt-to-opml"])
def test_words_of_outlines_are_counted(slug: str) -> None:
    assert "words" in audited_kinds(CONVERTERS[slug])


def test_columns_of_a_table_are_in_the_attributes_of_its_outline(tmp_path: Path) -> None:
    table = "text,folder,XML URL,rating\nA,News,https://a.example/f,5\n"
    assert _outline(tmp_path, table, "input.csv")[1] == []
