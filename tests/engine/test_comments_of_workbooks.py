"""Notes and comments of sheets are kept where their cell is, and counted where it is not."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment

from engine.conversion import convert

_SPACE = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
_KIND = "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment"
_THREAD = (
    f'<ThreadedComments xmlns="{_SPACE}"><threadedComment ref="A2" id="{{1}}"><text>Is it &lt; 2?</text>'
    '</threadedComment><threadedComment ref="A2" id="{2}" parentId="{1}"><text>It is.</text></threadedComment>'
    "</ThreadedComments>"
)


def noted(*places: str) -> bytes:
    """A workbook with a table in C4:C9, of which rows 6 to 8 are empty, and notes on these cells."""
    book, made = openpyxl.Workbook(), io.BytesIO()
    for place in ("C4", "C5", "C9"):
        book.active[place] = f"cell {place}"
    for place in places:
        book.active[place].comment = Comment(f"about {place}", "Ada")
    book.save(made)
    return made.getvalue()


def threaded(*, with_note: bool) -> bytes:
    """A workbook with a comment and its reply on A2, and perhaps the note that older programs show for it."""
    book, made = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["name"])
    book.active.append(["Ada"])
    book.active["B1" if not with_note else "A2"].comment = Comment("[Threaded comment] Your version of Excel …", "tc=1")
    book.save(made)
    whole, relation = io.BytesIO(), f'<Relationship Id="rT" Type="{_KIND}" Target="../threads.xml"/>'
    with zipfile.ZipFile(made) as before, zipfile.ZipFile(whole, "w") as after:
        for each in before.namelist():
            data = before.read(each)
            if each == "xl/worksheets/_rels/sheet1.xml.rels":
                data = data.replace(b"</Relationships>", relation.encode() + b"</Relationships>")
                data = data if with_note else re.sub(rb"<Relationship [^>]*(?:comments|vml)[^>]*/>(?=.*rT)", b"", data)
            after.writestr(each, data)
        after.writestr("xl/threads.xml", _THREAD)
    return whole.getvalue()


def told(folder: Path, data: bytes, output: str) -> list[str]:
    """The warnings about comments."""
    source = folder / "input.xlsx"
    source.write_bytes(data)
    warnings = convert(source, folder / f"output.{output}", sandbox=False).warnings
    return [str(each.message) for each in warnings if each.code == "COMMENTS_DROPPED"]


def notes(path: Path) -> list[str]:
    """The notes of an ods file."""
    content = zipfile.ZipFile(path).read("content.xml").decode()
    found = re.findall("<office:annotation.*?</office:annotation>", content)
    return [" ".join(filter(None, re.split("<[^>]*>", each))) for each in found]


def test_notes_between_rows_stay_if_another_is_beyond_the_table(tmp_path: Path) -> None:
    assert told(tmp_path, noted("A1", "C5", "C7"), "ods") == ["Cell notes are not in the output: 1 (Sheet!A1)."]
    assert notes(tmp_path / "output.ods") == ["about C5", "about C7"]


@pytest.mark.parametrize("with_note", [True, False])
def test_a_comment_keeps_its_replies_instead_of_the_note_for_older_programs(tmp_path: Path, *, with_note: bool) -> None:
    assert told(tmp_path, threaded(with_note=with_note), "ods") == []
    assert notes(tmp_path / "output.ods") == ["Is it &lt; 2? It is."]


@pytest.mark.parametrize("with_note", [True, False])
@pytest.mark.parametrize("output", ["csv", "json", "html"])
def test_a_comment_is_named_where_the_output_has_none(tmp_path: Path, output: str, *, with_note: bool) -> None:
    data = threaded(with_note=with_note)
    assert told(tmp_path, data, output) == ["Cell notes are not in the output: 1 (Sheet!A2)."]
