"""Find and remove form fields that no page shows."""

from __future__ import annotations

from dataclasses import dataclass, field

import pikepdf
from pikepdf import Name

from engine.families.pdf.tasks.drawn_sizes import Id


def has_place(widget: pikepdf.Object, page: pikepdf.Page) -> bool:
    """Whether a field has an area on its page."""
    field_box, page_box = _sides(widget.get(Name.Rect)), _sides(page.cropbox)
    if field_box is None or page_box is None:
        return field_box is not None
    (left, bottom, right, top), (first, lowest, last, highest) = field_box, page_box
    return max(left, first) < min(right, last) and max(bottom, lowest) < min(top, highest)


def _sides(box: object) -> tuple[float, float, float, float] | None:
    """The left, lower, right and upper side of a rectangle, whose corners may be any two opposite ones."""
    try:
        x0, y0, x1, y1 = map(float, box if isinstance(box, pikepdf.Array) else ())
    except (TypeError, ValueError):
        return None
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def remove(pdf: pikepdf.Pdf) -> int:
    """Remove fields that are on no page, and parents that have no fields left; return how many without the parents."""
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, pikepdf.Dictionary):
        return 0
    notes = [page.obj.get(Name.Annots) for page in pdf.pages]
    widgets = [each for found in notes if isinstance(found, pikepdf.Array) for each in found]
    shown = {each.objgen for each in widgets if isinstance(each, pikepdf.Dictionary) and each.is_indirect}
    parts = [_Part(form, Name.Fields), _Part(form, Name.CO)]
    known: dict[Id, _Part] = {}
    for part in parts:  # grows
        fields = part.holder.get(part.name)
        for each in fields if isinstance(fields, pikepdf.Array) else ():
            if not isinstance(each, pikepdf.Dictionary):
                continue
            inner = known.get(each.objgen) if each.is_indirect else None
            if inner is None:
                inner = _Part(each, Name.Kids, shown=each.is_indirect and each.objgen in shown)
                parts.append(inner)
                if each.is_indirect:
                    known[each.objgen] = inner
            inner.parents.append(part)
            part.inner.append(inner)
    ahead = [each for each in parts if each.shown and not each.inner]
    placed = set[int]()
    while ahead:
        part = ahead.pop()
        if id(part) not in placed:
            placed.add(id(part))
            ahead += part.parents
    for part in parts:
        kept = [each.holder for each in part.inner if id(each) in placed]
        if len(kept) < len(part.inner):
            part.holder[part.name] = pikepdf.Array(kept)
    return sum(not each.inner and id(each) not in placed for each in parts[2:])


@dataclass
class _Part:
    """A field, or the form, with the array of what is in it."""

    holder: pikepdf.Object
    name: pikepdf.Name
    shown: bool = False
    inner: list[_Part] = field(default_factory=list)
    parents: list[_Part] = field(default_factory=list)
