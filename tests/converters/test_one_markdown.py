"""Markdown reads the same in a page, a PDF and a Word document: formulas, callouts, definitions, contents, emoji."""

from __future__ import annotations

import re
import subprocess
import time
import zipfile
from html import unescape
from pathlib import Path

import pypdfium2
import pytest

from engine.conversion import convert
from engine.families.documents import pandoc
from engine.families.documents.dialect import blocks, inline_notes, tex, written
from engine.families.documents.dialect.formulas import Formulas

TEXT = """\
---
title: Maths and more
---
# Maths and more

[TOC]

## Energy

With $E=mc^2$ it costs $5, or $10 for two, and US$ 3 :smile: `$x_1$ :smile:`

> [!NOTE]
> careful

:::tip Look here
There
:::

Term
: First meaning $q_7$

    goes on

: Second meaning

- [x] done

Said[^1]

[^1]: the note
"""


def made(folder: Path, text: str, *targets: str) -> tuple[dict[str, str], list[str]]:
    """What is in each target, and all warnings."""
    source = folder / "input.md"
    source.write_text(text)
    found, messages = {}, []
    for each in targets:
        path = folder / f"output.{each}"
        messages += [str(each.message) for each in convert(source, path, sandbox=False).warnings]
        found[each] = content(path)
    return found, messages


def content(path: Path) -> str:
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as pdf:
            return "\n".join(page.get_textpage().get_text_range() for page in pdf)
    if path.suffix == ".docx":
        with zipfile.ZipFile(path) as package:
            return package.read("word/document.xml").decode()
    if path.suffix == ".odt":
        with zipfile.ZipFile(path) as package:
            return package.read("content.xml").decode()
    return path.read_text()


def words(markup: str) -> str:
    """The letters and digits of a text or a page, without its styles and between them nothing."""
    body = re.sub(r"(?s)<(style|title|w:instrText)\b.*?</\1>", "", markup)
    return re.sub(r"[^\w$:]|\d+(?=the note)", "", unescape(re.sub(r"<[^>]*>", "", body)).replace("⃗", ""))


def test_the_three_targets_say_the_same(tmp_path: Path) -> None:
    found, messages = made(tmp_path, TEXT, "html", "pdf", "docx")
    assert messages == []
    expected = (
        "MathsandmoreMathsandmoreEnergyEnergyWithEmc2itcosts$5or$10fortwoandUS$3$x_1$:smile:NotecarefulLookhereThere"
        "TermFirstmeaningq7goesonSecondmeaningdoneSaid"
    )
    for each in found.values():
        assert words(each).replace("Said1", "Said").startswith(expected)


def test_formulas_are_formulas_in_each_target(tmp_path: Path) -> None:
    found, _ = made(tmp_path, TEXT, "html", "docx")
    assert found["html"].count("<math") == found["docx"].count("<m:oMath>") == 2
    assert "<msup><mi>c</mi><mn>2</mn></msup>" in found["html"]
    assert "<dl>\n<dt>Term</dt>\n<dd><p>First meaning <math" in found["html"]
    assert '<blockquote class="callout note">' in found["html"]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6, or ($5/$10). US$5 and CA$7, $20,000 and $30,000.",
        "It costs $5, or $10 for two, and US$ 3 or 4$.",
        "Set $HOME and $PATH, then $HOME/$USER.",
        "- costs $a\n- and b$ more",
        "| a$ | b$ |\n| --- | --- |\n| $5 | $6 |",
        "~~~\n$a$ and\n~~~\n\n    $b$\n\n`$c$` and <!-- $d$ --> [x](http://example.org/$e$)",
    ],
)
def test_prices_variables_and_code_are_no_formulas(text: str, tmp_path: Path) -> None:
    found, _ = made(tmp_path, text, "html", "docx")
    assert "<math" not in found["html"]
    assert "<m:oMath" not in found["docx"]
    assert "\ufdd0" not in found["html"] + found["docx"]


def test_formulas_that_can_not_be_read_are_shown_as_written_with_their_count(tmp_path: Path) -> None:
    found, messages = made(tmp_path, "Both $\\foo{x}$ and $\\left( x$ and $y$.\n", "html")
    assert messages == ["Formulas that can't be read are shown as written: 2 ($\\foo{x}$, $\\left( x$)."]
    assert "<code>$\\foo{x}$</code>" in found["html"]


def test_a_formula_carries_no_address_and_no_markup_of_its_own(tmp_path: Path) -> None:
    found, _ = made(tmp_path, "A $\\href{javascript:alert(1)}{x}$ $a<b>c</b>$ $\\text{<script>}$\n", "html")
    body = found["html"].partition("<body>")[2]
    assert "javascript" not in body
    assert "<script" not in body
    assert "<b>" not in body


PAGE = (
    "<!DOCTYPE html><title>x</title><p>If <b>bold</b> <math><mfrac><mi>a</mi><mn>2</mn></mfrac>"
    "<annotation-xml encoding='text/html'><p onclick='x()'>y</p></annotation-xml></math> holds, z</p>"
)


def test_formulas_of_a_page_are_formulas_in_documents(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    source.write_text(PAGE)
    expected = {"docx": "<m:f>", "md": "$`\\frac{a}{2}`$"}
    for target, formula in expected.items():
        convert(source, tmp_path / f"page.{target}", sandbox=False)
        found = content(tmp_path / f"page.{target}")
        assert formula in found
        assert "holds, z" in found
        assert "onclick" not in found


def test_formulas_of_any_depth_end_in_time() -> None:
    assert tex.mathml("{" * 5_000 + "x" + "}" * 5_000, display=False) is None
    assert tex.mathml("\\sum_{i=1}^n i", display=True) is not None


def test_the_emoji_are_those_that_pandoc_reads() -> None:
    names = written._names()
    text = "\n\n".join(f":{name}:" for name in names)
    done = subprocess.run([pandoc.PROGRAM, "-f", "gfm", "-t", "plain"], input=text.encode(), capture_output=True)
    assert done.stdout.decode().split() == list(names.values())


def test_definitions_need_a_term_of_one_line(tmp_path: Path) -> None:
    found, messages = made(tmp_path, "One line\nand another\n: no definition\n", "html")
    assert "<dl>" not in found["html"]
    assert messages == ["Notation from other Markdown dialects is shown as written: 1 (: no definition)."]


def test_a_division_with_a_long_name_is_read_in_time() -> None:
    started = time.process_time()
    assert blocks.rewritten(f"::: {'a' * 40_000}{{\n\n: x") == f"::: {'a' * 40_000}{{\n\n: x"
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "text",
    [
        "$`a " * 100_000 + "`$",
        "\\( a " * 100_000 + "\\)",
        "\\\\$1 " * 100_000 + "$",
        ("\\( a " * 3_000 + "\n- \\)") * 30,
        " ".join("`" * length for length in range(1, 1_000)),
    ],
    ids=["dollars and backticks", "brackets", "escaped dollars", "items", "backticks"],
)
def test_openings_without_a_closing_nearby_are_passed_in_time(text: str) -> None:
    started = time.process_time()
    Formulas(brackets=True).keep(text)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "written_by_hand",
    [
        "[a](http://x.example/%EF%B7%900%EF%B7%91) [b](http://x.example/%EF%B7%9099%EF%B7%91)",
        "&#xFDD0;0&#xFDD1; &#64976;99&#64977;",
        '<a href="http://x.example/%EF%B7%9099%EF%B7%91">b</a>',
        "`&#xFDD0;0&#xFDD1;` <b title='&#xFDD0;99&#xFDD1;'>b</b>",
    ],
    ids=["addresses", "references", "tags", "code"],
)
def test_a_mark_written_by_hand_is_no_formula(written_by_hand: str, tmp_path: Path) -> None:
    found, _ = made(tmp_path, f"$q_7$ hello {written_by_hand} world\n", "html", "docx")
    assert found["html"].count("<math") == found["docx"].count("<m:oMath>") == 1
    assert "q_7" not in found["docx"]
    assert "world" in found["docx"]


def test_formulas_in_headings_and_addresses_give_the_same_text_each_time(tmp_path: Path) -> None:
    text = "# Energy $E$\n\n[TOC]\n\n[x](http://x.example/$e$) `$c$` <http://x.example/?$f$>\n"
    found, _ = made(tmp_path, text, "html", "docx", "rst")
    again, _ = made(tmp_path, text, "html", "docx", "rst")
    assert found == again
    assert "http://x.example/$e$" in found["html"]
    assert "http://x.example/$e$" in found["rst"]
    assert not re.search("[\ufdd0-\ufdef]|%EF%B7", "".join(found.values()))


def test_formulas_in_titles_of_links_are_shown_as_written(tmp_path: Path) -> None:
    found, _ = made(tmp_path, '[a](http://x.example/ "of $x$") ![b](http://x.example/p.png "of $y$")\n', "odt")
    assert 'office:name="of $x$"' in found["odt"]
    assert not re.search("[\ufdd0-\ufdef]", found["odt"])


def test_raised_brackets_of_formulas_are_no_notes(tmp_path: Path) -> None:
    found, messages = made(tmp_path, "$x^[2]$ and a^[note]\n\n$$y^[3]$$\n", "txt", "html")
    assert not messages
    assert "inline-note-2" not in found["html"]
    assert words(found["txt"]) == "x2anda1y31note"


def test_inline_notes_are_footnotes_in_each_target(tmp_path: Path) -> None:
    text = "One^[a *note* with [a link](https://example.org)] two[^1].\n\n[^1]: written below\n"
    found, messages = made(tmp_path, text, "html", "pdf", "docx")
    assert not messages
    assert re.search(
        r'<li id="fn-inline-note-1">\s*<p>a <em>note</em> with <a href="https://example.org"', found["html"]
    )
    for each in found.values():
        assert "^[" not in each
    assert "anotewithalink" in words(found["pdf"])
    with zipfile.ZipFile(tmp_path / "output.docx") as archive:
        notes = words(archive.read("word/footnotes.xml").decode())
    assert notes.index("anotewithalink") < notes.index("writtenbelow")


@pytest.mark.parametrize(
    "text",
    ["`a^[b]`", "```\na^[b]\n```", "    a^[b]", "a\\^[b]", "a^[b\n\nc]", "a^[]", "a^[b", "~~~\na^[b]\n\n~~~"],
)
def test_code_and_open_brackets_are_no_notes(text: str) -> None:
    assert inline_notes.numbered(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "<div>\none^[two] three\n</div>", "> <p>one^[two]", "<b title='^[one]'>x</b>",
        "<http://one.org/^[two]>", "[one](http://one.org/^[two])", "One[^1].\n\n[^1]: two^[three]\n",
    ],
)  # fmt: skip
def test_words_of_notes_stay_where_notes_can_not_be(text: str, tmp_path: Path) -> None:
    assert inline_notes.numbered(text) == text
    _, messages = made(tmp_path, text, "html", "docx", "txt")
    assert not messages


def test_a_note_after_an_address_is_a_footnote(tmp_path: Path) -> None:
    found, messages = made(tmp_path, "See http://one.org/a^[two words] there.", "html", "txt")
    assert not messages
    assert '<a href="http://one.org/a">' in found["html"]
    assert words(found["txt"]) == "Seehttp:oneorga1there1twowords"


def test_labels_of_notes_are_unlike_those_of_the_text() -> None:
    made = inline_notes.numbered("a^[b] c[^inline-note-1]\n\n[^inline-note-1]: d\n")
    assert made.startswith("a[^inline-note--1] c[^inline-note-1]")
    assert "[^inline-note--1]: b" in made


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("```math\nx^2\n```\n", "<body>"),
        ("a\n\n````math\nx^2\n````\n\nb\n", "<p>a</p>"),
        ("> ```math\n> x^2\n> ```\n", "<blockquote>"),
        ("- a\n\n  ```math\n  x^2\n  ```\n", "<p>a</p>"),
    ],
)
def test_a_fence_of_maths_is_a_formula_where_it_stands(text: str, around: str, tmp_path: Path) -> None:
    found, messages = made(tmp_path, text, "html", "docx")
    assert messages == []
    assert re.search(rf"{around}\s*<p><math[^>]* display=\"block\"><mrow><msup>", found["html"])
    assert "<m:sSup>" in found["docx"]


def test_a_fence_of_maths_within_code_is_code(tmp_path: Path) -> None:
    found, _ = made(tmp_path, "~~~\n```math\nx^2\n```\n~~~\n\n    ```math\n    y\n    ```\n", "html")
    assert "<math" not in found["html"]
    assert found["html"].count("```math") == 2
