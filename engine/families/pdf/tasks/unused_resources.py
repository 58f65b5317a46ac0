"""Remove fonts, forms, patterns and other resources that the content of copied pages never names."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.contents import streams_of
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.entry_changes import Changes
from engine.toolkit.failures import OverLimit

_NAME = re.compile(rb"/([^\x00\t\n\f\r ()<>\[\]{}/%]+)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_TELLING = ("/XObject", "/Pattern", "/ExtGState", "/Properties")
"""Resources that may show or say something of other pages: they go even if the content can't be read."""
_KINDS = (*_TELLING, "/Font", "/ColorSpace", "/Shading")
_UNNAMED = ("/DefaultCMYK", "/DefaultGray", "/DefaultRGB")
"""Colour spaces that are used without being named (ISO 32000-1, 8.6.5.6)."""
_MOST_LOOKED_UP = 1_000_000
"""Names of content without resources, looked up in those of everything else: takes a second."""


@dataclass(frozen=True)
class _Holder:
    """Content, and what has the entry for its resources."""

    content: pikepdf.Object
    owner: pikepdf.Object


@dataclass
class _Use:
    """Resources of one kind, and the names in the content of all that have them."""

    found: pikepdf.Object
    names: set[str] = field(default_factory=lambda: set(_UNNAMED))
    is_read: bool = True

    def get(self, name: str) -> Any:
        return self._odd.get(name) if _UNDECODABLE.search(name) else self.found.get(name)

    @functools.cached_property
    def _odd(self) -> dict[str, Any]:
        """Those with names that are no text, by which the library finds nothing, though it lists them."""
        return {name: value for name, value in self.found.items() if _UNDECODABLE.search(name)}


def remove(pdf: pikepdf.Pdf, pages: Iterable[pikepdf.Page], changes: Changes) -> None:
    """Remove them from pages and everything drawn on them: pages that were left out may share their resources.

    A name anywhere in the content counts as used. Resources that several have stay in one place, with what all of these
    use. The time depends on what is used, not on how much the pages share.
    """
    drawn = _Drawn(pages)
    made: dict[Id, pikepdf.Object] = {}
    for owner in drawn.owners:
        resources = owner[Name.Resources]
        if (new := made.get(resources.objgen) if resources.is_indirect else None) is None:
            new = pikepdf.Dictionary()
            for kind in (*_KINDS, "/ProcSet"):
                if (found := resources.get(kind)) is not None:
                    use = drawn.uses.get(_place(owner, kind))
                    new[kind] = found if use is None else _named(pdf, use, kind, drawn.shared, made)
            if resources.is_indirect:
                new = made[resources.objgen] = pdf.make_indirect(new)
        changes.set(owner, "/Resources", new)


def _named(pdf: pikepdf.Pdf, use: _Use, kind: str, shared: set[str], made: dict[Id, pikepdf.Object]) -> pikepdf.Object:
    """Those of its resources that are used."""
    found = use.found
    if not use.is_read and kind not in _TELLING:
        return found
    if found.is_indirect and found.objgen in made:
        return made[found.objgen]
    kept = {name: value for name in use.names | shared if (value := use.get(name)) is not None}
    if any(map(_UNDECODABLE.search, kept)):  # the library can't write such names
        new = copy.copy(found)
        for name in map(str, list(found)):
            if name not in kept and not _UNDECODABLE.search(name):
                del new[name]
    else:
        new = pikepdf.Dictionary(kept)
    if found.is_indirect:
        new = made[found.objgen] = pdf.make_indirect(new)
    return new


class _Drawn:
    """What is drawn on pages: which resources it has, and the names in content that has none."""

    def __init__(self, pages: Iterable[pikepdf.Page]) -> None:
        self.owners: list[pikepdf.Object] = []
        self.uses: dict[tuple[Id, str], _Use] = {}
        self.shared: set[str] = set()
        self._looked_up = 0
        seen: set[Id] = set()
        owners: set[Id] = set()
        ahead = [holder for page in pages for holder in _of_page(page)]
        while ahead:
            holder = ahead.pop()
            if holder.content.objgen in seen:
                continue
            seen.add(holder.content.objgen)
            if not isinstance(holder.owner.get(Name.Resources), pikepdf.Dictionary):
                ahead += self._bare(holder.content)
                continue
            if _id(holder.owner) not in owners:
                owners.add(_id(holder.owner))
                self.owners.append(holder.owner)
            ahead += self._used(holder)

    def _used(self, holder: _Holder) -> Iterator[_Holder]:
        names = _names(holder.content)
        for kind in _KINDS:
            found = holder.owner.Resources.get(kind)
            if not isinstance(found, pikepdf.Dictionary):
                continue
            place = _place(holder.owner, kind)
            if place in self.uses:
                use = self.uses[place]
                new = (names or set()) - use.names
            else:
                use = self.uses[place] = _Use(found)
                self._count(len(self.shared))
                new = (names or set()) | self.shared
            use.names |= names or set()
            use.is_read &= names is not None
            yield from _inner(use, new)

    def _bare(self, content: pikepdf.Object) -> Iterator[_Holder]:
        """Content without resources of its own uses those of the page (ISO 32000-1, 7.8.3)."""
        names = _names(content)
        new = (names or set()) - self.shared
        self.shared |= new
        self._count(len(new) * len(self.uses))
        for use in self.uses.values():
            use.is_read &= names is not None
            yield from _inner(use, new)

    def _count(self, looked_up: int) -> None:
        self._looked_up += looked_up
        if self._looked_up > _MOST_LOOKED_UP:
            raise OverLimit("limit", "Too much content of the PDF has no resources of its own.")


def _id(holder: pikepdf.Object) -> Id:
    """A font in the middle of resources has no number; whatever is drawn is kept, and so is its place in memory."""
    return holder.objgen if holder.is_indirect else (id(holder), -1)


def _place(owner: pikepdf.Object, kind: str) -> tuple[Id, str]:
    """The same for resources that are the same."""
    resources = owner[Name.Resources]
    if (found := resources[kind]).is_indirect:
        return found.objgen, ""
    return (resources.objgen if resources.is_indirect else _id(owner)), kind


def _of_page(page: pikepdf.Page) -> Iterator[_Holder]:
    yield _Holder(page.obj, page.obj)
    annotations = page.obj.get(Name.Annots)
    for each in annotations if isinstance(annotations, pikepdf.Array) else ():
        if isinstance(each, pikepdf.Dictionary):
            yield from (_Holder(form, form) for form in _streams(each.get(Name.AP)))


def _inner(use: _Use, names: Iterable[str]) -> Iterator[_Holder]:
    """The content of resources with these names."""
    for value in map(use.get, names):
        if isinstance(value, pikepdf.Stream):
            if value.get(Name.Subtype) != Name.Image:
                yield _Holder(value, value)
        elif isinstance(value, pikepdf.Dictionary):
            mask = value.get(Name.SMask)
            if isinstance(mask, pikepdf.Dictionary) and isinstance(mask.get(Name.G), pikepdf.Stream):
                yield _Holder(mask.G, mask.G)
            for glyph in _streams(value.get(Name.CharProcs)):
                yield _Holder(glyph, value)


def _streams(value: Any) -> Iterator[pikepdf.Object]:
    """The streams in a dictionary, and in dictionaries of it, as appearances have for states."""
    for each in value.values() if isinstance(value, pikepdf.Dictionary) else ():
        if isinstance(each, pikepdf.Stream):
            yield each
        elif isinstance(each, pikepdf.Dictionary):
            yield from (one for one in each.values() if isinstance(one, pikepdf.Stream))


def _names(content: pikepdf.Object) -> set[str] | None:
    """The names in content, as keys of its resources are written; None if it can't be read."""
    names: set[str] = set()
    for each in streams_of(content):
        try:
            names |= {_read(name) for name in set(_NAME.findall(each.read_bytes()))}
        except DAMAGED:
            return None
    return names


def _read(name: bytes) -> str:
    plain = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), name)
    return "/" + plain.decode("utf-8", "surrogateescape")
