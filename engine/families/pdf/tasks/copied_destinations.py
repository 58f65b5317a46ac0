"""Carry the named destinations of links on copied pages into another PDF, under names that are not taken there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.name_text import string_text, text_of
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.toolkit.numbered_names import NumberedNames


class Destinations:
    """The named destinations of a PDF that pages are copied to. Its tree is kept, as to open it takes time."""

    def __init__(self, target: pikepdf.Pdf) -> None:
        self._target = target
        self._texts, self._old_names = NumberedNames(), NumberedNames()
        self._tree: pikepdf.NameTree | None = None

    def add(
        self,
        source: pikepdf.Pdf,
        tree: pikepdf.NameTree | None,
        copies: Mapping[Id, pikepdf.Object],
        pages: Iterable[pikepdf.Page],
    ) -> int:
        """Carry over what links on copied `pages` name, and return how many names lead to no page that was copied.

        `tree` has the texts that are names in `source`, `copies` the copy of each of its pages by its id there.
        """
        found: dict[bytes, pikepdf.Object | None] = {}
        for page in pages:
            for owner, key in _named(page):
                name = owner[key]
                known = bytes(name.unparse())
                if known not in found:
                    found[known] = self._carried(name, place_of(source, tree, name), copies)
                if (new := found[known]) is not None:
                    owner[key] = new
        return list(found.values()).count(None)

    def _carried(
        self, name: pikepdf.Object, place: pikepdf.Array | None, copies: Mapping[Id, pikepdf.Object]
    ) -> pikepdf.Object | None:
        """The name in the target; None if it leads to no page that was copied."""
        page = None if place is None else copies.get(place[0].objgen)
        if place is None or page is None:
            return None
        new_place = pikepdf.Array([page, *list(place)[1:]])
        root, entry = self._target.Root, self._target.make_indirect(pikepdf.Dictionary(D=new_place))
        if isinstance(name, pikepdf.Name):
            new = pikepdf.Name(self._old_names.free(f"/{text_of(name)}", _numbered))
            if Name.Dests not in root:
                root[Name.Dests] = pikepdf.Dictionary()
            root[Name.Dests][new] = entry
            return new
        text = self._texts.free(string_text(name), _numbered)
        if self._tree is None:
            self._tree = pikepdf.NameTree.new(self._target)
            root[Name.Names] = pikepdf.Dictionary(Dests=self._tree.obj)
        self._tree[text] = entry
        return pikepdf.String(text)


def named_places(pdf: pikepdf.Pdf) -> pikepdf.NameTree | None:
    """The destinations of a document whose names are texts."""
    names = pdf.Root.get(Name.Names)
    tree = names.get(Name.Dests) if isinstance(names, pikepdf.Dictionary) else None
    return pikepdf.NameTree(tree) if isinstance(tree, pikepdf.Dictionary) else None


def place_of(pdf: pikepdf.Pdf, tree: pikepdf.NameTree | None, destination: Any) -> pikepdf.Array | None:
    """Where a destination leads: a page first, then how it is shown. `tree` has the texts that are names in `pdf`."""
    found = destination
    if isinstance(found, pikepdf.Name):
        old = pdf.Root.get(Name.Dests)
        found = old.get(found) if isinstance(old, pikepdf.Dictionary) else None
    elif isinstance(found, pikepdf.String | str):
        found = None if tree is None else tree.get(string_text(found))
    if isinstance(found, pikepdf.Dictionary):
        found = found.get(Name.D)
    is_place = isinstance(found, pikepdf.Array) and len(found) and isinstance(found[0], pikepdf.Dictionary)
    return found if is_place else None


def _named(page: pikepdf.Page) -> Iterator[tuple[pikepdf.Object, Name]]:
    """What on a page leads to a destination by its name, and under which key."""
    annotations = page.obj.get(Name.Annots)
    for annotation in annotations if isinstance(annotations, pikepdf.Array) else ():
        if not isinstance(annotation, pikepdf.Dictionary):
            continue
        if _is_name(annotation.get(Name.Dest)):
            yield annotation, Name.Dest
        triggers = annotation.get(Name.AA)
        others = triggers.values() if isinstance(triggers, pikepdf.Dictionary) else ()
        seen: set[Id] = set()
        ahead = [annotation.get(Name.A), *others]
        while ahead:
            action = ahead.pop()
            if not isinstance(action, pikepdf.Array | pikepdf.Dictionary):
                continue
            if action.is_indirect and action.objgen in seen:
                continue
            seen.add(action.objgen)
            if isinstance(action, pikepdf.Array):
                ahead.extend(action)
                continue
            if action.get(Name.S) == Name.GoTo and _is_name(action.get(Name.D)):
                yield action, Name.D
            ahead.append(action.get(Name.Next))


def _is_name(value: object) -> bool:
    return isinstance(value, pikepdf.String | pikepdf.Name)


def _numbered(name: str, number: int) -> str:
    return f"{name}.{number - 1}"
