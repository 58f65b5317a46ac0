"""Elements of HTML: what each means for a slide."""

from __future__ import annotations

import base64
import binascii
from typing import Any
from urllib.parse import unquote_to_bytes

LOOKS: dict[str, dict[str, Any]] = {
    tag: look
    for tags, look in (
        ("b strong dt summary", {"bold": True}),
        ("i em cite dfn var", {"italic": True}),
        ("u ins", {"underline": True}),
        ("s del strike", {"strike": True}),
        ("code kbd samp", {"mono": True}),
        ("sup", {"raised": 1}),
        ("sub", {"raised": -1}),
    )
    for tag in tags.split()
}
FLOWING = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hgroup",
        "main",
        "nav",
        "p",
        "section",
        "summary",
    ]
)
SKIPPED = frozenset(("colgroup", "col", "title", "head", "style", "script"))


def owner(row: Any) -> Any:
    """The table that a row is of."""
    return next(row.iterancestors("table"))


def lays_out(table: Any, rows: list[list[Any]]) -> bool:
    """Whether a table is there for the places of what is in it: it becomes that, one after the other."""
    if table.get("role") in ("presentation", "none"):
        return True
    if any(each.tag == "th" for row in rows for each in row):
        return False
    inside = "|".join(f".//{name}" for name in ("table", "h1", "h2", "h3", "h4", "h5", "h6"))
    return all(len(row) <= 1 for row in rows) or bool(table.xpath(f"boolean({inside})"))


def said_aloud(element: Any, tag: str) -> Any | None:
    """What an element has for the speaker: `class="notes"`, or a quote that begins with “Notes” alone and in bold."""
    if tag in ("aside", "div") and "notes" in (element.get("class") or "").split():
        return element
    first = element[0] if tag == "blockquote" and len(element) else None
    if first is None or first.tag != "p" or len(first) != 1 or first[0].tag not in ("strong", "b"):
        return None
    if "".join(first.itertext()).strip() != "Notes":
        return None
    element.remove(first)
    return element


def embedded(source: str) -> bytes | None:
    """The bytes of a picture that its address holds; None for one that is elsewhere."""
    head, comma, packed = source.partition(",")
    if not comma or not head.lower().startswith("data:image/"):
        return None
    try:
        raw = unquote_to_bytes(packed)
        return base64.b64decode(raw) if head.lower().endswith(";base64") else raw
    except (binascii.Error, ValueError):
        return None


def whole(text: str | None, otherwise: int) -> int:
    """A small whole number that an attribute says."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else otherwise
