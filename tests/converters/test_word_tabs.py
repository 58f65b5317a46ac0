"""Tabs of Word documents part the words around them, wherever the text before them ends."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn
from tests.families.documents import files


def _tabbed(before: str, after: str, stops: str = "", run: str = "") -> str:
    tabs = f"<w:pPr><w:tabs>{stops}</w:tabs></w:pPr>" if stops else ""
    look = f"<w:rPr>{run}</w:rPr>" if run else ""
    return f"<w:p>{tabs}<w:r>{look}<w:t>{before}</w:t><w:tab/><w:t>{after}</w:t></w:r></w:p>"


def _gaps(data: bytes, after: str) -> list[tuple[str, float]]:
    """Each line with `after`, and the gap before that word in points."""
    found = []
    for page in pypdfium2.PdfDocument(io.BytesIO(data)):
        text = page.get_textpage()
        whole, at = text.get_text_range(), 0
        while (at := whole.find(after, at)) >= 0:
            before = at - 1
            while whole[before].isspace():
                before -= 1
            begin = whole.rfind("\n", 0, at) + 1
            found.append((whole[begin : at + len(after)], text.get_charbox(at)[0] - text.get_charbox(before)[2]))
            at += len(after)
    return found


@drawn
@pytest.mark.parametrize(
    ("letters", "stops", "run"),
    [
        ("im", "", ""),
        ("i", '<w:tab w:val="left" w:pos="1500"/>', ""),
        ("i", '<w:tab w:val="right" w:pos="2000"/>', ""),
        ("i", '<w:tab w:val="center" w:pos="1500"/>', ""),
        ("Wm", "", '<w:sz w:val="56"/>'),
        ("Ж", "", '<w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:b/>'),
        ("日本", "", ""),
        ("il", "", '<w:spacing w:val="10"/>'),
    ],
)
def test_a_tab_parts_its_words_however_long_the_text_before_it_is(
    letters: str, stops: str, run: str, tmp_path: Path
) -> None:
    most = 5 if "sz" in run else 18
    body = "".join(_tabbed(letters * count, "Next", stops, run) for count in range(1, most))
    gaps = _gaps(Convert(tmp_path, "docx-to-pdf", files.word(body)).data, "Next")
    assert len(gaps) == most - 1
    assert all(" Next" in line and gap > 1.5 for line, gap in gaps), gaps


@drawn
def test_a_tab_after_a_line_break_counts_from_the_start_of_its_line(tmp_path: Path) -> None:
    text = "<w:t>A first line of some length</w:t><w:br/><w:t>i</w:t><w:tab/><w:t>Next</w:t>"
    data = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p><w:r>{text}</w:r></w:p>")).data
    page = pypdfium2.PdfDocument(io.BytesIO(data))[0].get_textpage()
    whole = page.get_text_range()
    lefts = [page.get_charbox(whole.index(each))[0] for each in ("A first", "Next")]
    assert 35 < lefts[1] - lefts[0] < 38
