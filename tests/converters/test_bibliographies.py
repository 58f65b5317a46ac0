"""How entries of BibTeX and RIS are read, value by value."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.data.bibliographies import bibtex
from engine.families.data.bibliographies.items import Item
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
