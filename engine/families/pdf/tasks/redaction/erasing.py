"""Erase glyphs and pixels from the content of pages and forms."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name, Operator

from engine.families.pdf.tasks.drawn_sizes import Matrix, matrix_of, product
from engine.families.pdf.tasks.redaction import shown_text
from engine.families.pdf.tasks.redaction.boxes import Boxes, bounds_of, joined
from engine.families.pdf.tasks.redaction.codes import TEXTS
from engine.families.pdf.tasks.redaction.finding import Box
from engine.families.pdf.tasks.redaction.pixels import blackened
from engine.families.pdf.tasks.redaction.shared_forms import Drawn, Outcome, Reach, Shared
from engine.families.pdf.tasks.redaction.text_state import SHOWING, State, States
from engine.toolkit.failures import OverLimit

_MAX_DEPTH = 12
_MAX_FORMS = 5_000
"""Forms and pictures that a page draws, each as often as it is: 1,000 with words to remove take 1.6 s."""
_MIDDLE = 0.3
"""The height of a glyph's middle above the baseline, in times the font size."""


@dataclass
class Eraser:
    """Removes from one page everything in `boxes`, or all text if `every`.

    `scrub` cleans the replacement texts of marked content; those of removed text, and all of them if `mute`, are
    removed too. Failures are counted.
    """

    pdf: pikepdf.Pdf
    boxes: list[Box]
    scrub: Callable[[Any], bool]
    shared: Shared
    every: bool = False
    mute: bool = False
    pictures_removed: int = 0
    _changes: int = 0
    _forms: int = 0
    _reach: Reach = field(default_factory=Reach)

    def __post_init__(self) -> None:
        self.placed = Boxes(self.boxes, self.shared.allowance)

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
        advances_named = self.shared.fonts.within(resources)
        self.shared.allowance.take_content(stream)
        out: list[Any] = []
        drawn: set[str] = set()
        spans: list[int] = []
        emptied: set[int] = set()
        for each in pikepdf.parse_content_stream(stream):
            state = states.now
            if isinstance(each, pikepdf.ContentStreamInlineImage):
                if self._meeting(state.matrix):
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
                made, gone = shown_text.without(name, operands, state, advances_named, self._has_to_go)
                out += made
                self._changes += gone
                emptied.update(spans if gone else ())
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
            boxes = self._meeting(matrix)
            if not boxes:
                return name
            self._changes += 1
            self.shared.allowance.take_picture(drawn)
            new = blackened(self.pdf, drawn, boxes, matrix)
            if new is None:
                self.pictures_removed += 1
                return None
        else:
            inner = product(matrix_of(list(drawn[Name.Matrix])), matrix) if Name.Matrix in drawn else matrix
            new = self._form(drawn, resources, inner, depth)
            if new is None:
                return name
        fresh = next(each for number in itertools.count(self._forms) if (each := f"/Erased{number}") not in objects)
        objects[fresh] = self.pdf.make_indirect(new)
        return fresh

    def _form(
        self, form: pikepdf.Object, resources: pikepdf.Dictionary, matrix: Matrix, depth: int
    ) -> pikepdf.Object | None:
        """The form to draw in place of one, None for itself; one that was drawn there before is not searched again."""
        drawn = Drawn(form.objgen, matrix, self.every, self.mute)
        outcome = self.shared.forms.find(drawn, self.placed)
        outside = self._reach
        if outcome is None:
            self._reach, removed = Reach(), self.pictures_removed
            new = self._rewritten(form, resources, matrix, depth)
            outcome = Outcome(new, self.pictures_removed - removed, self._reach)
            if Name.Resources in form:  # otherwise it uses those of the page
                self.shared.forms.remember(drawn, self.placed, outcome)
        else:
            self.pictures_removed += outcome.pictures_removed
            self._changes += outcome.form is not None
        outside.add(outcome.reach)
        self._reach = outside
        return outcome.form

    def _rewritten(
        self, form: pikepdf.Object, resources: pikepdf.Dictionary, matrix: Matrix, depth: int
    ) -> pikepdf.Object | None:
        """The form without what is removed, None if nothing is."""
        own = form.get(Name.Resources, resources)
        copied = pikepdf.Dictionary({key: own[key] for key in own.keys()})  # noqa: SIM118
        before = self._changes
        if Name.Resources not in form:  # it may use resources that its page no longer has
            self._changes += 1
        data = self._erased(form, copied, matrix, depth + 1)
        if before == self._changes:
            return None
        new = self.pdf.make_stream(data)
        for key in form.keys():  # noqa: SIM118
            if key not in ("/Length", "/Filter", "/DecodeParms", "/Resources"):
                new[key] = form[key]
        new[Name.Resources] = copied
        return new

    def _has_to_go(self, state: State, width: float) -> bool:
        x, y = state.at(width * state.size * state.stretch / 2, state.rise + _MIDDLE * state.size)
        self._reach.add(Box(x, y, x, y))
        return self.every or self.placed.near(x, y)

    def _meeting(self, matrix: Matrix) -> list[Box]:
        """The boxes that a picture meets."""
        bounds = bounds_of(matrix)
        self._reach.add(bounds)
        return self.placed.meeting(bounds)
