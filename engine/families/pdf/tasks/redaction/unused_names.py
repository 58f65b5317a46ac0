"""Names outside of resources that match: of actions, classes and roles of structure elements, and drawn glyphs."""

from __future__ import annotations

from typing import Any

import pikepdf
from fontTools.agl import AGL2UV
from pikepdf import Name

from engine.families.pdf.name_text import name_of, text_of
from engine.families.pdf.reached import dictionaries
from engine.families.pdf.tasks.redaction.neutral_names import NeutralNames
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.toolkit.warnings import Kind, Warn

_KEPT = Kind("TEXT_UNREADABLE", "Names of fonts and their glyphs that match and were kept: {count}{places}.")
_ACTIONS = frozenset({"FirstPage", "LastPage", "NextPage", "PrevPage"})
"""The named actions that all readers know (ISO 32000-1, table 211)."""


def replace(pdf: pikepdf.Pdf, wanted: Wanted, names: NeutralNames, warn: Warn) -> None:
    """Remove such actions, replace the other names, and count those of fonts, which are kept."""
    kept = set[str]()
    for holder in dictionaries(pdf):
        action = holder.get(Name.N) if holder.get(Name.S) == Name.Named else None
        if isinstance(action, Name) and text_of(action) not in _ACTIONS and wanted.named_in(text_of(action)):
            del holder[Name.N]
        if Name.CharProcs in holder:
            _rename_glyphs(holder, names)
        else:
            kept |= {text_of(each) for each in _font_names(holder) if wanted.named_in(text_of(each))}
    _rename_structure(pdf, names)
    warn.tally(_KEPT, len(kept))


def _font_names(holder: Any) -> list[Any]:
    """The name of a font, and those of its glyphs that stand for no character."""
    found = [holder.get(Name.BaseFont)] if holder.get(Name.Type) == Name.Font else []
    changes = holder.get(Name.Differences)
    found += [each for each in changes if isinstance(each, Name)] if isinstance(changes, pikepdf.Array) else []
    return [each for each in found if isinstance(each, Name) and text_of(each) not in AGL2UV]


def _rename_glyphs(font: Any, names: NeutralNames) -> None:
    encoding = font.get(Name.Encoding)
    changes = encoding.get(Name.Differences) if isinstance(encoding, pikepdf.Dictionary) else None
    if isinstance(changes, pikepdf.Array):
        new = [_neutral(each, names) if isinstance(each, Name) else each for each in changes]
        encoding[Name.Differences] = pikepdf.Array(new)
    _rename_keys(font[Name.CharProcs], names)


def _neutral(glyph: Any, names: NeutralNames) -> Any:
    return glyph if text_of(glyph) in AGL2UV else names.resource(glyph)


def _rename_structure(pdf: pikepdf.Pdf, names: NeutralNames) -> None:
    root = pdf.Root.get(Name.StructTreeRoot)
    if not isinstance(root, pikepdf.Dictionary):
        return
    own = set[str]()
    groups = [
        each for each in (root.get(Name.RoleMap), root.get(Name.ClassMap)) if isinstance(each, pikepdf.Dictionary)
    ]
    for group in groups:
        own |= {text_of(key) for key in group.keys()}  # noqa: SIM118  # it is no mapping
        _rename_keys(group, names)
    for holder in dictionaries(pdf):
        if holder.get(Name.Type) == Name.StructElem or (Name.P in holder and Name.S in holder):
            for key in (Name.S, Name.C):
                value: Any = holder.get(key)
                if isinstance(value, Name):
                    holder[key] = _replaced(value, own, names)
                elif isinstance(value, pikepdf.Array):
                    holder[key] = pikepdf.Array([_replaced(each, own, names) for each in value])


def _replaced(value: Any, own: set[str], names: NeutralNames) -> Any:
    return names.resource(value) if isinstance(value, Name) and text_of(value) in own else value


def _rename_keys(group: Any, names: NeutralNames) -> None:
    own = {text_of(key) for key in group.keys()}  # noqa: SIM118  # it is no mapping
    for key in [*group.keys()]:
        before: Any = name_of(key)
        if text_of(key) in AGL2UV:
            continue
        after = names.resource(before)
        value = group[before] = _replaced(group[before], own, names)  # a role may lead to another one
        if after is not before:
            group[after] = value
            del group[before]
