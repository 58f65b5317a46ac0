"""Write the values of form fields into the text of a page."""

from __future__ import annotations

import re
from html import unescape

from engine.toolkit.warnings import Warn

FIELDS = frozenset(("input", "select", "textarea"))
TAGS = FIELDS | {"option", "optgroup", "button", "legend"}
ATTRIBUTES = {"input": {"type", "checked", "disabled", "value", "placeholder", "alt"}, "option": {"selected"}}
"""What sanitised markup has to keep for `written`."""

_INPUT = re.compile(r"<input\b[^<>]*>")
_SELECT = re.compile(r"<select\b[^<>]*>((?:(?!<select\b).)*?)</select>", re.DOTALL)
_OPTION = re.compile(r"<option\b([^<>]*)>((?:(?!<option\b).)*?)</option>", re.DOTALL)
_TEXTAREA = re.compile(r"<textarea\b[^<>]*>((?:(?!<textarea\b).)*?)</textarea>", re.DOTALL)
_STRAY = re.compile(r"</?(?:select|option|optgroup|textarea|button)\b[^<>]*>")
_LEGEND = re.compile(r"(</?)legend\b[^<>]*>")
_ATTRIBUTE = re.compile(r" ([a-z]+)=\"([^\"]*)\"")
_TAG = re.compile(r"<[^<>]*>")
_SILENT = frozenset(("hidden", "file"))
_BOXES = {True: "☒", False: "☐"}
_BUTTONS = {True: "◉", False: "○"}
_LABELS = {"submit": "Submit", "reset": "Reset"}


def written(markup: str) -> str:
    """Sanitised markup with the values of its form fields as text; check boxes stay, without their values.

    An empty field shows its hint, a choice its first entry, and a password as many dots as it has letters.
    """
    if not any(f"<{tag}" in markup for tag in TAGS):
        return markup
    markup = _TEXTAREA.sub(lambda found: _apart(found[1].strip().replace("\n", "<br>")), markup)
    markup = _SELECT.sub(lambda found: _apart(_chosen(found[1])), markup)
    return _INPUT.sub(_value, _LEGEND.sub(r"\1p>", _STRAY.sub(" ", markup)))


def report(warn: Warn) -> None:
    """Warn that a page has form fields other than check boxes."""
    warn("CONTENT_DROPPED", "Form fields became text with their values; they can't be filled in.", drawn=True)


def boxes(markup: str) -> str:
    """The same markup with its check boxes as characters."""

    def box(found: re.Match[str]) -> str:
        return f"{_BOXES[' checked=' in found[0]]} "

    return _INPUT.sub(box, markup)


def is_box(attributes: str) -> bool:
    """Whether the attributes of an `<input>`, as written, make it a check box."""
    return bool(re.search(r"\btype\s*=\s*[\"']?checkbox", attributes, re.IGNORECASE))


def _apart(text: str) -> str:
    """A text with spaces around it: a field has a border, so it may touch the words beside it."""
    return f" {text} " if text else ""


def _chosen(options: str) -> str:
    found = [(" selected=" in attributes, _TAG.sub("", text).strip()) for attributes, text in _OPTION.findall(options)]
    return ", ".join([text for is_chosen, text in found if is_chosen] or [text for _, text in found[:1]])


def _value(found: re.Match[str]) -> str:
    own = dict(_ATTRIBUTE.findall(found[0]))
    kind = own.get("type", "").lower()
    if kind == "checkbox":
        kept = "".join(f' {name}="{own[name]}"' for name in ("type", "checked", "disabled") if name in own)
        return f"<input{kept}>"
    if kind == "radio":
        return _apart(_BUTTONS["checked" in own])
    if kind in _SILENT:
        return ""
    if kind == "image":
        return _apart(own.get("alt", ""))
    value = own.get("value", "")
    if kind == "password":
        return _apart("•" * len(unescape(value)))
    return _apart(value or _LABELS.get(kind, "") or own.get("placeholder", ""))
