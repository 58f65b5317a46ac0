"""The largest size in points at which each picture of a PDF is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED

Id = tuple[int, int]
"""Number and generation of an object in its file."""

Matrix = tuple[float, float, float, float, float, float]

_OPERATORS = "q Q cm Do gs"
_MAX_VISITS = 20_000
"""The maximum forms visited: pictures drawn beyond it are of unknown size."""

_MAX_DEPTH = 12


@dataclass
class Places:
    """Object id of a picture to the largest width and height, in points, that it is drawn at.

    Pictures drawn in streams that are not followed, such as Type 3 glyphs, are in `unknown` or absent; `complete` is
    False if something could not be followed.
    """

    sizes: dict[Id, tuple[float, float]] = field(default_factory=dict)
    complete: bool = True
    _visits: int = 0

    def record(self, picture: Id, matrix: Matrix) -> None:
        a, b, c, d, _, _ = matrix
        width, height = self.sizes.get(picture, (0.0, 0.0))
        self.sizes[picture] = (max(width, math.hypot(a, b)), max(height, math.hypot(c, d)))

    def visit(self) -> bool:
        self._visits += 1
        if self._visits > _MAX_VISITS:
            self.complete = False
        return self.complete


def places(pdf: pikepdf.Pdf) -> Places:
    """Follow the content streams of all pages, their annotations and patterns."""
    found = Places()
    for page in pdf.pages:
        unit = _number(page.obj.get(Name.UserUnit, 1))
        base: Matrix = (unit, 0, 0, unit, 0, 0)
        try:
            resources = page.resources
            _follow(page.obj, resources, base, found, 0, ())
            for annotation in _dictionaries(page.obj.get(Name.Annots)):
                for form, matrix in _appearances(annotation, base):
                    _form(form, resources, matrix, found, 0, ())
        except DAMAGED:
            found.complete = False
    return found


def _follow(
    stream: pikepdf.Object,
    resources: pikepdf.Object,
    base: Matrix,
    found: Places,
    depth: int,
    inside: tuple[Id, ...],
) -> None:
    """Follow one stream of instructions, or a page, whose unit square `base` maps to the page."""
    if not isinstance(resources, pikepdf.Dictionary):
        return
    if not any(name in resources for name in (Name.XObject, Name.Pattern, Name.ExtGState)):
        return
    objects = resources.get(Name.XObject, pikepdf.Dictionary())
    states = resources.get(Name.ExtGState, pikepdf.Dictionary())
    for pattern in _dictionaries(resources.get(Name.Pattern)):
        if isinstance(pattern, pikepdf.Stream):
            _form(pattern, resources, base, found, depth, inside)
    if not len(objects) and not len(states):
        return
    now, stack = base, []
    for instruction in pikepdf.parse_content_stream(stream, _OPERATORS):
        operands, name = instruction.operands, str(instruction.operator)
        if name == "q":
            stack.append(now)
        elif name == "Q":
            now = stack.pop() if stack else base
        elif name == "cm" and len(operands) == 6:
            now = product(matrix_of(operands), now)
        elif name == "Do" and operands:
            drawn = objects.get(str(operands[0]))
            if isinstance(drawn, pikepdf.Stream):
                if drawn.get(Name.Subtype) == Name.Image:
                    found.record(drawn.objgen, now)
                else:
                    _form(drawn, resources, now, found, depth, inside)
        elif name == "gs" and operands:
            state = states.get(str(operands[0]))
            mask = state.get(Name.SMask) if isinstance(state, pikepdf.Dictionary) else None
            if isinstance(mask, pikepdf.Dictionary) and isinstance(mask.get(Name.G), pikepdf.Stream):
                _form(mask[Name.G], resources, now, found, depth, inside)


def _form(
    form: pikepdf.Object,
    resources: pikepdf.Object,
    matrix: Matrix,
    found: Places,
    depth: int,
    inside: tuple[Id, ...],
) -> None:
    if form.objgen in inside or depth >= _MAX_DEPTH or not found.visit():
        return
    if Name.Matrix in form:
        matrix = product(matrix_of(list(form[Name.Matrix])), matrix)
    _follow(form, form.get(Name.Resources, resources), matrix, found, depth + 1, (*inside, form.objgen))


def _appearances(annotation: pikepdf.Object, base: Matrix) -> Iterator[tuple[pikepdf.Object, Matrix]]:
    """The appearance forms of an annotation, with the matrix that fits each into place (ISO 32000-1, 12.5.5)."""
    appearances = annotation.get(Name.AP)
    if not isinstance(appearances, pikepdf.Dictionary):
        return
    place = [_number(each) for each in annotation.get(Name.Rect, [])]
    for state in _dictionaries(appearances):
        for form in [state] if isinstance(state, pikepdf.Stream) else _dictionaries(state):
            box = [_number(each) for each in form.get(Name.BBox, [])]
            if not isinstance(form, pikepdf.Stream) or len(place) != 4 or len(box) != 4:
                continue
            across, down = abs(box[2] - box[0]) or 1.0, abs(box[3] - box[1]) or 1.0
            scale = (abs(place[2] - place[0]) / across, 0.0, 0.0, abs(place[3] - place[1]) / down, 0.0, 0.0)
            yield form, product(scale, base)


def _dictionaries(holder: pikepdf.Object | None) -> Iterator[pikepdf.Object]:
    """The dictionaries and streams that are items or values of an object."""
    if isinstance(holder, pikepdf.Array):
        values = list(holder)
    elif isinstance(holder, pikepdf.Dictionary) and not isinstance(holder, pikepdf.Stream):
        values = [holder[key] for key in holder.keys()]  # noqa: SIM118  # it is no mapping
    else:
        return
    yield from (each for each in values if isinstance(each, pikepdf.Dictionary | pikepdf.Stream))


def _number(value: object) -> float:
    return float(value)  # type: ignore[arg-type]  # a TypeError here is one of DAMAGED


def matrix_of(values: Iterable[object]) -> Matrix:
    a, b, c, d, e, f = (_number(each) for each in values)
    return (a, b, c, d, e, f)


def product(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies `first`, then `second`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)
