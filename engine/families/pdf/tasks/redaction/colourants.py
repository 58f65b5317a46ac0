"""Replace names of colourants that match, which show nothing."""

from __future__ import annotations

from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.reached import reached
from engine.families.pdf.tasks.redaction.neutral_names import NeutralNames

_STANDARD = frozenset({"/All", "/Black", "/Blue", "/Cyan", "/Green", "/Magenta", "/None", "/Red", "/Yellow"})
"""Colourants that devices have (ISO 32000-1, 8.6.6.4 and 8.6.6.5)."""


def rename(pdf: pikepdf.Pdf, names: NeutralNames) -> None:
    """Replace them in all colour spaces with names of their own; what else is said about them is removed."""
    for each in reached([*pdf.objects], _inner):
        if not isinstance(each, pikepdf.Array) or len(each) < 4:
            continue
        space: Any = each
        if space[0] == Name.Separation and isinstance(space[1], Name):
            space[1] = _renamed(space[1], names)
        elif space[0] == Name.DeviceN and isinstance(space[1], pikepdf.Array):
            before = [one for one in space[1] if isinstance(one, Name)]
            after = [_renamed(one, names) for one in before]
            if any(one is not other for one, other in zip(before, after, strict=True)):
                space[1] = pikepdf.Array(after)
                del space[4:]  # its attributes name them too, and are for presses


def _renamed(name: Name, names: NeutralNames) -> Any:
    return name if name.unparse().decode("latin-1") in _STANDARD else names.resource(name)


def _inner(holder: pikepdf.Object) -> list[Any]:
    if isinstance(holder, pikepdf.Array):
        return list(holder)
    return [holder[key] for key in holder.keys()]  # noqa: SIM118  # it is no mapping
