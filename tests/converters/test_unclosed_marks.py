"""Marks that are opened and never closed cost a count, and honest text keeps its marks."""

from __future__ import annotations

import pytest

from engine.families.documents import emphasis, restructured, safe_html
from engine.families.documents.markup import bounds
from engine.families.documents.markup.unclosed import Emphasis
from engine.families.html_pdf.styles import PageStyles
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import JIRA, LATEX, MAN, MEDIAWIKI, ORG, TEXTILE, TYPST, Format
from engine.toolkit.warnings import Warn


@pytest.mark.parametrize("fragment", ["`a ", "{{a", "|a", "a-", "`a <b ", "'a"])
def test_text_that_is_read_in_vain_again_and_again_is_refused(fragment: str) -> None:
    with pytest.raises(OverLimit) as raised:
        restructured.check(fragment * (20_000 // len(fragment)))
    assert raised.value.reason == "limit"


@pytest.mark.parametrize(
    "text",
    [
        "See :ref:`Words <words>` and `a site <https://example.org/a-b>`__ of `names`_. " * 10_000,
        "+---+---+\n" + "|a  |b  |\n" * 5_000 + "+---+---+\n",
        "|a| *b **c ``d " * 20_000,
        "data:image/png;base64," + "ab/cd+" * 50_000,
    ],
    ids=["roles", "a table of narrow cells", "other marks", "bytes as letters"],
)
def test_text_that_is_read_once_is_not(text: str) -> None:
    restructured.check(text)


@pytest.mark.parametrize("format", [ORG, TEXTILE, JIRA], ids=lambda each: each.id)
@pytest.mark.parametrize("fragment", ["*a_ ", "*a _b ", "a *b ^c_ "])
def test_marks_that_others_seem_to_close_are_text(format: Format, fragment: str) -> None:
    assert "*" not in bounds.bounded(fragment * 1_000, format)


def test_the_first_word_of_an_org_file_opens_emphasis_everywhere() -> None:
    assert "*" not in bounds.bounded("a**b" * 1_000, ORG)
    assert bounds.bounded("x " + "a*b " * 1_000, ORG).count("*") == 1_000


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (ORG, "Put it in =~/.emacs.d/init.el= or =~/.emacs=, not in =~/.config/=.\n" * 200),
        (ORG, "- in =+lang=\n- in =+tools= (moved)\n" * 200),
        (ORG, "*bold* /slanted/ _under_ +gone+ ~code~ =verbatim=\n" * 200),
        (TEXTILE, "* an item with *bold* and _slanted_ words\n" * 200),
        (JIRA, "*bold* _slanted_ ^up^ ~down~ -gone-\n" * 200),
    ],
)
def test_closed_marks_stay(format: Format, text: str) -> None:
    assert bounds.bounded(text, format) == text


def test_each_unclosed_mark_doubles_what_is_read_again() -> None:
    read = Emphasis(TEXTILE)
    assert [read.repeated(text) for text in ("*a* b", "*a b", "*a _b c", "*a\n*b")] == [0, 5, 24, 6]


def test_a_man_page_of_one_long_line_is_refused() -> None:
    assert bounds.bounded("word " * 2_400 + "\n", MAN)
    with pytest.raises(OverLimit) as raised:
        bounds.bounded("*a " * 30_000, MAN)
    assert raised.value.reason == "limit"


@pytest.mark.parametrize("tag", ["<div style='columns:2'>", "<ul><li>x", "<table><tr><td>", "<BLOCKQUOTE>"])
def test_deep_pages_are_refused_before_they_are_parsed(tag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.families.documents.safe_html.nh3.clean", lambda *_, **__: pytest.fail("parsed"))
    with pytest.raises(Unreadable, match="more than 200 levels"):
        safe_html.clean(tag * 1_100, Warn())


@pytest.mark.parametrize("part", ["<div>x</div>", "<p>x", "<div><section>x</div>", "<script>'<div>'</script>", "<li>x"])
def test_long_pages_are_not_deep(part: str) -> None:
    assert "x" in safe_html.clean("<p>x" + part * 3_000, Warn())


def test_a_page_too_deep_for_its_selectors_is_refused() -> None:
    page = "<style>table td{color:red}</style><table><tr>" + "<td=n>3" * 3_000
    with pytest.raises(Unreadable, match="more than 200 levels"):
        PageStyles(page, Warn())


@pytest.mark.parametrize("keyword", ["TITLE", "author", "LATEX_HEADER", "HTML_HEAD_EXTRA"])
def test_lines_of_one_keyword_are_counted(keyword: str) -> None:
    assert bounds.bounded(f"#+{keyword}: x\n" * 250, ORG)
    with pytest.raises(OverLimit) as raised:
        bounds.bounded(f"#+{keyword}: x\n" * 251, ORG)
    assert raised.value.reason == "limit"


def test_terms_of_textile_without_a_definition_are_text() -> None:
    terms = "- a\n" * 4_000
    bounded = bounds.bounded(f"{terms}\n- term := definition\n\nfoo - bar\n", TEXTILE)
    assert bounded.count("- ") == 2
    assert len(bounded.splitlines()) == 4_004


def test_a_paragraph_with_more_emphasis_than_can_be_written_is_refused() -> None:
    assert emphasis.is_heavy("*a **a " * 20_000)
    with pytest.raises(OverLimit) as refused:
        emphasis.is_heavy("*a **a " * 40_000)
    assert refused.value.reason == "limit"


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (LATEX, "{" * 41 + "a" + "}" * 41),
        (LATEX, "\\begin{quote}" * 41 + "a" + "\\end{quote}" * 41),
        (TYPST, "(" * 15 + "a" + ")" * 15),
        (MEDIAWIKI, "{|\n|a\n" * 13 + "|}\n" * 13),
        (MAN, ".Oo\n" * 61 + ".Oc\n" * 61),
        (ORG, "*" * 1_001),
        (TEXTILE, "(a " * 251),
    ],
)
def test_marks_that_are_nested_too_deep_are_over_a_limit(format: Format, text: str) -> None:
    with pytest.raises(Unreadable) as raised:
        bounds.bounded(text, format)
    assert raised.value.reason == "limit"


def test_groups_that_are_never_closed_are_damage() -> None:
    with pytest.raises(Unreadable) as raised:
        bounds.bounded("{" * 11 + "a", LATEX)
    assert raised.value.reason == "damaged"


def test_marks_in_braces_close_each_other_in_jira() -> None:
    formula = "C{~}6{~}H{~}12{~}O{~}6{~}, C{~}n{~}H{~}_2n_{~}O{~}n{~}, a{^}_b_{^}d.\n"
    assert bounds.bounded(formula * 200, JIRA) == formula * 200
    assert "~" not in bounds.bounded("{~}a{_}b{~}c{_}d " * 1_000, JIRA)
