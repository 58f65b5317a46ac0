"""The tree of safe HTML, without what no tree takes that is changed."""

from __future__ import annotations

from typing import Any

from lxml import html

from conversions.toolkit.controls import without_controls


def tree_of(body: str) -> Any:
    """What a body has in it, in one element."""
    text = without_controls(body) or " "
    return html.fragment_fromstring(text, create_parent="div", parser=html.HTMLParser(huge_tree=True))
