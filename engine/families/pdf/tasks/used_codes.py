"""The character codes of each font that a PDF shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.drawn_sizes import Id

SMALLEST = 3_000
"""The size in bytes from which subsetting an embedded font is worthwhile."""


_OPERATORS = "Tf Tj TJ ' \" Tr gs q Q"
_INVISIBLE = 3
"""The text rendering mode that neither fills nor strokes (ISO 32000-1, table 106)."""


@dataclass
class UsedCodes:
    """The bytes of all shown strings by font object id; `whole` fonts must stay as they are.

    `seen` are those that are visible.
    """

    shown: dict[Id, set[bytes]] = field(default_factory=dict)
    seen: dict[Id, set[bytes]] = field(default_factory=dict)
    whole: set[Id] = field(default_factory=set)
    unknown: bool = False
    """Whether some text could not be attributed: no font may be changed then."""


def codes_shown(pdf: pikepdf.Pdf) -> UsedCodes:
    """Scan every content stream in the file, whether a page draws it or not."""
    found = UsedCodes()
    try:
        form = pdf.Root.get(Name.AcroForm)
        around: dict[str, list[pikepdf.Object]] = {}
        if isinstance(form, pikepdf.Dictionary):
            typed = fonts_of(form.get(Name.DR))
            # Text that will be typed in its fields is unknown.
            found.whole |= {font.objgen for font in typed.values()}
            around = {name: [font] for name, font in typed.items()}
        for page in pdf.pages:
            for name, font in fonts_of(page.resources).items():
                around.setdefault(name, []).append(font)
        for page in pdf.pages:
            _scan(page.obj, page.resources, around, found)
        for each in pdf.objects:
            if isinstance(each, pikepdf.Stream):
                if each.get(Name.Subtype) == Name.Form or each.get(Name.Type) == Name.Pattern:
                    _scan(each, each.get(Name.Resources), around, found)
            elif isinstance(each, pikepdf.Dictionary) and each.get(Name.Subtype) == Name.Type3:
                programs = each.get(Name.CharProcs, pikepdf.Dictionary())
                for name in programs.keys():  # noqa: SIM118  # it is no mapping
                    _scan(programs[name], each.get(Name.Resources), around, found)
    except DAMAGED:
        found.unknown = True
    return found


def fonts_of(resources: pikepdf.Object | None) -> dict[str, pikepdf.Object]:
    """The fonts of a resource dictionary by name."""
    fonts = resources.get(Name.Font) if isinstance(resources, pikepdf.Dictionary) else None
    if not isinstance(fonts, pikepdf.Dictionary):
        return {}
    return {name: fonts[name] for name in fonts.keys() if isinstance(fonts[name], pikepdf.Dictionary)}  # noqa: SIM118


def _scan(
    stream: pikepdf.Object,
    resources: pikepdf.Object | None,
    around: Mapping[str, list[pikepdf.Object]],
    found: UsedCodes,
) -> None:
    """Record what a stream shows; a font missing from its resources may be any of that name `around` it, or none."""
    fonts = fonts_of(resources)
    now: list[pikepdf.Object] | None = None
    mode = 0
    stack: list[tuple[list[pikepdf.Object] | None, int]] = []
    states = resources.get(Name.ExtGState) if isinstance(resources, pikepdf.Dictionary) else None
    for instruction in pikepdf.parse_content_stream(stream, _OPERATORS):
        operands, name = instruction.operands, str(instruction.operator)
        if name == "q":
            stack.append((now, mode))
        elif name == "Q":
            now, mode = stack.pop() if stack else (None, 0)
        elif name == "Tr" and operands:
            mode = int(operands[0])
        elif name == "Tf" and operands:
            name = str(operands[0])
            called = str(operands[0])
            now = [fonts[called]] if called in fonts else around.get(called, [])
        elif name == "gs" and operands and isinstance(states, pikepdf.Dictionary):
            state = states.get(str(operands[0]))
            chosen = state.get(Name.Font) if isinstance(state, pikepdf.Dictionary) else None
            if isinstance(chosen, pikepdf.Array) and len(chosen):
                now = [chosen[0]]
        elif name in ("Tj", "TJ", "'", '"'):
            strings = {bytes(each) for each in _strings(operands)}
            if now is None:
                # The font selected by the content around a form.
                found.unknown = found.unknown or bool(strings)
            for font in (now or ()) if strings else ():
                found.shown.setdefault(font.objgen, set()).update(strings)
                if mode != _INVISIBLE:
                    found.seen.setdefault(font.objgen, set()).update(strings)


def _strings(operands: object) -> Iterator[pikepdf.Object]:
    for each in operands:  # type: ignore[attr-defined]
        if isinstance(each, pikepdf.Array):
            yield from (part for part in each if isinstance(part, pikepdf.String))
        elif isinstance(each, pikepdf.String):
            yield each
