"""Forms in a PDF: their fields filled in, and what they show made part of the pages."""

from __future__ import annotations

import json

import pikepdf
from pikepdf import Name

from conversions.families.pdf.options import PdfOptions
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.warnings import Warn

_NAMED = 20
_DEEPEST = 20
_OFF = ("", "off", "false", "no", "0")


def fill(pdf: pikepdf.Pdf, options: PdfOptions, warn: Warn) -> None:
    """Set fields to the values of a JSON object by full name: texts, numbers, true and false, names of choices.

    Raises InvalidOption for what is no such object, for fields that are not there, and for values they can't have.
    """
    values = _values(options.fields)
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, pikepdf.Dictionary):
        raise InvalidOption("fields", "The PDF has no form.")
    if Name.XFA in form:
        del form[Name.XFA]
        warn("CONTENT_DROPPED", "The XFA form beside the fields was removed, as it would show the old values.")
    fields: dict[str, list[pikepdf.AcroFormField]] = {}
    for field in pdf.acroform.fields:
        fields.setdefault(field.fully_qualified_name, []).append(field)
    unknown = sorted(values.keys() - fields.keys())
    if unknown:
        there = ", ".join(sorted(fields)[:_NAMED])
        raise InvalidOption("fields", f"There is no field {unknown[0]!r}. There are: {there}.")
    for name, value in values.items():
        for field in fields[name]:
            _set(pdf, field, name, value)
    form[Name.NeedAppearances] = True
    pdf.generate_appearance_streams()


def flatten(pdf: pikepdf.Pdf) -> None:
    """Make what fields and annotations show a part of their pages; links stay links."""
    pdf.generate_appearance_streams()
    links = {number: _links(page) for number, page in enumerate(pdf.pages)}
    pdf.flatten_annotations("all")
    for number, kept in links.items():
        if kept:
            pdf.pages[number].obj[Name.Annots] = pikepdf.Array(kept)
    if Name.AcroForm in pdf.Root:
        del pdf.Root[Name.AcroForm]


def drop_fields(pdf: pikepdf.Pdf, gone: set[tuple[int, int]]) -> None:
    """Take fields whose places on the pages were removed from the form, too, and those that have none left."""
    form = pdf.Root.get(Name.AcroForm)
    if gone and isinstance(form, pikepdf.Dictionary):
        _without(form, Name.Fields, gone, 0)
        if Name.CO in form:
            _without(form, Name.CO, gone, _DEEPEST)


def _without(holder: pikepdf.Object, name: pikepdf.Name, gone: set[tuple[int, int]], depth: int) -> bool:
    """Take what is `gone` from an array of fields; whether nothing is left of it."""
    fields = holder.get(name)
    if not isinstance(fields, pikepdf.Array):
        return False
    kept = [
        each
        for each in fields
        if isinstance(each, pikepdf.Dictionary)
        and each.objgen not in gone
        and not (depth < _DEEPEST and _without(each, Name.Kids, gone, depth + 1))
    ]
    emptied = len(fields) > 0 and not kept
    holder[name] = pikepdf.Array(kept)
    return emptied


def _links(page: pikepdf.Page) -> list[pikepdf.Object]:
    found = page.obj.get(Name.Annots)
    if not isinstance(found, pikepdf.Array):
        return []
    return [
        each
        for each in found
        if isinstance(each, pikepdf.Dictionary) and each.get(Name.Subtype) == Name.Link and Name.AP not in each
    ]


def _values(text: str | None) -> dict[str, str | bool]:
    if not text:
        raise InvalidOption("fields", 'Give the values as a JSON object, such as {"name": "Ada", "member": true}.')
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidOption("fields", f"This is no JSON: {error}.") from error
    if not isinstance(values, dict) or not values:
        raise InvalidOption("fields", "The values have to be a JSON object of at least one field.")
    found: dict[str, str | bool] = {}
    for name, value in values.items():
        if isinstance(value, bool):
            found[name] = value
        elif isinstance(value, str | int | float):
            found[name] = str(value)
        elif value is None:
            found[name] = ""
        else:
            raise InvalidOption("fields", f"The value of {name!r} has to be a text, a number, true or false.")
    return found


def _set(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField, name: str, value: str | bool) -> None:
    if field.is_checkbox:
        ticked = value if isinstance(value, bool) else value.lower() not in _OFF
        field.set_value(Name(_ticked(pdf, field)) if ticked else Name.Off)
    elif field.is_radio_button:
        states = _states(pdf, field)
        if str(value) not in states:
            raise InvalidOption("fields", f"{name!r} can be: {', '.join(sorted(states))}.")
        field.set_value(Name(f"/{value}"))
    elif field.is_pushbutton or field.field_type == "/Sig":
        raise InvalidOption("fields", f"{name!r} is a button or a signature: it has no value.")
    else:
        if field.is_choice and field.choices and str(value) not in map(str, field.choices) and value:
            editable = bool(int(field.flags) & 1 << 18)  # ISO 32000-1, table 230: Edit
            if not editable:
                raise InvalidOption("fields", f"{name!r} can be: {', '.join(list(map(str, field.choices))[:_NAMED])}.")
        field.set_value(str(value))


def _states(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField) -> set[str]:
    """The names of the states that the boxes of a field can be in, beside Off."""
    found: set[str] = set()
    for annotation in pdf.acroform.get_annotations_for_field(field):
        looks = annotation.obj.get(Name.AP)
        normal = looks.get(Name.N) if isinstance(looks, pikepdf.Dictionary) else None
        if isinstance(normal, pikepdf.Dictionary) and not isinstance(normal, pikepdf.Stream):
            found |= {key[1:] for key in normal.keys()} - {"Off"}  # noqa: SIM118  # it is no mapping
    return found


def _ticked(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField) -> str:
    return f"/{min(_states(pdf, field), default='Yes')}"
