"""Remove forms, patterns, masks and properties that the content of copied pages never names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.drawn_sizes import Id

_NAME = re.compile(rb"/([^\x00\t\n\f\r ()<>\[\]{}/%]+)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_LAYERS = ("/OCG", "/OCMD")


@dataclass(frozen=True)
class _Holder:
    """Content, and what has the entry for its resources."""

    content: pikepdf.Object
    owner: pikepdf.Object


def remove(pdf: pikepdf.Pdf) -> None:
    """Remove them from pages and everything drawn on them: pages that were left out may share their resources.

    The library removes unnamed forms and fonts of pages and forms. A name anywhere in the content counts as used.
    """
    seen: set[Id] = set()
    for page in pdf.pages:
        holders = list(_holders(page, seen))
        risky = [each for each in holders if any(True for _ in _removable(each.owner))]
        if not risky:
            continue
        # Content without resources of its own uses those of the page (ISO 32000-1, 7.8.3).
        shared: set[str] = set()
        for each in holders:
            if not isinstance(each.owner.get(Name.Resources), pikepdf.Dictionary):
                shared |= _names(each.content)
        for each in risky:
            _remove_from(each, shared)


def _remove_from(holder: _Holder, shared: set[str]) -> None:
    owner = holder.owner
    used = shared.union(*map(_names, _drawn(owner, holder.content)))
    unused = [(kind, name) for kind, name in _removable(owner) if name not in used and name.isascii()]
    if not unused:
        return
    own = pikepdf.Dictionary(dict(owner[Name.Resources]))  # others may share it
    for kind in {kind for kind, _ in unused}:
        gone = {name for found, name in unused if found == kind}
        own[kind] = pikepdf.Dictionary({key: value for key, value in own[kind].items() if key not in gone})
    owner[Name.Resources] = own


def _removable(owner: pikepdf.Object) -> Iterator[tuple[str, str]]:
    """The resources that may show or say something of other pages."""
    resources = owner.get(Name.Resources)
    if not isinstance(resources, pikepdf.Dictionary):
        return
    for kind in ("/XObject", "/Pattern", "/ExtGState", "/Properties"):
        found = resources.get(kind)
        for name, value in found.items() if isinstance(found, pikepdf.Dictionary) else ():
            if not isinstance(value, pikepdf.Dictionary | pikepdf.Stream):
                continue
            if kind == "/ExtGState" and not isinstance(value.get(Name.SMask), pikepdf.Dictionary):
                continue
            if kind == "/Properties" and str(value.get(Name.Type)) in _LAYERS:
                continue
            yield kind, name


def _holders(page: pikepdf.Page, seen: set[Id]) -> Iterator[_Holder]:
    """A page and all streams with content that are drawn on it; `seen` are those of earlier pages."""
    ahead: list[_Holder] = [_Holder(page.obj, page.obj)]
    annotations = page.obj.get(Name.Annots)
    for each in annotations if isinstance(annotations, pikepdf.Array) else ():
        if isinstance(each, pikepdf.Dictionary):
            ahead += [_Holder(form, form) for form in _streams(each.get(Name.AP))]
    while ahead:
        holder = ahead.pop()
        if holder.content.objgen in seen:
            continue
        seen.add(holder.content.objgen)
        yield holder
        resources = holder.owner.get(Name.Resources)
        if not isinstance(resources, pikepdf.Dictionary):
            continue
        for kind in ("/XObject", "/Pattern", "/ExtGState", "/Font"):
            found = resources.get(kind)
            for value in found.values() if isinstance(found, pikepdf.Dictionary) else ():
                ahead += _inner(value)


def _inner(value: Any) -> Iterator[_Holder]:
    if isinstance(value, pikepdf.Stream):
        if value.get(Name.Subtype) != Name.Image:
            yield _Holder(value, value)
    elif isinstance(value, pikepdf.Dictionary):
        mask = value.get(Name.SMask)
        if isinstance(mask, pikepdf.Dictionary) and isinstance(mask.get(Name.G), pikepdf.Stream):
            yield _Holder(mask.G, mask.G)
        if isinstance(glyphs := value.get(Name.CharProcs), pikepdf.Dictionary):
            for glyph in _streams(glyphs):
                yield _Holder(glyph, value)


def _drawn(owner: pikepdf.Object, content: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """All content that uses the resources of `owner`: a font has many glyphs."""
    glyphs = owner.get(Name.CharProcs)
    yield from _streams(glyphs) if isinstance(glyphs, pikepdf.Dictionary) else (content,)


def _streams(value: Any) -> Iterator[pikepdf.Object]:
    """The streams in a dictionary, and in dictionaries of it, as appearances have for states."""
    for each in value.values() if isinstance(value, pikepdf.Dictionary) else ():
        if isinstance(each, pikepdf.Stream):
            yield each
        elif isinstance(each, pikepdf.Dictionary):
            yield from (one for one in each.values() if isinstance(one, pikepdf.Stream))


def _names(content: pikepdf.Object) -> set[str]:
    """The names in content, as keys of its resources are written."""
    if isinstance(content, pikepdf.Stream):
        streams = [content]
    else:
        found = content.get(Name.Contents)
        streams = [found] if isinstance(found, pikepdf.Stream) else [*found] if isinstance(found, pikepdf.Array) else []
    names: set[str] = set()
    for each in streams:
        if isinstance(each, pikepdf.Stream):
            names |= {_read(name) for name in set(_NAME.findall(_data(each)))}
    return names


def _data(stream: pikepdf.Object) -> bytes:
    try:
        return stream.read_bytes()
    except DAMAGED:
        return b""  # it is not drawn either


def _read(name: bytes) -> str:
    plain = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), name)
    return "/" + plain.decode("utf-8", "replace")
