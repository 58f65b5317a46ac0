"""Bold italic words of MediaWiki are read in linear time, and mean what they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.documents.markup import quotes
from tests.converters.test_documents import Convert


def test_a_paragraph_of_bold_italic_words_is_read(tmp_path: Path) -> None:
    done = Convert(tmp_path, "mediawiki-to-html", b"''a'' '''b''' '''''c''''' " * 400)
    assert done.text.count("<strong><em>c</em></strong>") == 400
    assert done.messages == ""


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("'''''a'' b''' ", "<strong><em>a</em> b</strong>"),
        ("'''''a''' b'' ", "<em><strong>a</strong> b</em>"),
        ("''a '''b'' c''' ", "<em>a <strong>b</strong></em> <strong>c</strong>"),
        ("''a '''b''''' ", "<em>a <strong>b</strong></em>"),
    ],
)
def test_a_paragraph_of_overlapping_words_is_read(tmp_path: Path, words: str, made: str) -> None:
    done = Convert(tmp_path, "mediawiki-to-html", words.encode() * 400)
    assert done.text.replace("\n", " ").count(made) == 400


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'''''c'''''", "'''<!---->''c''<!---->'''"),
        ("'''''a'' b'''", "'''<!---->''a'' b'''"),  # italic ends before bold
        ("'''''a''' b''", "''<!---->'''a''' b''"),
        ("''a '''b'''''", "''a '''b'''<!---->''"),
        ("''a '''b'' c'''", "''a '''b'''<!---->''<!---->''' c'''"),
        ("'''a'''''b''", "'''a'''<!---->''b''"),
        ("'''''a'' b\nc", "'''<!---->''a'' b'''\nc"),  # quotes end with their line
        ("'''a''' ''b '''c''''' 'd'", "'''a''' ''b '''c'''<!---->'' 'd'"),
        ("L'''amour''", "L'''amour''"),  # an apostrophe before italic
        ("'''''a\n'''''b", "'''<!---->''a''<!---->'''\n'''''b"),  # quotes end with their line
        ("a\n\nb", "a\n\nb"),
        ("'''''a''''' '''''b", "'''<!---->''a''<!---->''' '''''b"),
        ("<nowiki>'''''c'''''</nowiki> '''''d'''''", "<nowiki>'''''c'''''</nowiki> '''<!---->''d''<!---->'''"),
        ("<nowiki> '''''c'''''", "<nowiki> '''<!---->''c''<!---->'''"),
        ("<!-- '''''c''''' -->", "<!-- '''''c''''' -->"),
        ("''''''six''''''", "''''''six''''''"),
    ],
)
def test_only_pairs_of_five_quotes_on_a_line_are_split(text: str, expected: str) -> None:
    assert quotes.split(text) == expected


def test_elements_that_are_never_closed_are_looked_for_once() -> None:
    text = "'''''a''''' " + "<nowiki>a<pre>" * 200_000
    assert quotes.split(text).startswith("'''<!---->''a")
