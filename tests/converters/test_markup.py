"""Documents in markup: what pandoc's readers would show, lose or refuse, found before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.conversion import convert
from tests.converters.test_documents import Convert
from tests.families.documents import seen as texts
from tests.families.documents.markup import files

_LICENCE = "////\nUnder a licence\n\n////\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{_LICENCE}= Spooling\n:toc:\n\n== Words\n\nSaid.\n",
        f"{_LICENCE}\n= Spooling\n\n== Words\n\nSaid.\n".replace("\n", "\r\n"),
        f"= Spooling\n\n== Words\n\n//////\n----\n////\n//////\nSaid.\n\n{_LICENCE}",
        "= Spooling\n\n== Words\n\nSaid.\n\n////\nUnder a licence, to the end\n",
    ],
)
def test_comments_of_asciidoc_are_no_text(tmp_path: Path, text: str) -> None:
    done = Convert(tmp_path, "asciidoc-to-markdown", text).text
    assert [line for line in done.splitlines() if line] == ["# Spooling", "# Words", "Said."]


def test_what_looks_like_a_comment_in_code_is_code(tmp_path: Path) -> None:
    done = Convert(tmp_path, "asciidoc-to-markdown", "= A\n\n----\n////\nkept\n////\n----\n\nAfter.\n")
    assert "    ////\n    kept\n    ////\n" in done.text
    assert "After." in done.text


@pytest.mark.parametrize("target", ["epub", "html", "docx"])
def test_the_cover_of_a_book_is_its_first_picture(tmp_path: Path, target: str) -> None:
    inside = '<p><image l:href="#red.png"/></p>'
    assert inside in files.FB2
    book = files.FB2.replace(inside, "").replace(
        "<lang>", '<coverpage>\n<image l:href="#red.png"/>\n</coverpage><lang>'
    )
    seen = texts.SEEN[target](Convert(tmp_path, f"fb2-to-{target}", book).data)
    assert seen.pictures == 1
    assert "Sales grew in" in seen.text


@pytest.mark.parametrize("target", ["output.html", "output.md", "output.txt"])
@pytest.mark.parametrize("ending", ["\\", "\\ ", "\\\\\\"])
def test_a_backslash_at_the_end_of_a_line_of_org_is_text(ending: str, target: str, tmp_path: Path) -> None:
    source = tmp_path / "input.org"
    source.write_text(f"* A\n\nBackslash: {ending}\n\nMore.\n")
    result = convert(source, tmp_path / target, sandbox=False)
    made = result.path.read_text("utf-8")
    assert result.warnings == ()
    assert "Backslash:" in made
    assert "\\" in made
    assert "More." in made


def test_colours_of_jira_are_those_of_the_page(tmp_path: Path) -> None:
    text = "a {color:red}loud{color} b\n\n{color:#00ff00}\nblock\n{color}\n"
    page = Convert(tmp_path, "jira-to-html", text).text
    assert '<span style="color:red">loud</span>' in page
    assert '<div style="color:#00ff00">' in page
