"""Redacting: a text is taken out of a PDF, wherever it stands in it, and the result is searched for it again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Name, sanitize

from conversions.families.pdf import read
from conversions.families.pdf.options import PdfOptions
from conversions.families.pdf.read import DAMAGED, reading
from conversions.families.pdf.tasks import forms
from conversions.families.pdf.tasks.placing import Id
from conversions.families.pdf.tasks.redaction import codes, hidden_text, private_keys, unsearched
from conversions.families.pdf.tasks.redaction.erasing import Eraser
from conversions.families.pdf.tasks.redaction.finding import Box, find, unreadable
from conversions.families.pdf.tasks.redaction.scrubbing import scrubber
from conversions.families.pdf.tasks.redaction.wanted import Wanted
from conversions.families.pdf.tasks.redaction.wanted import wanted as wanted_by
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.page_ranges import chosen
from conversions.toolkit.warnings import Warn


def redact(source: Path, target: Path, options: PdfOptions, save: Any, warn: Warn) -> None:
    """Remove all matches, with the pixels below them, and lay black over their places; `save` writes a document.

    Texts outside the pages (titles, bookmarks, notes, fields, descriptions) are searched too, in the whole document.
    Attached files, scripts and XFA forms, which are not searched, are removed. Raises InvalidOption, Unreadable for
    what can't be redacted for sure, OverLimit.
    """
    wanted = wanted_by(options.redact_text, options.redact_pattern)
    draft, flat = target.with_name("redacted.pdf"), target.with_name("flat.pdf")
    with read.opened(source, options.password) as pdf:
        numbers = chosen(options.pages, len(pdf.pages))
        read.check_instructions(pdf, numbers)
        with reading():
            mute = _said_by(pdf, numbers, lambda drawn, around: wanted.found_in(codes.marked(drawn, around)))
        _flatten(pdf, flat)
    found = find(flat, None, numbers, wanted)
    warn.detect(redacted=sum(len(boxes) for boxes in found.values()))
    unsearched = unreadable(flat, None, numbers)
    if unsearched:
        named = ", ".join(f"page {number + 1} ({count:,})" for number, count in unsearched.items())
        warn("TEXT_UNREADABLE", f"Letters that can't be searched stay: look at {named} before you pass it on.")
    every: set[int] = set()
    for _ in range(2):
        with read.opened(source, options.password) as pdf:
            with reading():
                emptied = hidden_text.remove(pdf, numbers, wanted, flat)
                _remove(pdf, found, every, mute, wanted, emptied, warn)
                save(pdf, draft)
        with read.opened(draft, options.password) as pdf:
            with reading():
                hidden = _said_by(pdf, numbers, lambda drawn, around: codes.match(drawn, around, wanted))
            _flatten(pdf, flat)
        left = {number: list[Box]() for number in hidden} | find(flat, None, numbers, wanted)
        if not left:
            break
        # Where letters could not be placed for sure, the page keeps none.
        every |= left.keys()
        found |= {number: found.get(number, []) + boxes for number, boxes in left.items()}
    else:
        raise Unreadable("The text can't be removed for sure: the PDF shows it in a way that is not understood.")
    if every:
        named = ", ".join(str(number + 1) for number in sorted(every))
        warn("CONTENT_DROPPED", f"All text was removed from page {named}, whose letters can't be told apart for sure.")
    shutil.move(draft, target)
    flat.unlink()


def _flatten(pdf: pikepdf.Pdf, target: Path) -> None:
    """A copy of the document in which what annotations and fields show is part of their pages, so that it is found."""
    with reading():
        pdf.flatten_annotations("all")
        pdf.save(target, encryption=False, static_id=True)


def _remove(
    pdf: pikepdf.Pdf,
    found: dict[int, list[Box]],
    every: set[int],
    mute: set[int],
    wanted: Wanted,
    removed: int,
    warn: Warn,
) -> None:
    scrub = scrubber(wanted)
    before = _all_annotations(pdf)
    _own_resources(pdf)
    for number in sorted({*found, *mute}):
        page, boxes = pdf.pages[number], found.get(number, [])
        eraser = Eraser(pdf, boxes, scrub, every=number in every, mute=number in mute or number in every)
        eraser.page(page)
        removed += eraser.pictures_removed
        _remove_annotations(page, boxes, warn)
    if removed:
        warn("CONTENT_DROPPED", f"Pictures below removed text that can't be changed were removed: {removed}.")
    for page in pdf.pages:
        _remove_annotations_that_say(page, wanted, warn)
    unsearched.remove(pdf, wanted, warn)
    forms.drop_fields(pdf, before - _all_annotations(pdf))
    private_keys.remove(pdf)
    for each in (*pdf.objects, pdf.trailer):
        scrub(each)
        if isinstance(each, pikepdf.Stream) and _is_metadata(each):
            _scrub_xml(each, wanted)
    sanitize.remove_thumbnails(pdf)
    sanitize.remove_private_app_data(pdf)


def _all_annotations(pdf: pikepdf.Pdf) -> set[Id]:
    return {each.objgen for page in pdf.pages for each in _annotations(page) if each.is_indirect}


def _own_resources(pdf: pikepdf.Pdf) -> None:
    """Give each page the resources that it inherits, so that the pages above it hold none that it has no more."""
    for page in pdf.pages:
        page.obj[Name.Resources] = page.resources
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and each.get(Name.Type) == Name.Pages and Name.Resources in each:
            del each[Name.Resources]


def _annotations(page: pikepdf.Page) -> list[pikepdf.Object]:
    found = page.obj.get(Name.Annots)
    return [each for each in found if isinstance(each, pikepdf.Dictionary)] if isinstance(found, pikepdf.Array) else []


def _keep(page: pikepdf.Page, kept: list[pikepdf.Object], before: int, warn: Warn) -> None:
    if len(kept) < before:
        page.obj[Name.Annots] = pikepdf.Array(kept)
        warn("CONTENT_DROPPED", "Notes, links and form fields over removed text, or with it, were removed.")


def _remove_annotations(page: pikepdf.Page, boxes: list[Box], warn: Warn) -> None:
    """Those that lie over what was removed: a note may quote it, a link lead to it."""
    kept, all_of_them = [], _annotations(page)
    for each in all_of_them:
        x1, y1, x2, y2 = (float(value) for value in each.get(Name.Rect, [0, 0, 0, 0]))
        place = Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
        if not any(box.meets(place) for box in boxes):
            kept.append(each)
    _keep(page, kept, len(all_of_them), warn)


def _remove_annotations_that_say(page: pikepdf.Page, wanted: Wanted, warn: Warn) -> None:
    """Those whose texts match, as their looks may show them: what those show is not searched."""
    kept, all_of_them = [], _annotations(page)
    for each in all_of_them:
        parent = each.get(Name.Parent)
        holders = [each, *([parent] if isinstance(parent, pikepdf.Dictionary) else [])]
        texts = [str(one) for holder in holders for one in _strings(holder)]
        if not any(wanted.found_in(text) for text in (*texts, *_states_of(each), *_shown_in(each))):
            kept.append(each)
    _keep(page, kept, len(all_of_them), warn)


def _strings(holder: pikepdf.Object) -> list[pikepdf.Object]:
    values = [holder[key] for key in holder.keys() if key not in ("/P", "/Parent", "/Popup")]  # noqa: SIM118
    found: list[pikepdf.Object] = [each for each in values if isinstance(each, pikepdf.String)]
    for each in values:
        if isinstance(each, pikepdf.Array):
            found += [one for one in each if isinstance(one, pikepdf.String)]
        elif isinstance(each, pikepdf.Dictionary) and not each.is_indirect:
            found += [each[key] for key in each.keys() if isinstance(each[key], pikepdf.String)]  # noqa: SIM118
    return found


def _states_of(annotation: pikepdf.Object) -> list[str]:
    """The names of the states of a button, which say what it stands for."""
    found = [str(annotation.get(name))[1:] for name in (Name.AS, Name.V, Name.DV) if name in annotation]
    looks = annotation.get(Name.AP)
    for name in (Name.N, Name.D, Name.R) if isinstance(looks, pikepdf.Dictionary) else ():
        states = looks.get(name) if looks is not None else None
        if isinstance(states, pikepdf.Dictionary) and not isinstance(states, pikepdf.Stream):
            found += [key[1:] for key in states.keys()]  # noqa: SIM118  # it is no mapping
    return found


def _shown_in(annotation: pikepdf.Object) -> list[str]:
    """The strings that the looks of an annotation show, as far as their codes are letters."""
    looks = annotation.get(Name.AP)
    found: list[str] = []
    waiting: list[pikepdf.Object] = [looks] if isinstance(looks, pikepdf.Dictionary) else []
    while waiting:
        now = waiting.pop()
        if isinstance(now, pikepdf.Stream):
            found.append(codes.strings(now))
        else:
            values = [now[key] for key in now.keys()]  # noqa: SIM118  # it is no mapping
            waiting += [each for each in values if isinstance(each, pikepdf.Dictionary | pikepdf.Stream)]
    return found


def _said_by(pdf: pikepdf.Pdf, numbers: list[int], says: Callable[[pikepdf.Object, Any], bool]) -> set[int]:
    """The pages of whose instructions, or of those of forms on them, this holds."""
    known: dict[Id, bool] = {}

    def said(holder: pikepdf.Object, resources: pikepdf.Object | None) -> bool:
        if says(holder, resources):
            return True
        objects = resources.get(Name.XObject) if isinstance(resources, pikepdf.Dictionary) else None
        for key in objects.keys() if isinstance(objects, pikepdf.Dictionary) else ():
            form = objects[key] if objects is not None else None
            if not isinstance(form, pikepdf.Stream) or form.get(Name.Subtype) != Name.Form:
                continue
            if form.objgen not in known:
                known[form.objgen] = False  # a form that draws itself shows nothing more
                known[form.objgen] = said(form, form.get(Name.Resources))
            if known[form.objgen]:
                return True
        return False

    return {number for number in numbers if said(pdf.pages[number].obj, pdf.pages[number].resources)}


def _is_metadata(stream: pikepdf.Object) -> bool:
    return bool(stream.get(Name.Subtype) == Name.XML or stream.get(Name.Type) == Name.Metadata)


def _scrub_xml(stream: pikepdf.Object, wanted: Wanted) -> None:
    try:
        text = stream.read_bytes().decode("utf-8")
    except (UnicodeDecodeError, *DAMAGED):
        stream.write(b"")
        return
    clean = wanted.without(text)
    if clean != text:
        stream.write(clean.encode("utf-8"))
