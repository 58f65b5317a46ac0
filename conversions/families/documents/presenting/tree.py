"""The tree of safe HTML, without what no tree takes that is changed."""

from __future__ import annotations

import re
from typing import Any

from lxml import html

_NO_TEXT = re.compile("[\x01-\x08\x0b\x0e-\x1f\ufffe\uffff]")


def tree_of(body: str) -> Any:
    """What a body has in it, in one element; controls, which cannot be seen, are left out (XML 1.0, 2.2)."""
    text = _NO_TEXT.sub("", body.replace("\f", " "))
    return html.fragment_fromstring(text or " ", create_parent="div", parser=html.HTMLParser(huge_tree=True))
