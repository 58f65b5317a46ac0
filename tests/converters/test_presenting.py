"""Documents as presentations: where slides begin, what the speaker says, and that nothing runs off."""

from __future__ import annotations

import base64
import io
import itertools
import zipfile
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from engine.toolkit.failures import OverLimit
from tests.converters.test_documents import Convert
from tests.families.documents.files import DATA_URI
from tests.families.documents.presenting.vectors import Slide, revealed, slides

HEIGHT = 540 * 12_700
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def presented(folder: Path, text: str, slug: str = "markdown-to-pptx", **options: object) -> list[Slide]:
    return slides(Convert(folder, slug, text.encode(), **options).data)


def titles(folder: Path, text: str, **options: object) -> list[str]:
    return [each.title for each in presented(folder, text, **options)]


def test_slides_begin_at_the_highest_level_that_has_text(tmp_path: Path) -> None:
    text = "# Part\n\n## A\n\none\n\n### Inner\n\ntwo\n\n# Other\n\n## B\n\nthree\n"
    assert titles(tmp_path, text) == ["Part", "A", "Other", "B"]


@pytest.mark.parametrize(("level", "expected"), [(1, ["Part", "Other"]), (3, ["Part", "A", "Inner", "Other", "B"])])
def test_level_is_an_option(tmp_path: Path, level: int, expected: list[str]) -> None:
    text = "# Part\n\n## A\n\none\n\n### Inner\n\ntwo\n\n# Other\n\n## B\n\nthree\n"
    assert titles(tmp_path, text, slideLevel=level) == expected


def test_only_heading_of_its_level_at_the_top_is_the_title_of_all(tmp_path: Path) -> None:
    found = presented(tmp_path, "# All\n\nA subtitle\n\n## A\n\none\n\n## B\n\ntwo\n")
    assert [(each.title, each.lines) for each in found] == [("All", ("A subtitle",)), ("A", ("one",)), ("B", ("two",))]


def test_rule_begins_a_slide_without_a_title(tmp_path: Path) -> None:
    assert [(each.title, each.lines) for each in presented(tmp_path, "## A\n\none\n\n---\n\ntwo\n")] == [
        ("A", ("one",)),
        ("", ("two",)),
    ]


def test_speaker_notes_are_not_on_the_slide(tmp_path: Path) -> None:
    for notes in ("::: notes\nBreathe\n:::\n", '<aside class="notes">Breathe</aside>\n', "> **Notes**\n>\n> Breathe\n"):
        (slide,) = presented(tmp_path, f"# A\n\none\n\n{notes}")
        assert (slide.lines, slide.notes) == (("one",), "Breathe")
    (slide,) = presented(tmp_path, "# A\n\n```\n::: notes\n:::\n```\n")
    assert "::: notes" in slide.lines


def test_presentation_comes_back_as_it_went(tmp_path: Path) -> None:
    text = "## Plan\n\n- one\n  - inner\n\n4. four\n5. five\n\n> **Notes**\n>\n> Breathe\n"
    made = Convert(tmp_path, "markdown-to-pptx", text.encode()).data
    lines = Convert(tmp_path, "pptx-to-markdown", made).text.split("\n")
    assert [each for each in lines if each.strip()] == [
        "## Plan", "- one", "  - inner", "4.  four", "5.  five", "> **Notes**", ">", "> Breathe",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        "\n".join(f"- Point {at}: " + "lorem ipsum dolor sit amet " * 4 for at in range(60)),
        "word " * 3_000,
        "東京" * 2_000,
        "| A | B |\n|---|---|\n" + "\n".join(f"| row {at} | {'text ' * (at % 30)} |" for at in range(80)),
        "| A | B |\n|---|---|\n| " + "cell " * 3_000 + " | b |",
        "```\n" + "\n".join(f"line {at} " + "x" * (at * 3) for at in range(80)) + "\n```",
        "\n\n".join(f"### Part {at}\n\n" + "text " * 60 for at in range(20)),
    ],
)
def test_what_is_longer_than_a_slide_goes_on_on_the_next_and_is_reported(tmp_path: Path, body: str) -> None:
    done = Convert(tmp_path, "markdown-to-pptx", f"# Long\n\n{body}\n".encode(), slideLevel=1)
    found = slides(done.data)
    assert len(found) > 1
    assert [each.title for each in found] == ["Long", *(f"Long ({at})" for at in range(2, len(found) + 1))]
    assert all(0 < each.low <= HEIGHT for each in found)
    words = "".join(itertools.chain.from_iterable(line.split() for each in found for line in each.lines))
    for each in ("Point 59:", "row 79", "line 79", "Part 19"):
        assert each not in body or each.replace(" ", "") in words
    for each in ("東京", "cell", "word"):
        assert words.count(each) == body.count(each)
    assert done.codes == {"VALUE_CONVERTED"}


def test_head_of_a_table_stands_on_every_slide(tmp_path: Path) -> None:
    rows = "\n".join(f"| row {at} | x |" for at in range(40))
    found = presented(tmp_path, f"# T\n\n| Name | B |\n|---|---|\n{rows}\n")
    assert len(found) > 1
    assert all("Name" in each.lines for each in found)


def test_merged_cells_and_many_columns_keep_every_word(tmp_path: Path) -> None:
    wide = "".join(f"<td>c{at}</td>" for at in range(40))
    body = f"<table><tr><th rowspan=2>A<th colspan=2>B<tr><td>C<td>D</table><table><tr><th>x</th>{wide}</table>"
    found = presented(tmp_path, f"<h1>T</h1>{body}", "html-to-pptx")
    notes = [line for each in found for line in each.lines]
    assert [each for each in ("A", "B", "C", "D", *(f"c{at}" for at in range(40))) if notes.count(each) != 1] == []
    assert sum(each.tables for each in found) == 4


def test_pictures_fit_the_slide(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.new("RGB", (3000, 9000)).save(file, "WEBP")
    tall = f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"
    body = f'<h1>T</h1><p>{"text " * 300}</p><p><img src="{tall}"><img src="{DATA_URI}" alt="Small"></p>'
    found = presented(tmp_path, body, "html-to-pptx")
    assert sum(each.pictures for each in found) == 2
    assert all(each.low <= HEIGHT for each in found)


def test_more_slides_than_a_presentation_may_have_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OverLimit):
        Convert(tmp_path, "markdown-to-pptx", b"# x\n\n" * 2_100)


def test_slides_of_a_web_page_stand_in_columns_below_their_chapters(tmp_path: Path) -> None:
    source = (
        "---\ntitle: Talk\n---\n\n# One\n\n## First\n\ntext\n\n::: notes\nSay this\n:::\n\n## Second\n\n### Small\n\n"
        "---\n\nafter the rule\n\n# Two\n\n## Third\n\n![far](https://example.org/a.png)"
    )
    done = Convert(tmp_path, "markdown-to-revealjs", source.encode(), slideLevel=2)
    found = revealed(done.data)
    assert [text for _, text in found.slides] == [
        "Talk", "One", "First text", "Second Small", "after the rule", "Two", "Third far",
    ]  # fmt: skip
    assert [level for level, _ in found.slides] == [1, 2, 2, 2, 2, 2, 2]
    assert "Say this" in found.notes
    assert done.codes == {"REMOTE_RESOURCE_BLOCKED"}
    assert b"example.org" not in done.data


def _grid_of(data: bytes) -> tuple[list[int], list[list[dict[str, str]]]]:
    """The widths of the columns of the first table, in points, and what each cell says of its reach."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        root = etree.fromstring(parts.read("ppt/slides/slide1.xml"))
    table = next(root.iter(f"{_A}tbl"))
    widths = [round(int(each.get("w")) / 12_700) for each in table.iter(f"{_A}gridCol")]
    return widths, [[dict(cell.attrib) for cell in row.iter(f"{_A}tc")] for row in table.iter(f"{_A}tr")]


def test_columns_in_which_no_cell_begins_are_joined(tmp_path: Path) -> None:
    text = (
        "<table><tr><td colspan=3>One</td><td colspan=2>Two</td><td>Three</td></tr>"
        "<tr><td colspan=3>Four</td><td>Five</td><td>Six</td><td>Seven</td></tr></table>"
    )
    widths, rows = _grid_of(Convert(tmp_path, "html-to-pptx", text.encode()).data)
    assert len(widths) == 4
    assert rows == [[{}, {"gridSpan": "2"}, {"hMerge": "1"}, {}], [{}, {}, {}, {}]]


def test_cells_over_several_columns_make_them_wide_enough(tmp_path: Path) -> None:
    long = "Words that stand on one line where there is room for them. " * 4
    text = f"<table><tr><td>A</td><td colspan=2>{long}</td></tr><tr><td>B</td><td>C</td><td>D</td></tr></table>"
    widths, rows = _grid_of(Convert(tmp_path, "html-to-pptx", text.encode()).data)
    assert [len(each) for each in rows] == [3, 3]
    assert sum(widths[1:]) > 600
    assert widths[0] < 100
