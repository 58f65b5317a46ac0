"""What the coloured twin of a page paints, with the elements it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.families.html_pdf.tagged.content import SAME, UNIT, Act, Box, Matrix, acts, box_of, joined
from engine.families.html_pdf.tagged.twin import Owner, Twin

DEEPEST = 40
"""Groups within each other that are read."""
_EDGE = 1.0
"""Points by which a picture may be larger than its box."""


@dataclass(slots=True)
class Counterpart:
    """Something that is painted: its kind, what identifies it there, the font and height of a text, and its owner."""

    kind: str
    key: bytes
    font: str
    y: float | None
    owner: Owner | None


def form_of(resources: Any, name: str) -> Any | None:
    """The group of a name; None for a picture."""
    found = resources.XObject[name]
    return found if found.get("/Subtype") == "/Form" else None


def inside(form: Any, matrix: Matrix) -> Matrix:
    """The matrix within a group."""
    own = [float(each) for each in form.get("/Matrix", (1, 0, 0, 1, 0, 0))]
    a, b, c, d, e, f = own
    return joined((a, b, c, d, e, f), matrix)


def owned(stream: Any, resources: Any, twin: Twin, depth: int, matrix: Matrix = SAME) -> Iterator[Counterpart]:
    """What a stream of the twin paints, in order."""
    data = stream.read_bytes()
    picture: tuple[Owner, Box] | None = None
    for act, now in acts(data, matrix):
        if act.kind == "text":
            if not act.text:
                continue
            owner = twin.owner(act.fill)
            if owner is not None:
                picture = None
            yield Counterpart("text", act.text, act.name, act.y, owner or (picture[0] if picture else None))
            continue
        if act.kind not in ("paint", "do", "shade"):
            continue
        form = form_of(resources, act.name) if act.kind == "do" else None
        if form is not None and depth < DEEPEST:
            yield from owned(form, form.get("/Resources", resources), twin, depth + 1, inside(form, now))
            continue
        owner = twin.owner(act.fill) if act.kind == "paint" else None
        if owner is not None and owner.part == "picture" and act.box is not None:
            picture = owner, act.box
        elif picture is not None and not _within(act.box or box_of(UNIT, now), picture[1], act.kind):
            picture = None
        yield Counterpart(act.kind, key_of(act, now, data), "", None, picture[0] if picture else None)


def key_of(act: Act, matrix: Matrix, data: bytes) -> bytes:
    """What is the same in the twin: the place of a picture, whose names differ, and the shape of all else."""
    return repr([round(each, 1) for each in matrix]).encode() if act.kind == "do" else data[act.start : act.end]


def _within(box: Box, outer: Box, kind: str) -> bool:
    if kind == "shade":
        return True
    spare = _EDGE if kind == "paint" else max(outer[2] - outer[0], outer[3] - outer[1])
    return (
        box[0] >= outer[0] - spare
        and box[1] >= outer[1] - spare
        and box[2] <= outer[2] + spare
        and box[3] <= outer[3] + spare
    )
