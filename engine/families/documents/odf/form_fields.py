"""Write the states and values of form fields into an OpenDocument text (ISO/IEC 26300, part 3, 13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.families.documents.odf.names import DRAW, FIELD, FORM, OFFICE, TEXT, XML
from engine.families.documents.ooxml.package import Element

HINTS = (b":control ", b":fieldmark ")
_INLINE = frozenset(TEXT + each for each in ("p", "h", "span", "a"))
_GROUP = DRAW + "g"
_BOXES = {True: "☒", False: "☐"}
_BUTTONS = {True: "◉", False: "○"}
_VALUES = ("text", "textarea", "formatted-text", "number", "date", "time", "combobox", "value-range")
_LABELLED = ("button", "fixed-text", "frame")


def write(body: Element) -> int:
    """Replace the form fields of a body by text, before the groups of shapes they are in; return their number."""
    forms = body.iterfind(f".//{OFFICE}forms")
    fields = {
        id: each
        for form in forms
        for each in form.iter()
        if isinstance(each.tag, str)
        for id in (each.get(XML + "id"), each.get(FORM + "id"))
        if id
    }
    controls = list(body.iterdescendants(DRAW + "control"))
    outermost: dict[Element, Element] = {}
    for group in body.iterdescendants(_GROUP):
        outermost[group] = outermost.get(group.getparent(), group)
    for each in controls:
        if (around := outermost.get(each.getparent())) is not None:
            each.tail = None
            around.addprevious(each)
        _replace(each, _shown(fields.get(each.get(DRAW + "control") or "")))
    marks = [(each, text) for each in body.iterdescendants(FIELD + "fieldmark") if (text := _marked(each)) is not None]
    for each, text in marks:
        _replace(each, text)
    return len(controls) + len(marks)


def _replace(each: Element, text: str) -> None:
    tail = each.tail
    inline = each.getparent().tag in _INLINE
    each.clear()
    each.tag = TEXT + ("span" if inline else "p")
    each.text, each.tail = text, tail


def _shown(field: Element | None) -> str:
    if field is None:
        return ""
    kind = field.tag.removeprefix(FORM)
    label = field.get(FORM + "label") or ""
    if kind == "checkbox":
        return _labelled(_BOXES[_now(field, "state") == "checked"], label)
    if kind == "radio":
        return _labelled(_BUTTONS[_now(field, "selected") == "true"], label)
    if kind == "listbox":
        chosen = (each for each in field.iterfind(FORM + "option") if _now(each, "selected") == "true")
        return ", ".join(each.get(FORM + "label") or "" for each in chosen)
    if kind == "password":
        return "•" * len(_now(field, "value"))
    if kind in _VALUES:
        return _now(field, "value")
    return label if kind in _LABELLED else ""


def _labelled(box: str, label: str) -> str:
    return f"{box} {label}" if label else box


def _now(field: Element, name: str) -> str:
    return field.get(f"{FORM}current-{name}") or field.get(FORM + name) or ""


def _marked(mark: Element) -> str | None:
    """What LibreOffice shows for a field of Word; None if it is not a field of a form."""
    read = _MARKS.get((mark.get(FIELD + "type") or "").rpartition(".")[2])
    if read is None:
        return None
    given = [(each.get(FIELD + "name") or "", each.get(FIELD + "value") or "") for each in mark]
    return read(dict(given), [value for name, value in given if name == "Dropdown_ListEntry"])


def _checked(given: Mapping[str, str], entries: list[str]) -> str:
    return _BOXES[given.get("Checkbox_Checked", "") in ("true", "1")]


def _chosen(given: Mapping[str, str], entries: list[str]) -> str:
    at = given.get("Dropdown_Selected", "")
    number = int(at) if at.isdecimal() and len(at) < 6 else 0
    return entries[number] if number < len(entries) else ""


_MARKS: Mapping[str, Callable[[Mapping[str, str], list[str]], str]] = {
    "FORMCHECKBOX": _checked,
    "FORMDROPDOWN": _chosen,
}
