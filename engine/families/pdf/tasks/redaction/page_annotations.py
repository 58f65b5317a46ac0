"""Remove annotations that may quote or link to redacted content: notes, links and form fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pikepdf
from pikepdf import Name

from engine.families.pdf.name_text import string_text, text_of
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.redaction import codes
from engine.families.pdf.tasks.redaction.boxes import Boxes
from engine.families.pdf.tasks.redaction.finding import Box
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.toolkit.warnings import Warn

_ICON = 24.0
"""Points that a note's icon may extend beyond its rectangle: readers choose its size."""


def indirect(pdf: pikepdf.Pdf) -> set[Id]:
    """Return the annotations of all pages that are indirect objects."""
    return {each.objgen for page in pdf.pages for each in _of_page(page) if each.is_indirect}


def _of_page(page: pikepdf.Page) -> list[pikepdf.Object]:
    found = page.obj.get(Name.Annots)
    return [each for each in found if isinstance(each, pikepdf.Dictionary)] if isinstance(found, pikepdf.Array) else []


def _keep(page: pikepdf.Page, kept: list[pikepdf.Object], before: int, warn: Warn) -> None:
    if len(kept) < before:
        page.obj[Name.Annots] = pikepdf.Array(kept)
        warn("CONTENT_DROPPED", "Notes, links and form fields that cover or contain the removed text were removed too.")


def remove_over(page: pikepdf.Page, boxes: Boxes, warn: Warn) -> None:
    """Remove annotations over removed content: a note may quote it, a link lead to it."""
    kept, all_of_them = [], _of_page(page)
    for each in all_of_them:
        if not boxes.meeting(_place(each)):
            kept.append(each)
    _keep(page, kept, len(all_of_them), warn)


def _place(annotation: pikepdf.Object) -> Box:
    x1, y1, x2, y2 = (float(value) for value in annotation.get(Name.Rect, [0, 0, 0, 0]))
    return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def seen(page: pikepdf.Page) -> list[Box]:
    """Return the boxes in which readers may draw the annotations of a page."""
    return [*map(_seen_at, _of_page(page))]


def _seen_at(annotation: pikepdf.Object) -> Box:
    place, beyond = _place(annotation), _ICON if annotation.get(Name.Subtype) == Name.Text else 0.0
    return Box(place.left - beyond, place.bottom - beyond, place.right + beyond, place.top + beyond)


def remove_matching(pages: Iterable[pikepdf.Page], wanted: Wanted, warn: Warn) -> None:
    """Remove annotations whose texts match: their appearances, which are not searched, may show them."""
    shown: dict[Id, bool] = {}

    def shows(look: pikepdf.Object) -> bool:
        if look.objgen not in shown:
            shown[look.objgen] = wanted.found_in(codes.strings(look))
        return shown[look.objgen]

    for page in pages:
        kept, all_of_them = [], _of_page(page)
        for each in all_of_them:
            parent = each.get(Name.Parent)
            holders = [each, *([parent] if isinstance(parent, pikepdf.Dictionary) else [])]
            texts = [string_text(one) for holder in holders for one in _strings(holder)]
            if not any(map(wanted.found_in, (*texts, *_states_of(each)))) and not any(map(shows, _looks_of(each))):
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
    """The state names of a button, which describe it."""
    values = (annotation.get(name) for name in (Name.AS, Name.V, Name.DV) if name in annotation)
    found = [text_of(each) if isinstance(each, Name) else str(each)[1:] for each in values]
    appearances = annotation.get(Name.AP)
    for name in (Name.N, Name.D, Name.R) if isinstance(appearances, pikepdf.Dictionary) else ():
        states = appearances.get(name) if appearances is not None else None
        if isinstance(states, pikepdf.Dictionary) and not isinstance(states, pikepdf.Stream):
            found += [text_of(key) for key in states.keys()]  # noqa: SIM118  # it is no mapping
    return found


def _looks_of(annotation: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The appearances of an annotation."""
    appearances = annotation.get(Name.AP)
    waiting: list[pikepdf.Object] = [appearances] if isinstance(appearances, pikepdf.Dictionary) else []
    while waiting:
        now = waiting.pop()
        if isinstance(now, pikepdf.Stream):
            yield now
        else:
            values = [now[key] for key in now.keys()]  # noqa: SIM118  # it is no mapping
            waiting += [each for each in values if isinstance(each, pikepdf.Dictionary | pikepdf.Stream)]
