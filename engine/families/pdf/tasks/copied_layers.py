"""Carry the layers of copied pages into another PDF, where those that are hidden stay hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.reached import reached
from engine.families.pdf.tasks.drawn_sizes import Id

_OF_THE_DOCUMENT = frozenset({"/Annot", "/Catalog", "/Page", "/Pages", "/StructElem", "/StructTreeRoot"})
_MAX_DEPTH = 30


def add(target: pikepdf.Pdf, source: pikepdf.Pdf, pages: Sequence[pikepdf.Page], numbers: Iterable[int]) -> None:
    """Declare the layers that copied pages of `source`, counted from 0, use: undeclared ones would be shown.

    Layers of other pages and other configurations are left out (ISO 32000-1, 8.11.4). Call it while the pages are
    apart: those that share their resources name the layers of all others.
    """
    about = source.Root.get(Name.OCProperties)
    if not isinstance(about, pikepdf.Dictionary):
        return
    used = _used([pages[number] for number in set(numbers)])
    groups = [each for each in _dictionaries(about.get(Name.OCGs)) if each.is_indirect and each.objgen in used]
    copies = {each.objgen: target.copy_foreign(each) for each in groups}
    if not copies:
        return
    own = about.get(Name.D)
    default = own if isinstance(own, pikepdf.Dictionary) else pikepdf.Dictionary()
    if Name.OCProperties not in target.Root:
        intents = _names(default.get(Name.Intent))
        target.Root[Name.OCProperties] = pikepdf.Dictionary(OCGs=[], D=pikepdf.Dictionary())
    else:
        intents = _all_intents(target.Root.OCProperties.D, default)
    declared = target.Root.OCProperties
    declared.OCGs.extend(copies.values())
    if intents:
        declared.D[Name.Intent] = pikepdf.Array(intents)
    if Name.ListMode not in declared.D and isinstance(mode := default.get(Name.ListMode), Name):
        declared.D[Name.ListMode] = mode
    hidden = _ids(default.get(Name.OFF))
    if default.get(Name.BaseState) == Name.OFF:  # it is that of all layers, also those of other files
        hidden |= copies.keys() - _ids(default.get(Name.ON))
    parts: dict[Name, list[Any]] = {
        Name.OFF: [copy for group, copy in copies.items() if group in hidden],
        Name.Locked: _copied(default.get(Name.Locked), copies),
        Name.RBGroups: [pikepdf.Array(_copied(each, copies)) for each in _arrays(default.get(Name.RBGroups))],
        Name.AS: list(_automatic(default.get(Name.AS), copies)),
        Name.Order: _ordered(default.get(Name.Order), copies, set(), 0),
    }
    for name, values in parts.items():
        if values:
            declared.D[name] = pikepdf.Array([*declared.D.get(name, []), *values])


def _used(pages: Iterable[pikepdf.Page]) -> set[Id]:
    """The layers that pages, and all that is drawn on them, name."""
    drawn: list[Any] = []
    for page in pages:
        drawn.append(page.resources)
        for each in _dictionaries(page.obj.get(Name.Annots)):
            drawn += [each.get(Name.OC), each.get(Name.AP)]
    return {each.objgen for each in reached(drawn, _drawn_in) if _type(each) == "/OCG"}


def _drawn_in(holder: pikepdf.Object) -> Iterable[Any]:
    if isinstance(holder, pikepdf.Array):
        return holder
    kind = _type(holder)
    if kind == "/OCG" or kind in _OF_THE_DOCUMENT or (kind == "/Font" and Name.CharProcs not in holder):
        return ()
    return (value for _, value in holder.items())


def _type(holder: pikepdf.Object) -> str:
    return "" if isinstance(holder, pikepdf.Array) else str(holder.get(Name.Type))


def _automatic(value: object, copies: Mapping[Id, pikepdf.Object]) -> Iterator[pikepdf.Dictionary]:
    """What sets the state of layers when a page is shown, printed or exported."""
    for each in _dictionaries(value):
        groups, event = _copied(each.get(Name.OCGs), copies), each.get(Name.Event)
        if groups and isinstance(event, Name):
            yield pikepdf.Dictionary(Event=event, OCGs=groups, Category=_names(each.get(Name.Category)))


def _ordered(value: object, copies: Mapping[Id, pikepdf.Object], seen: set[Id], depth: int) -> list[Any]:
    """The list of layers that a viewer shows: an array has a title, or the layers below the one before it."""
    found: list[Any] = []
    has_parent = False
    for each in value if isinstance(value, pikepdf.Array) and depth < _MAX_DEPTH else ():
        if isinstance(each, pikepdf.Dictionary):
            has_parent = each.objgen in copies
            found += [copies[each.objgen]] if has_parent else []
        elif isinstance(each, pikepdf.Array) and each.objgen not in seen:
            if each.is_indirect:
                seen.add(each.objgen)
            inner = _ordered(each, copies, seen, depth + 1)
            if inner and len(each) and isinstance(each[0], pikepdf.String):
                found.append(pikepdf.Array([pikepdf.String(bytes(each[0])), *inner]))
            elif inner:
                found += [pikepdf.Array(inner)] if has_parent else inner
            has_parent = False
    return found


def _all_intents(declared: pikepdf.Object, added: pikepdf.Object) -> list[Name]:
    """The intents of two configurations; that of one that names none is View."""
    found = {str(name): name for each in (declared, added) for name in _names(each.get(Name.Intent)) or [Name.View]}
    return [] if found.keys() == {"/View"} else list(found.values())


def _copied(value: object, copies: Mapping[Id, pikepdf.Object]) -> list[pikepdf.Object]:
    return [copies[each.objgen] for each in _dictionaries(value) if each.objgen in copies]


def _ids(value: object) -> set[Id]:
    return {each.objgen for each in _dictionaries(value)}


def _dictionaries(value: object) -> Iterator[pikepdf.Dictionary]:
    return (
        (each for each in value if isinstance(each, pikepdf.Dictionary))
        if isinstance(value, pikepdf.Array)
        else iter(())
    )


def _arrays(value: object) -> Iterator[pikepdf.Array]:
    return (each for each in value if isinstance(each, pikepdf.Array)) if isinstance(value, pikepdf.Array) else iter(())


def _names(value: object) -> list[Name]:
    """A name, or an array of them."""
    return [each for each in (value if isinstance(value, pikepdf.Array) else [value]) if isinstance(each, Name)]
