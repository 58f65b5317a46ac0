"""The meaning of HTML elements for slides."""

from __future__ import annotations

import base64
import binascii
from typing import Any
from urllib.parse import unquote_to_bytes

LOOKS: dict[str, dict[str, Any]] = {
    tag: formatting
    for tags, formatting in (
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


def table_of(row: Any) -> Any:
    """The table that a row belongs to."""
    return next(row.iterancestors("table"))


def is_layout_table(table: Any, rows: list[list[Any]]) -> bool:
    """Whether a table is used for layout: its cells' contents are then read one after the other."""
    if table.get("role") in ("presentation", "none"):
        return True
    if any(each.tag == "th" for row in rows for each in row):
        return False
    inside = "|".join(f".//{name}" for name in ("table", "h1", "h2", "h3", "h4", "h5", "h6"))
    return all(len(row) <= 1 for row in rows) or bool(table.xpath(f"boolean({inside})"))


def speaker_notes(element: Any, tag: str) -> Any | None:
    """The speaker notes in an element: `class="notes"`, or a quote that starts with only “Notes” in bold."""
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
    """The bytes of an embedded picture; None for an external one."""
    head, comma, packed = source.partition(",")
    if not comma or not head.lower().startswith("data:image/"):
        return None
    try:
        raw = unquote_to_bytes(packed)
        return base64.b64decode(raw) if head.lower().endswith(";base64") else raw
    except (binascii.Error, ValueError):
        return None


def integer(text: str | None, otherwise: int) -> int:
    """A small integer from an attribute."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else otherwise
