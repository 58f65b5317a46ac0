"""Find text that PDFium does not report: in patterns, Type 3 glyphs, masks and marked content."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.redaction.advances import Fonts
from engine.families.pdf.tasks.redaction.allowance import Allowance
from engine.families.pdf.tasks.redaction.codes import match, match_marked
from engine.families.pdf.tasks.redaction.finding import find
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.toolkit.failures import OverLimit

_MOST = 5_000
_MAX_DEPTH = 12
_SIDE = 14_400
"""Points, the side of the largest page (ISO 32000-1, annex C): it contains everything drawn."""


def remove(pdf: pikepdf.Pdf, numbers: Iterable[int], wanted: Wanted, scratch: Path, allowance: Allowance) -> int:
    """Remove matches in everything that the pages `numbers` use besides forms, and return how many.

    `scratch` is a file to use. Raises OverLimit for too much content.
    """
    drawn: dict[Id, tuple[pikepdf.Object, pikepdf.Object]] = {}
    seen: set[Id] = set()
    for number in numbers:
        drawn |= _used(pdf.pages[number].resources, seen, 0)
    if len(drawn) > _MOST:
        raise OverLimit("memory", "A page in the PDF has too much content to search.")
    ids, fonts = list(drawn), Fonts()
    matching = {
        at for at, each in enumerate(ids) if match(*drawn[each], wanted, fonts) or match_marked(*drawn[each], wanted)
    }
    if any(Name.Font in resources for _, resources in drawn.values()):
        with pikepdf.new() as new:
            for stream, resources in drawn.values():
                page = new.add_blank_page(page_size=(_SIDE, _SIDE))
                page.obj[Name.MediaBox] = pikepdf.Array([-_SIDE // 2, -_SIDE // 2, _SIDE // 2, _SIDE // 2])
                page.obj[Name.Resources] = _copied(new, resources)
                page.obj[Name.Contents] = new.make_stream(_instructions(stream))
            new.save(scratch, static_id=True)
        try:
            matching |= set(find(scratch, None, range(len(ids)), wanted, allowance))
        finally:
            scratch.unlink()
    for at in matching:
        drawn[ids[at]][0].write(b"")
    return len(matching)


def _used(
    resources: pikepdf.Object | None, seen: set[Id], depth: int
) -> dict[Id, tuple[pikepdf.Object, pikepdf.Object]]:
    """Patterns, Type 3 glyphs and masks in resources by id, each with its resources; forms are only descended into."""
    found: dict[Id, tuple[pikepdf.Object, pikepdf.Object]] = {}
    if depth > _MAX_DEPTH or not isinstance(resources, pikepdf.Dictionary):
        return found
    nothing = pikepdf.Dictionary()
    inner: list[tuple[pikepdf.Object, pikepdf.Object, bool]] = []
    for each in _values(resources.get(Name.XObject)):
        if each.get(Name.Subtype) == Name.Form:
            inner.append((each, each.get(Name.Resources, nothing), False))
    for each in _values(resources.get(Name.Pattern)):
        if each.get(Name.PatternType) == 1:
            inner.append((each, each.get(Name.Resources, nothing), True))
    for each in _values(resources.get(Name.ExtGState)):
        mask = each.get(Name.SMask)
        group = mask.get(Name.G) if isinstance(mask, pikepdf.Dictionary) else None
        if group is not None:
            inner.append((group, group.get(Name.Resources, nothing), True))
    for each in _values(resources.get(Name.Font)):
        if each.get(Name.Subtype) == Name.Type3:
            inner += [(letter, each.get(Name.Resources, nothing), True) for letter in _values(each.get(Name.CharProcs))]
    for stream, own, taken in inner:
        if not isinstance(stream, pikepdf.Stream) or stream.objgen in seen:
            continue
        seen.add(stream.objgen)
        if taken:
            found[stream.objgen] = stream, own
        found |= _used(own, seen, depth + 1)
    return found


def _values(holder: pikepdf.Object | None) -> list[pikepdf.Object]:
    if not isinstance(holder, pikepdf.Dictionary):
        return []
    values = [holder[key] for key in holder.keys()]  # noqa: SIM118  # it is no mapping
    return [each for each in values if isinstance(each, pikepdf.Dictionary | pikepdf.Stream)]


def _copied(new: pikepdf.Pdf, resources: pikepdf.Object) -> pikepdf.Object:
    """Resources with only the fonts: other content is searched separately."""
    found = pikepdf.Dictionary()
    fonts = resources.get(Name.Font) if isinstance(resources, pikepdf.Dictionary) else None
    if isinstance(fonts, pikepdf.Dictionary):
        found[Name.Font] = pikepdf.Dictionary()
        for key in fonts.keys():  # noqa: SIM118
            font = fonts[key]
            if isinstance(font, pikepdf.Dictionary):
                found[Name.Font][key] = new.copy_foreign(font) if font.is_indirect else font
    return found


def _instructions(stream: pikepdf.Object | None) -> bytes:
    """The bytes of a content stream or an array of them; none if damaged."""
    try:
        if isinstance(stream, pikepdf.Array):
            return b"\n".join(_instructions(each) for each in stream)
        return bytes(stream.read_bytes()) if isinstance(stream, pikepdf.Stream) else b""
    except DAMAGED:
        return b""
