"""Fields with the current date are named if a page shows them, not for page styles that no page has."""

from __future__ import annotations

import pytest

from engine.families.libreoffice.date_fields import DateFields

_DATE = '<style:header><text:p><text:date text:date-value="2014-09-09">x</text:date></text:p></style:header>'
_FIXED = '<style:header><text:p><text:time text:fixed="true">x</text:time></text:p></style:header>'


def _styles(*masters: tuple[str, str]) -> str:
    pages = (
        f'<style:master-page style:name="{name}" style:x="y">{inside}</style:master-page>' for name, inside in masters
    )
    return f"<office:master-styles>{''.join(pages)}</office:master-styles>"


def _shown(**parts: str) -> bool:
    fields = DateFields()
    for name, data in parts.items():
        fields.part(f"{name.replace('__', '/')}.xml", data.encode())
    return fields.shown


@pytest.mark.parametrize(
    ("content", "styles", "is_shown"),
    [
        ("", _styles(("Default", ""), ("Report", _DATE)), False),
        ("", _styles(("Default", _DATE), ("Report", "")), True),
        ("", _styles(("Mine", _DATE), ("Report", "")), True),
        ("", _styles(("Default", _FIXED)), False),
        ('<style:style style:master-page-name="Report"/>', _styles(("Default", ""), ("Report", _DATE)), True),
        ('<draw:page draw:master-page-name="A&amp;B"/>', _styles(("Default", ""), ("A&amp;B", _DATE)), True),
        ('<style:style style:master-page-name=""/>', _styles(("Default", ""), ("", "")), False),
        ("<text:p><text:time>12:00</text:time></text:p>", _styles(("Default", "")), True),
    ],
)
def test_a_date_of_a_page_style_counts_if_a_page_has_the_style(content: str, styles: str, is_shown: bool) -> None:
    assert _shown(content=content, styles=styles) == is_shown
    assert _shown(styles=styles, content=content) == is_shown


def test_dates_of_word_and_powerpoint_count() -> None:
    assert _shown(word__header1='<w:fldSimple w:instr=" DATE ">')
    assert _shown(ppt__slides__slide1='<a:fld type="datetime1">')
    assert not _shown(word__document="<w:t>DATE</w:t>")
