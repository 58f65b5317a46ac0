"""What documents made from RTF files keep of their structure: headings, links, merged cells, lists and pages."""

from __future__ import annotations

import io
import zipfile

import pytest
from lxml import etree

from engine.families.documents.ooxml.made import W
from tests.converters.test_documents import Convert, Path

_STYLES = r"{\stylesheet{\s0 Normal;}{\s1\b\fs36 heading 1;}{\s2\outlinelevel1\i Section;}}"


def _body(done: Convert) -> etree._Element:
    with zipfile.ZipFile(io.BytesIO(done.data)) as parts:
        return etree.fromstring(parts.read("word/document.xml"))


def test_styles_and_outline_levels_make_headings_without_their_looks(tmp_path: Path) -> None:
    text = (
        r"\pard\plain\s1\b\fs36 One\par\pard\plain\s2\i Two\par\pard\plain\outlinelevel2 Three\par\pard\plain text\par"
    )
    done = Convert(tmp_path, "rtf-to-markdown", rf"{{\rtf1\ansi{_STYLES}{text}}}")
    assert done.text.split("\n\n") == ["# One", "## Two", "### Three", "text\n"]


def test_the_title_in_the_information_stands_above_a_text_without_headings_only(tmp_path: Path) -> None:
    info = r"{\info{\title Report}{\author Ada}}"
    plain = Convert(tmp_path, "rtf-to-markdown", rf"{{\rtf1\ansi{info}\pard text\par}}")
    assert plain.text.startswith("# Report\n\nAda\n")
    headed = Convert(tmp_path, "rtf-to-markdown", rf"{{\rtf1\ansi{_STYLES}{info}\pard\s1 One\par}}")
    assert headed.text == "# One\n"
    assert "The title of the document was left out: Report." in headed.messages


@pytest.mark.parametrize("target", ["docx", "odt"])
def test_a_title_that_is_not_shown_is_still_what_the_file_calls_itself(target: str, tmp_path: Path) -> None:
    text = rf"{{\rtf1\ansi{_STYLES}{{\info{{\title Report}}}}\pard\s1 One\par}}"
    done = Convert(tmp_path, f"rtf-to-{target}", text)
    with zipfile.ZipFile(io.BytesIO(done.data)) as parts:
        about, body = (
            parts.read(name).decode()
            for name in {"docx": ("docProps/core.xml", "word/document.xml"), "odt": ("meta.xml", "content.xml")}[target]
        )
    assert "Report" in about
    assert "Report" not in body


def test_a_link_of_several_looks_is_one_link(tmp_path: Path) -> None:
    link = r'{\field{\*\fldinst HYPERLINK "https://example.org/a" \\o "tip"}{\fldrslt one {\b two} three}}'
    done = Convert(tmp_path, "rtf-to-markdown", rf"{{\rtf1\ansi See {link}.\par}}")
    assert done.text == "See [one **two** three](https://example.org/a).\n"


def test_merged_cells_are_merged_and_columns_stay(tmp_path: Path) -> None:
    rows = (
        r"\trowd\clvmgf\cellx1000\cellx2000\cellx3000\intbl A\cell B\cell C\cell\row"
        r"\trowd\clvmrg\cellx1000\cellx3000\intbl\cell D\cell\row"
    )
    done = Convert(tmp_path, "rtf-to-docx", rf"{{\rtf1\ansi {rows}\pard end\par}}")
    table = _body(done).find(f".//{W}tbl")
    cells = [["".join(cell.itertext(f"{W}t")) for cell in row.iterfind(f"{W}tc")] for row in table.iterfind(f"{W}tr")]
    assert cells == [["A", "B", "C"], ["", "D"]]
    assert [each.get(f"{W}val") for each in table.iter(f"{W}gridSpan")][-1] == "2"
    assert len(table.findall(f"{W}tr/{W}tc/{W}tcPr/{W}vMerge")) == 2
    assert len(table.findall(f"{W}tblGrid/{W}gridCol")) == 3


_LISTS = (
    r"{\*\listtable{\list{\listlevel\levelnfc%d\levelstartat1{\leveltext%s;}{\levelnumbers;}}\listid7}}"
    r"{\*\listoverridetable{\listoverride\listid7\listoverridecount0\ls1}}"
)


@pytest.mark.parametrize(
    ("kind", "pattern", "label", "shown"),
    [
        (0, r"\'02\'00)", "1)", "1)"),
        (1, r"\'02\'00.", "I.", "I."),
        (4, r"\'02\'00.", "a.", "a."),
        (23, r"\'01\u8226 ?", r"\bullet", "-"),
        (0, r"\'01\u8226 ?", r"\bullet", "-"),
        (0, r"\'01\u8226 ?", "B.", "A."),
    ],
)
def test_items_are_numbered_as_their_list_says(kind: int, pattern: str, label: str, shown: str, tmp_path: Path) -> None:
    item = rf"\pard{{\listtext {label}\tab}}\ls1 item\par"
    done = Convert(tmp_path, "rtf-to-txt", rf"{{\rtf1\ansi{_LISTS % (kind, pattern)}{item}}}")
    assert done.text.split() == [shown, "item"]


def test_letters_in_capitals_are_such_letters_in_plain_text(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-txt", r"{\rtf1\ansi a {\caps loud} word\par}")
    assert done.text == "a LOUD word\n"


def test_the_break_of_a_section_is_that_of_the_next_one(tmp_path: Path) -> None:
    text = r"\sectd\sbknone one\par\sect\sectd\sbkpage two\par\sect\sectd\sbknone three\par"
    done = Convert(tmp_path, "rtf-to-docx", rf"{{\rtf1\ansi {text}}}")
    broken = {
        "".join(each.itertext(f"{W}t")): each.find(f"{W}pPr/{W}pageBreakBefore") is not None
        for each in _body(done).iter(f"{W}p")
    }
    assert broken == {"one": False, "two": True, "three": False}
