"""Erase glyphs and pixels from the content of pages and forms."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name, Operator

from engine.families.pdf.tasks.drawn_sizes import Id, Matrix, matrix_of, product
from engine.families.pdf.tasks.redaction.advances import Advances, advances_of
from engine.families.pdf.tasks.redaction.codes import TEXTS
from engine.families.pdf.tasks.redaction.finding import Box
from engine.families.pdf.tasks.redaction.pixels import blackened
from engine.families.pdf.tasks.redaction.text_state import SHOWING, State, States, shown
from engine.families.pdf.tasks.used_codes import fonts_of
from engine.toolkit.failures import OverLimit

_MAX_DEPTH = 12
_MAX_FORMS = 5_000
"""Forms and pictures that a page draws, each as often as it is: 1,000 with words to remove take 1.6 s."""
_MIDDLE = 0.3
"""The height of a glyph's middle above the baseline, in times the font size."""

_REACH = 0.6
"""Points that a glyph's middle may be outside its box, by rounding."""

_ROW = 8
"""The height of a row of boxes, in points."""

_MOST_ROWS = 100


@dataclass
class Eraser:
    """Removes from one page everything in `boxes`, or all text if `every`.

    `scrub` cleans the replacement texts of marked content; those of removed text, and all of them if `mute`, are
    removed too. Failures are counted.
    """

    pdf: pikepdf.Pdf
    boxes: list[Box]
    scrub: Callable[[Any], bool]
    every: bool = False
    mute: bool = False
    pictures_removed: int = 0
    _changes: int = 0
    _fonts: dict[Id, Advances] = field(default_factory=dict)
    _forms: int = 0
    _rows: dict[int, list[Box]] = field(default_factory=dict)
    """The boxes by the page rows that they overlap, to check few of them."""
    _tall: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        for box in dict.fromkeys(self.boxes):  # letters on top of one another have one
            first, last = _row(box.bottom - _REACH), _row(box.top + _REACH)
            if last - first > _MOST_ROWS:
                self._tall.append(box)
                continue
            for row in range(first, last + 1):
                self._rows.setdefault(row, []).append(box)

    def page(self, page: pikepdf.Page) -> None:
        """Erase in a page in place; shared resources are copied first."""
        unchanged = page.resources
        resources = pikepdf.Dictionary({key: unchanged[key] for key in unchanged.keys()})  # noqa: SIM118
        data = self._erased(page.obj, resources, (1, 0, 0, 1, 0, 0), 0)
        page.obj[Name.Resources] = resources
        marks = "\n".join(
            f"{box.left:.2f} {box.bottom:.2f} {box.right - box.left:.2f} {box.top - box.bottom:.2f} re f"
            for box in joined(self.boxes)
        )
        page.obj[Name.Contents] = self.pdf.make_stream(b"q\n" + data + b"\nQ\nq 0 g\n" + marks.encode() + b"\nQ\n")

    def _erased(self, stream: pikepdf.Object, resources: pikepdf.Dictionary, base: Matrix, depth: int) -> bytes:
        """The instructions of `stream` without erased content; new forms and pictures are put into `resources`."""
        objects = resources.get(Name.XObject)
        if isinstance(objects, pikepdf.Dictionary):  # others may share it
            resources[Name.XObject] = pikepdf.Dictionary({key: objects[key] for key in objects.keys()})  # noqa: SIM118
        states = States(State(base))
        fonts = fonts_of(resources)
        out: list[Any] = []
        drawn: set[str] = set()
        spans: list[int] = []
        emptied: set[int] = set()
        for each in pikepdf.parse_content_stream(stream):
            state = states.now
            if isinstance(each, pikepdf.ContentStreamInlineImage):
                if self._meets(state.matrix):
                    self.pictures_removed += 1
                    self._changes += 1
                else:
                    out.append(each)
                continue
            operands, name = list(each.operands), str(each.operator)
            if name == "Do" and operands:
                new = self._drawn(str(operands[0]), resources, state.matrix, depth)
                if new is None:
                    continue
                drawn.add(new)
                out.append((pikepdf.Array([Name(new)]), Operator("Do")))
                continue
            if name in ("BMC", "BDC", "DP"):
                self._changes += sum(self.scrub(operand) for operand in operands)
                if self.mute:
                    emptied.add(len(out))
                if name != "DP":
                    spans.append(len(out))
                out.append((operands, each.operator))
                continue
            if name == "EMC" and spans:
                spans.pop()
            elif name in SHOWING:
                before = self._changes
                out += self.erase(name, operands, state, fonts)
                if self._changes > before:
                    emptied.update(spans)
                continue
            else:
                states.follow(name, operands)
            out.append(each)
        for at in emptied:
            operands, operator = out[at]
            out[at] = self._without_texts(operands, operator, resources)
        objects = resources.get(Name.XObject)
        if isinstance(objects, pikepdf.Dictionary):
            # Resources that are no longer drawn must not remain in the file.
            resources[Name.XObject] = pikepdf.Dictionary(
                {key: objects[key] for key in sorted(drawn & set(objects.keys()))}
            )
        return pikepdf.unparse_content_stream(out)

    def _without_texts(self, operands: list[Any], operator: Operator, resources: pikepdf.Dictionary) -> tuple[Any, ...]:
        """The start of marked content without its replacement texts."""
        about = operands[-1] if operands else None
        lists = resources.get(Name.Properties)
        if str(operator) == "BMC" or about is None:
            return operands, operator
        if isinstance(about, pikepdf.Name):
            about = lists.get(about) if isinstance(lists, pikepdf.Dictionary) else None
        if not isinstance(about, pikepdf.Dictionary) or not any(name in about for name in TEXTS):
            return operands, operator
        self._changes += 1
        kept = {key: about[key] for key in about.keys() if Name(key) not in TEXTS}  # noqa: SIM118  # it is no mapping
        new = pikepdf.Dictionary(kept)
        self.scrub(new)
        return [*operands[:-1], new], operator

    def _drawn(self, name: str, resources: pikepdf.Dictionary, matrix: Matrix, depth: int) -> str | None:
        """The name to draw in place of an object; None for nothing."""
        objects = resources.get(Name.XObject)
        drawn = objects.get(name) if isinstance(objects, pikepdf.Dictionary) else None
        if objects is None or not isinstance(drawn, pikepdf.Stream):
            return name
        self._forms += 1
        if self._forms > _MAX_FORMS or depth > _MAX_DEPTH:
            raise OverLimit("memory", "A page in the PDF has too much content to search.")
        if drawn.get(Name.Subtype) == Name.Image:
            if not self._meets(matrix):
                return name
            self._changes += 1
            new = blackened(self.pdf, drawn, [box for box in self.boxes if box.meets(_bounds(matrix))], matrix)
            if new is None:
                self.pictures_removed += 1
                return None
        else:
            own = drawn.get(Name.Resources, resources)
            copied = pikepdf.Dictionary({key: own[key] for key in own.keys()})  # noqa: SIM118
            inner = product(matrix_of(list(drawn[Name.Matrix])), matrix) if Name.Matrix in drawn else matrix
            before = self._changes
            if Name.Resources not in drawn:  # it may use resources that its page no longer has
                self._changes += 1
            data = self._erased(drawn, copied, inner, depth + 1)
            if before == self._changes:
                return name
            new = self.pdf.make_stream(data)
            for key in drawn.keys():  # noqa: SIM118
                if key not in ("/Length", "/Filter", "/DecodeParms", "/Resources"):
                    new[key] = drawn[key]
            new[Name.Resources] = copied
        fresh = next(each for number in itertools.count(self._forms) if (each := f"/Erased{number}") not in objects)
        objects[fresh] = self.pdf.make_indirect(new)
        return fresh

    def erase(
        self, name: str, operands: list[Any], state: State, fonts: dict[str, pikepdf.Object]
    ) -> list[tuple[Any, Operator]]:
        """The instructions that replace one that shows text."""
        out: list[tuple[Any, Operator]] = []
        if name in ("'", '"'):
            if name == '"' and len(operands) == 3:
                state.word, state.character = float(operands[0]), float(operands[1])
                out += [([operands[0]], Operator("Tw")), ([operands[1]], Operator("Tc"))]
            state.next_line()
            out.append(([], Operator("T*")))
        if not operands:
            return out
        advances = self._advances(fonts.get(state.font))
        parts: list[Any] = []
        for item in shown(operands):
            if not isinstance(item, pikepdf.String):
                state.kern(item)
                parts.append(item)
                continue
            kept = b""
            for letter in advances.split(bytes(item)):
                forward = state.advance(letter)
                if self._has_to_go(state, letter.width):
                    self._changes += 1
                    if kept:
                        parts.append(pikepdf.String(kept))
                        kept = b""
                    parts.append(round(-forward * 1000 / state.size, 3) if state.size else 0)
                else:
                    kept += letter.code
                state.move(forward)
            if kept:
                parts.append(pikepdf.String(kept))
        out.append(([pikepdf.Array(parts)], Operator("TJ")))
        return out

    def _advances(self, font: pikepdf.Object | None) -> Advances:
        if font is None:
            return advances_of(None)
        if font.objgen == (0, 0):
            return advances_of(font)
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = advances_of(font)
        return self._fonts[font.objgen]

    def _has_to_go(self, state: State, width: float) -> bool:
        if self.every:
            return True
        x, y = state.at(width * state.size * state.stretch / 2, state.rise + _MIDDLE * state.size)
        return any(_near(box, x, y) for box in (*self._rows.get(_row(y), ()), *self._tall))

    def _meets(self, matrix: Matrix) -> bool:
        bounds = _bounds(matrix)
        return any(box.meets(bounds) for box in self.boxes)


def _row(y: float) -> int:
    return int(max(-1e9, min(y, 1e9)) // _ROW)


def _near(box: Box, x: float, y: float) -> bool:
    """Whether a point is inside a box, with a tolerance of a tenth of the box for rounding."""
    slack = min(_REACH, (box.right - box.left) / 10)
    return box.left - slack <= x <= box.right + slack and box.bottom - _REACH <= y <= box.top + _REACH


def _bounds(matrix: Matrix) -> Box:
    """The bounds of the unit square under `matrix`."""
    a, b, c, d, e, f = matrix
    xs, ys = (e, e + a, e + c, e + a + c), (f, f + b, f + d, f + b + d)
    return Box(min(xs), min(ys), max(xs), max(ys))


def joined(boxes: list[Box]) -> list[Box]:
    """The boxes, with those of adjacent glyphs merged."""
    found: list[Box] = []
    for box in sorted(boxes, key=lambda each: (round(each.bottom), each.left)):
        last = found[-1] if found else None
        if last and abs(last.bottom - box.bottom) < 1 and box.left - last.right < 0.4 * (box.top - box.bottom):
            found[-1] = Box(last.left, min(last.bottom, box.bottom), max(last.right, box.right), max(last.top, box.top))
        else:
            found.append(box)
    return found
