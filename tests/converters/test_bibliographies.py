"""How entries of BibTeX and RIS are read, value by value."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.data.bibliographies import bibtex, ris
from engine.families.data.bibliographies.items import Item
from engine.families.data.bibliographies.latex import decoded
from engine.toolkit.warnings import Warn


def _bibtex(folder: Path, content: str) -> list[Item]:
    source = folder / "given.bibtex"
    source.write_text(content, "utf-8", newline="")
    return bibtex.read(source, Warn())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Ada Lovelace", {"family": "Lovelace", "given": "Ada"}),
        ("Jean de la Fontaine", {"family": "Fontaine", "given": "Jean", "non-dropping-particle": "de la"}),
        ("Gerard 't Hooft", {"family": "Hooft", "given": "Gerard", "non-dropping-particle": "'t"}),
        ("Jean {\\'e}mile Foo", {"family": "Foo", "given": "Jean", "non-dropping-particle": "émile"}),
        ("Jean {\\'E}mile Foo", {"family": "Foo", "given": "Jean Émile"}),
        ("Jan {\\o}re Foo", {"family": "Foo", "given": "Jan", "non-dropping-particle": "øre"}),
        ("Jan {\\O}re Foo", {"family": "Foo", "given": "Jan Øre"}),
        ("Jan {von} Foo", {"family": "Foo", "given": "Jan von"}),
        ("de Gaulle", {"literal": "de Gaulle"}),
        ("ada lovelace", {"literal": "ada lovelace"}),
        ("{Barnes, Noble}", {"literal": "Barnes, Noble"}),
        ("von Berg, Jr., Jan", {"family": "Berg", "given": "Jan", "non-dropping-particle": "von", "suffix": "Jr."}),
        ("Berg, F., Jan, Huang, S.", {"family": "Berg", "given": "Jan, Huang, S.", "suffix": "F."}),
        ("family=Rabble, given={Ann B}, prefix=von",
         {"family": "Rabble", "given": "Ann B", "dropping-particle": "von"}),
        ("useprefix=true, given=Ann, prefix=von, family=Rabble",
         {"family": "Rabble", "given": "Ann", "non-dropping-particle": "von"}),
        ("given=Ann, family=Rabble, given-i=AN", {"literal": "given=Ann, family=Rabble, given-i=AN"}),
    ],
)  # fmt: skip
def test_names_of_bibtex_are_split_as_bibtex_splits_them(tmp_path: Path, given: str, expected: Item) -> None:
    (found,) = _bibtex(tmp_path, f"@book{{a, author = {{{given}}}}}")
    assert found["author"] == [expected]


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("{C:\\temp\\}", "C:\\temp\\"),
        ("{a \\{ b}", "a { b"),
        ("{a \\} b}", "a } b"),
        ('"a \\"o\\", b"', 'a ö\\", b'),
        ('"a {"} b"', 'a " b'),
        ("{" + "x" * 1_000_001 + "}", "x" * 1_000_001),
    ],
)
def test_a_value_ends_where_bibtex_ends_it_or_else_at_the_first_mark_without_a_backslash(
    tmp_path: Path, written: str, title: str
) -> None:
    (found,) = _bibtex(tmp_path, f"@misc{{k, title = {written}, note = {{x}}}}\n")
    assert found == {"id": "k", "type": "document", "title": title, "note": "x"}


@pytest.mark.parametrize(
    ("begin", "key"),
    [("@misc{a(b)'c\"d%e#f\\_g,", "a(b)'c\"d%e#f\\_g"), ("@online-2{k,", "k"), ("@misc{ % of\n k, % its key\n", "k")],
)
def test_types_keys_and_comments_are_read_as_bibtex_and_biblatex_read_them(
    tmp_path: Path, begin: str, key: str
) -> None:
    (found,) = _bibtex(tmp_path, begin + " title = {a}, % a title\n note = {x} % the last\n}")
    assert (found["id"], found["title"], found["note"]) == (key, "a", "x")


def test_a_key_in_parentheses_ends_with_them(tmp_path: Path) -> None:
    assert _bibtex(tmp_path, "@misc(k)") == [{"id": "k", "type": "document"}]


@pytest.mark.parametrize(
    ("fields", "issued", "kept"),
    [
        ("year = 2024, month = jul # {~4}", [[2024, 7, 4]], {}),
        ("year = 2024, month = {4 July}", [[2024, 7, 4]], {}),
        ("year = 2024, month = {May/June}", [[2024, 5]], {"month": "May/June"}),
        ("year = 2024, month = {8,}", [[2024]], {"month": "8,"}),
        ("year = 2024, month = 5, day = {6}", [[2024, 5, 6]], {}),
        ("date = {2024-05-06}, year = 2024, month = may", [[2024, 5, 6]], {}),
        ("date = {2024-05-06}, year = 2012", [[2024, 5, 6]], {"year": "2012"}),
        ("date = {Mar 3}, year = 2015", [[2015]], {"date": "Mar 3"}),
    ],
)
def test_what_a_date_does_not_hold_stays(
    tmp_path: Path, fields: str, issued: list[list[int]], kept: dict[str, str]
) -> None:
    (found,) = _bibtex(tmp_path, f"@misc{{k, {fields}}}")
    assert found["issued"] == {"date-parts": issued}
    assert found.get("custom", {}) == kept


def test_only_entries_that_refer_to_another_have_its_fields(tmp_path: Path) -> None:
    alone, lost, heir, _, _ = _bibtex(
        tmp_path,
        "@misc{a, title = {x}} @misc{b, crossref = {nobody}} @misc{c, crossref = {d}}\n"
        "@misc{d, publisher = {P}} @misc{, publisher = {Q}}",
    )
    assert alone == {"id": "a", "type": "document", "title": "x"}
    assert lost["custom"] == {"crossref": "nobody"}
    assert heir == {"id": "c", "type": "document", "publisher": "P"}


def test_a_field_that_an_entry_has_again_is_named(tmp_path: Path) -> None:
    source = tmp_path / "given.bibtex"
    source.write_text("@misc{a, title = {x}, title = {x}, note = {y}, note = {z}}")
    warn = Warn()
    (found,) = bibtex.read(source, warn)
    assert found["note"] == "y"
    assert [(each.code, str(each.message)) for each in warn.warnings] == [
        (
            "CONTENT_DROPPED",
            "Only the first of repeated fields was kept; others were left out: 1 (note of a).",
        )
    ]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('one\\\\"two"', 'one "two"'),
        ("one\\\\[2pt] two\\\\* three", "one two three"),
        ("the 9\\textsuperscript{th} H\\textsubscript{2}O", "the 9th H2O"),
    ],
)
def test_line_breaks_and_raised_letters_of_latex_are_text(written: str, text: str) -> None:
    unknown: list[str] = []
    assert decoded(written, unknown) == text
    assert not unknown


def _ris(folder: Path, *lines: str) -> Item:
    source = folder / "given.ris"
    source.write_text("".join(f"{each}\n" for each in ("TY  - JOUR", *lines, "ER  - ")), "utf-8", newline="")
    (found,) = ris.read(source, Warn())
    return found


@pytest.mark.parametrize(
    ("lines", "issued", "kept"),
    [
        (["PY  - 2013/04/18", "PY  - 2013/02/15/received"], [[2013, 4, 18]], {"PY": "2013/02/15/received"}),
        (["PY  - 2013", "DA  - 2013/07/22"], [[2013, 7, 22]], {}),
        (["DA  - 2013/07/22", "PY  - 2013"], [[2013, 7, 22]], {}),
        (["PY  - 2012", "DA  - 2013/07/22"], [[2013, 7, 22]], {"PY": "2012"}),
        (["Y1  - 1900/01/01", "DA  - 1950/01/01"], [[1900, 1, 1]], {"DA": "1950/01/01"}),
        (["PY  - 2001///Spring"], [[2001]], {"PY": "2001///Spring"}),
        (["PY  - 2001/00/00/"], [[2001]], {}),
        (["PY  - Year", "DA  - 2013/07"], [[2013, 7]], {"PY": "Year"}),
    ],
)
def test_dates_of_ris_that_differ_are_all_kept(
    tmp_path: Path, lines: list[str], issued: list[list[int]], kept: dict[str, str]
) -> None:
    found = _ris(tmp_path, *lines)
    assert found["issued"] == {"date-parts": issued}
    assert found.get("custom", {}) == kept


def test_a_date_of_ris_without_its_month_is_a_text(tmp_path: Path) -> None:
    assert _ris(tmp_path, "PY  - 2001//15")["issued"] == {"literal": "2001//15"}


def test_each_line_of_keywords_in_ris_is_a_keyword(tmp_path: Path) -> None:
    assert _ris(tmp_path, "KW  - one thing", "another", "KW  - third")["keyword"] == "one thing, another, third"


def test_pages_that_ris_has_again_are_kept(tmp_path: Path) -> None:
    found = _ris(tmp_path, "SP  - 1", "EP  - 9", "SP  - 20")
    assert (found["page"], found["custom"]) == ("1-9", {"SP": "20"})


def test_a_value_of_ris_goes_on_for_as_many_lines_as_it_has(tmp_path: Path) -> None:
    found = _ris(tmp_path, "AB  - a", *["more words"] * 50_000)
    assert found["abstract"] == " ".join(["a", *["more words"] * 50_000])
