"""Texts of very many headings are read without names for them."""

from __future__ import annotations

import pytest

from engine.families.documents import heading_names
from engine.toolkit.warnings import Warn
from tests.hostile.costs import meter

HEADINGS = {
    "html": "<h2>A b</h2>\n",
    "latex": "\\subsection{A b}\n\n",
    "rst": "A b\n===\n\n",
    "org": "* A b\n",
    "textile": "h2. A b\n\n",
    "mediawiki": "== A b ==\n\n",
}


@pytest.mark.parametrize(("name", "heading"), HEADINGS.items(), ids=HEADINGS)
def test_only_very_many_headings_have_no_names(name: str, heading: str) -> None:
    warn = Warn()
    assert heading_names.reader(name, (heading * 4_000).encode(), warn) == name
    assert not warn.warnings
    assert heading_names.reader(name, (heading * 4_001).encode(), warn) == f"{name}-auto_identifiers"
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]


def test_a_page_of_the_same_heading_is_converted() -> None:
    with meter() as measured:
        cost = measured.cost("html-to-asciidoc", b"<h1>a</h1>" * 15_000, most=20)
    assert (cost.end, cost.warned) == ("written", ("VALUE_CONVERTED",)), cost
