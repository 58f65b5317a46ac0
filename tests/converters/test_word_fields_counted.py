"""Page numbers stored in fields of Word are told from other text in linear time."""

from __future__ import annotations

import pytest
from lxml import etree

from engine.families.documents.counting import word as counting
from engine.families.documents.counting.word import _page_numbers

_SPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _char(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def _text(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def _instruction(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def test_what_is_stored_of_a_page_number_is_found_in_nested_fields() -> None:
    page = f"{_char('begin')}{_instruction(' PA')}{_instruction('GE ')}{_text('no')}{_char('separate')}"
    inner = f"{_char('begin')}{_instruction(' DATE ')}{_char('separate')}{_text('in')}{_char('end')}"
    body = f"{inner}{page}{_text('1')}{inner}{_char('end')}{_text('out')}"
    root = etree.fromstring(f'<w:document xmlns:w="{_SPACE}"><w:p>{body}</w:p></w:document>')
    assert [each.text for each in _page_numbers(root)] == ["1", "in"]


def test_very_many_open_fields_are_each_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    class Counted:
        def match(self, text: str) -> None:
            looked.append(text)

    monkeypatch.setattr(counting, "_NUMBERED", Counted())
    fields = f"{_char('begin')}{_instruction(' DATE ')}{_char('separate')}" * 300
    root = etree.fromstring(f'<w:document xmlns:w="{_SPACE}"><w:p>{fields}{_text("a") * 300}</w:p></w:document>')
    assert list(_page_numbers(root)) == []
    assert len(looked) == 300
