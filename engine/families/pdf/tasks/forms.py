"""Fill in PDF forms and flatten them into the pages."""

from __future__ import annotations

import json

import pikepdf
from pikepdf import Name

from engine.families.pdf import name_text
from engine.families.pdf.options import PdfOptions
from engine.families.pdf.unchanged.differences import Id
from engine.families.pdf.unchanged.intended import Area, box
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_NAMED = 20
_DEEPEST = 20
_OFF = ("", "off", "false", "no", "0")


def fill(pdf: pikepdf.Pdf, options: PdfOptions, warn: Warn) -> dict[int, list[Area]]:
    """Set fields to the values of a JSON object by full name: texts, numbers, true and false, names of choices.

    Only these fields get new appearances; returns their areas by page. Raises InvalidOption for anything but a JSON
    object, for unknown fields, and for values that a field can't have.
    """
    values = _values(options.fields)
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, pikepdf.Dictionary):
        raise InvalidOption("fields", "The PDF has no form.")
    if Name.XFA in form:
        del form[Name.XFA]
        warn("CONTENT_DROPPED", "The XFA form was removed, because it would show the old values.")
    fields: dict[str, list[pikepdf.AcroFormField]] = {}
    for field in pdf.acroform.fields:
        fields.setdefault(field.fully_qualified_name, []).append(field)
    unknown = sorted(values.keys() - fields.keys())
    if unknown:
        there = ", ".join(sorted(fields)[:_NAMED])
        raise InvalidOption(
            "fields",
            say("There is no field {unknown}. The fields are: {there}.", unknown=repr(unknown[0]), there=there),
        )
    filled: set[Id] = set()
    anew = bool(form.get(Name.NeedAppearances, False))
    for name, value in values.items():
        if fields[name][0].is_radio_button:
            _choose(pdf, fields[name], name, value)
        for field in fields[name]:
            if not field.is_radio_button:
                _set(pdf, field, name, value)
                _show(pdf, field, warn)
            filled |= {each.obj.objgen for each in pdf.acroform.get_annotations_for_field(field)}
    form[Name.NeedAppearances] = anew  # the library sets it, which would make readers redraw all other fields
    return _places(pdf, filled)


def flatten(pdf: pikepdf.Pdf, warn: Warn) -> dict[int, list[Area]]:
    """Draw fields and annotations into their pages, except for links.

    Returns, by page, the areas of fields whose values are drawn anew because their appearance is missing or outdated.
    """
    shown = show_values(pdf, warn)
    areas = _places(pdf, shown)
    links = {number: _links(page) for number, page in enumerate(pdf.pages)}
    pdf.flatten_annotations("all")
    for number, kept in links.items():
        if kept:
            pdf.pages[number].obj[Name.Annots] = pikepdf.Array(kept)
    if Name.AcroForm in pdf.Root:
        del pdf.Root[Name.AcroForm]
    return areas


def show_values(pdf: pikepdf.Pdf, warn: Warn) -> set[Id]:
    """Draw the values of fields without an appearance, or of all fields if the form asks for it; return their ids."""
    shown: set[Id] = set()
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary):
        anew = bool(form.get(Name.NeedAppearances, False))
        for field in pdf.acroform.fields:
            shown |= _show(pdf, field, warn, all_of_them=anew)
        form[Name.NeedAppearances] = False
    return shown


def _show(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField, warn: Warn, *, all_of_them: bool = True) -> set[Id]:
    """Draw the value of a text or choice field in all its widgets, or only in those without an appearance; return their
    ids."""
    shown = set[Id]()
    if not (field.is_text or field.is_choice):
        return shown
    text = _shown(field)
    for annotation in pdf.acroform.get_annotations_for_field(field):
        if not all_of_them and Name.AP in annotation.obj:
            continue
        shown.add(annotation.obj.objgen)
        if not text.isascii():  # the form's font may lack these characters, or encode them differently
            from engine.families.pdf.tasks import field_appearances  # imports a font library

            field_appearances.draw(pdf, field, annotation.obj, text, warn)
        else:
            field.generate_appearance(annotation)
    return shown


def _shown(field: pikepdf.AcroFormField) -> str:
    """The displayed value of a field: a choice may have a separate display name."""
    text = str(field.value_as_string)
    names = field.get_inheritable_field_value("/Opt") if field.is_choice else None
    for each in names if isinstance(names, pikepdf.Array) else ():
        if isinstance(each, pikepdf.Array) and len(each) == 2 and str(each[0]) == text:
            return str(each[1])
    return text


def _places(pdf: pikepdf.Pdf, widgets: set[Id]) -> dict[int, list[Area]]:
    found: dict[int, list[Area]] = {}
    for number, page in enumerate(pdf.pages):
        notes = page.obj.get(Name.Annots)
        for each in notes if isinstance(notes, pikepdf.Array) else ():
            if isinstance(each, pikepdf.Dictionary) and each.objgen in widgets:
                x1, y1, x2, y2 = (float(side) for side in each.get(Name.Rect, [0, 0, 0, 0]))
                found.setdefault(number, []).append(box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return found


def drop_fields(pdf: pikepdf.Pdf, gone: set[Id]) -> None:
    """Remove fields whose widgets were removed from their pages, and parents that have no fields left."""
    form = pdf.Root.get(Name.AcroForm)
    if gone and isinstance(form, pikepdf.Dictionary):
        _without(form, Name.Fields, gone, 0)
        if Name.CO in form:
            _without(form, Name.CO, gone, _DEEPEST)


def _without(holder: pikepdf.Object, name: pikepdf.Name, gone: set[Id], depth: int) -> bool:
    """Remove the ids in `gone` from an array of fields; return whether the array is then empty."""
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
        raise InvalidOption("fields", 'Enter the values as a JSON object, such as {"name": "Ada", "member": true}.')
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidOption("fields", say("This is not valid JSON: {error}.", error=error)) from error
    if not isinstance(values, dict) or not values:
        raise InvalidOption("fields", "The values must be a JSON object with at least one field.")
    found: dict[str, str | bool] = {}
    for name, value in values.items():
        if isinstance(value, bool):
            found[name] = value
        elif isinstance(value, str | int | float):
            found[name] = str(value)
        elif value is None:
            found[name] = ""
        else:
            raise InvalidOption(
                "fields", say("The value of {name} must be text, a number, true or false.", name=repr(name))
            )
    return found


def _set(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField, name: str, value: str | bool) -> None:
    if field.is_checkbox:
        ticked = value if isinstance(value, bool) else value.lower() not in _OFF
        field.set_value(_ticked(pdf, field) if ticked else Name.Off)
    elif field.is_pushbutton or field.field_type == "/Sig":
        raise InvalidOption("fields", say("{name} is a button or a signature and has no value.", name=repr(name)))
    else:
        if field.is_choice and field.choices and str(value) not in map(str, field.choices) and value:
            editable = bool(int(field.flags) & 1 << 18)  # ISO 32000-1, table 230: Edit
            if not editable:
                raise InvalidOption(
                    "fields",
                    say(
                        "{name} can be: {str}.", name=repr(name), str=", ".join(list(map(str, field.choices))[:_NAMED])
                    ),
                )
        field.set_value(str(value))


def _choose(pdf: pikepdf.Pdf, buttons: list[pikepdf.AcroFormField], name: str, value: str | bool) -> None:
    """Select one button of a group, which forms a single field, and deselect the others."""
    widgets = [each.obj for button in buttons for each in pdf.acroform.get_annotations_for_field(button)]
    states = {key: _states_of(widget) for key, widget in ((each.objgen, each) for each in widgets)}
    known = {name_text.text_of(each): each for some in states.values() for each in some}
    wanted = str(value)
    holder: pikepdf.Object = buttons[0].obj
    while Name.T not in holder and isinstance(holder.get(Name.Parent), pikepdf.Dictionary):
        holder = holder[Name.Parent]
    names = [str(each) for each in holder.get(Name.Opt, [])]
    if wanted not in known and wanted in names:  # ISO 32000-1, table 227: the states are then indexes into the list
        wanted = str(names.index(wanted))
    if wanted not in known:
        raise InvalidOption(
            "fields", say("{name} can be: {states}.", name=repr(name), states=", ".join(sorted(names or known)))
        )
    state = known[wanted]
    holder[Name.V] = name_text.name_of(state)
    for widget in widgets:
        widget[Name.AS] = name_text.name_of(state) if state in states[widget.objgen] else Name.Off


def _states(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField) -> set[str]:
    """The keys of a field's button states other than Off."""
    return {state for each in pdf.acroform.get_annotations_for_field(field) for state in _states_of(each.obj)}


def _states_of(widget: pikepdf.Object) -> set[str]:
    appearances = widget.get(Name.AP)
    normal = appearances.get(Name.N) if isinstance(appearances, pikepdf.Dictionary) else None
    if not isinstance(normal, pikepdf.Dictionary) or isinstance(normal, pikepdf.Stream):
        return set()
    return set(normal.keys()) - {"/Off"}  # it is no mapping


def _ticked(pdf: pikepdf.Pdf, field: pikepdf.AcroFormField) -> pikepdf.Object:
    return name_text.name_of(min(_states(pdf, field), default="/Yes"))
