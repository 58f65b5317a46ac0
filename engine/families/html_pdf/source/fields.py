"""Replace form fields by boxes with their initial text, which the page's rules can style."""

from __future__ import annotations

import re
from typing import Any

from engine.families.html_pdf.source.references import blocked
from engine.toolkit.warnings import Warn

NAMES = ("input", "select", "textarea")
_PREFIX = "fc-"
_NAMED = re.compile(rf"(?<![\w.#:\\\-\"'=\[])({'|'.join(NAMES)})(?![\w\-\"'=\]])", re.IGNORECASE)
_BUTTONS = ("submit", "reset", "button")
_MARKS = {("checkbox", True): "☑", ("checkbox", False): "☐", ("radio", True): "◉", ("radio", False): "○"}
_NUMBER = re.compile(r"[1-9]\d{0,2}")
_SIZES = {"size": "width:{}px", "cols": "width:{}px", "rows": "min-height:{}px"}
_FEW_LINES = 3
_USUAL_COLUMNS = 20
"""Of a text area without `cols` (HTML, 4.10.11)."""
_UNITS = {"size": 7, "cols": 8, "rows": 15}
"""CSS pixels of a column and of a line, in browsers' font for fields."""
_FIELDS = ",".join(f"{_PREFIX}{each}" for each in NAMES)
_STYLE = (
    f"{_FIELDS}{{display:inline-block;border:1px solid #767676;padding:1px 4px;background:#fff;color:#000;"
    "font:13.333px Arial,sans-serif;text-align:start;text-indent:0;white-space:pre-wrap;overflow-wrap:anywhere}"
    "fc-input{width:149px}fc-textarea{width:161px;min-height:30px;font-family:monospace;vertical-align:bottom}"
    "fc-select{padding-right:18px}"
    + ",".join(f"fc-input[type={each}]" for each in _BUTTONS)
    + "{width:auto;background:#efefef;padding:1px 6px;text-align:center}"
)
"""Approximates browsers' default rules for fields; the page's rules come after them."""


def selectors(text: str) -> str:
    """The page's selectors, extended to the boxes that replace its fields."""
    return _NAMED.sub(lambda match: f"{_PREFIX}{match[1].lower()}", text)


def draw(element: Any, kind: str, warn: Warn) -> None:
    """Replace a field of the type `kind` by a box with its text; a check box or radio button by a symbol."""
    warn("CONTENT_DROPPED", "Form fields keep their values but can't be filled in.")
    text = _text(element, kind, warn)
    if element.tag == "textarea" and _lines(text, element.get("cols")) > _FEW_LINES:
        # On paper nobody can scroll: a box that ends before its text would have it over what follows.
        element.set("style", f"{element.get('style') or ''};height:auto!important;max-height:none!important")
    for child in list(element):
        element.remove(child)
    for attribute in ("value", "name", "src", "width", "height", "placeholder", "checked"):
        element.attrib.pop(attribute, None)
    if (kind, False) in _MARKS:
        element.tag, element.text = "span", text
        return
    element.tag, element.text = f"{_PREFIX}{element.tag}", text or "\u00a0"
    if kind:
        element.set("type", kind)


def _text(element: Any, kind: str, warn: Warn) -> str:
    if element.tag == "textarea":
        return "".join(element.itertext())
    if element.tag == "select":
        options = list(element.iter("option"))
        chosen = [each for each in options if each.get("selected") is not None] or options[:1]
        return ", ".join("".join(each.itertext()).strip() for each in chosen)
    if (kind, False) in _MARKS:
        return _MARKS[kind, element.get("checked") is not None]
    if kind == "password":
        return "•" * len(element.get("value") or "")
    if kind == "image":
        blocked(element.get("src") or "", warn)
        return element.get("alt") or ""
    text = element.get("value") or element.get("placeholder") or ""
    return text or {"submit": "Submit", "reset": "Reset"}.get(kind, "")


def _lines(text: str, columns: str | None) -> int:
    """The lines that a text has in an area of these columns, about."""
    wide = int(columns) if columns and _NUMBER.fullmatch(columns) else _USUAL_COLUMNS
    return sum(1 + len(line) // wide for line in text.split("\n"))


def style(root: Any) -> str:
    """The style sheet for the fields of a page, including sizes from attributes; empty without fields."""
    found = list(root.iter(*_FIELDS.split(",")))
    if not found:
        return ""
    asked = {
        (each.tag, name, each.get(name))
        for each in found
        for name in _SIZES
        if each.get(name) and _NUMBER.fullmatch(each.get(name)) and not (name == "size" and each.tag == "fc-select")
    }
    return _STYLE + "".join(
        f'{tag}[{name}="{number}"]{{{_SIZES[name].format(int(number) * _UNITS[name])}}}'
        for tag, name, number in sorted(asked)
    )
