"""Tables of documents: cells that pandoc alone would lose, tables that only lay out, texts in parts of other names."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from engine.toolkit.failures import Unreadable
from tests.converters.test_documents import Convert
from tests.families.documents import files

_NESTED = rb"""{\rtf1\ansi
\trowd\cellx3000\cellx6000
\pard\intbl One\cell
\pard\intbl Before\par
\pard\intbl\itap2 A\nestcell B\nestcell{\*\nesttableprops\trowd\cellx1000\cellx2000\nestrow}{\nonesttables\par}
\pard\intbl\itap2 C\nestcell D\nestcell{\*\nesttableprops\trowd\cellx1000\cellx2000\nestrow}{\nonesttables\par}
\pard\intbl After\cell\row
\pard Done\par}"""

_MAIL = """<table role="presentation"><tr><td><table><tr><td><h1>Offer</h1><p>First</p></td></tr><tr><td>
<table><thead><tr><th>Item</th><th>Price</th></tr></thead><tr><td>Tea</td><td>3</td></tr></table></td></tr></table></td></tr></table>"""


def renamed(document: bytes, name: str) -> bytes:
    """The same Word document with its text in a part of another name."""
    found = {}
    with zipfile.ZipFile(BytesIO(document)) as parts:
        for each in parts.namelist():
            data = parts.read(each)
            if each in ("_rels/.rels", "[Content_Types].xml"):
                data = data.replace(b"word/document.xml", f"word/{name}".encode())
            found[each.replace("document.xml", name)] = data
    return files.archive(found)


@pytest.mark.parametrize("slug", ["docx-to-markdown", "docx-to-odt"])
def test_the_text_of_a_word_document_may_be_in_a_part_of_any_name(tmp_path: Path, slug: str) -> None:
    plain = Convert(tmp_path, "docx-to-txt", renamed(files.docx(), "document2.xml"))
    assert "Quarterly report" in plain.text
    assert Convert(tmp_path, slug, renamed(files.docx_reviewed(), "text.xml")).data


def test_a_package_without_a_main_part_is_no_word_document(tmp_path: Path) -> None:
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>", "_rels/.rels": "<Relationships/>"}
    with pytest.raises(Unreadable):
        Convert(tmp_path, "docx-to-txt", files.archive(parts))


def test_rows_that_begin_beside_the_first_column_keep_their_cells(tmp_path: Path) -> None:
    def row(cells: str, skipped: str = "") -> str:
        return (
            f"<w:tr>{skipped}"
            + "".join(f"<w:tc><w:p><w:r><w:t>{c}</w:t></w:r></w:p></w:tc>" for c in cells)
            + "</w:tr>"
        )

    skip = '<w:trPr><w:gridBefore w:val="1"/></w:trPr>'
    table = "<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>" + row("y", skip) + row("AB") + row("z", skip)
    done = Convert(tmp_path, "docx-to-markdown", files.word(f"{table}</w:tbl>"))
    lines = [line.replace(" ", "").replace("-", "") for line in done.text.splitlines()]
    assert [line for line in lines if line.strip("|")] == ["||y|", "|A|B|", "||z|"]


def test_a_table_in_a_table_of_rtf_stays_one(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-txt", _NESTED)
    assert [word for word in done.text.split() if word.isalpha()] == ["One", "Before", *"ABCD", "After", "Done"]
    assert not done.codes
    assert Convert(tmp_path, "rtf-to-markdown", _NESTED).text.count("<table") == 2


def test_tables_that_lay_out_a_mail_become_what_is_in_them(tmp_path: Path) -> None:
    done = Convert(tmp_path, "html-to-markdown", _MAIL)
    assert done.text.startswith("# Offer\n\nFirst\n\n| Item | Price |\n")
    assert "<td" not in done.text
    assert "VALUE_CONVERTED" in done.codes
