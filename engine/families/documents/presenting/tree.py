"""The tree of safe HTML, without characters that XML trees reject."""

from __future__ import annotations

from typing import Any

from lxml import html

from engine.toolkit.controls import without_controls


def tree_of(body: str) -> Any:
    """A body as the children of one element."""
    text = without_controls(body) or " "
    return html.fragment_fromstring(text, create_parent="div", parser=html.HTMLParser(huge_tree=True))
