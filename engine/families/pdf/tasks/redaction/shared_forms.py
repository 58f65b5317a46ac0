"""Remember what became of forms, so that one that many pages draw is searched once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pikepdf

from engine.families.pdf.tasks.drawn_sizes import Id, Matrix
from engine.families.pdf.tasks.redaction.advances import Fonts
from engine.families.pdf.tasks.redaction.allowance import Allowance
from engine.families.pdf.tasks.redaction.boxes import REACH, Boxes
from engine.families.pdf.tasks.redaction.finding import Box


@dataclass
class Reach:
    """The box around all places of what was drawn."""

    left: float = math.inf
    bottom: float = math.inf
    right: float = -math.inf
    top: float = -math.inf

    def add(self, other: Box | Reach) -> None:
        """Enlarge it by a box."""
        self.left, self.bottom = min(self.left, other.left), min(self.bottom, other.bottom)
        self.right, self.top = max(self.right, other.right), max(self.top, other.top)

    def box(self) -> Box | None:
        """The box, None if nothing was drawn."""
        return Box(self.left, self.bottom, self.right, self.top) if self.left <= self.right else None


@dataclass(frozen=True)
class Drawn:
    """A form as a page draws it, by its id and matrix; with `every`, all text is removed, with `mute`, all marks."""

    form: Id
    matrix: Matrix
    every: bool
    mute: bool


@dataclass(frozen=True)
class Outcome:
    """What to draw in place of a form, None for itself; `pictures_removed` were in it, all within its `reach`."""

    form: pikepdf.Object | None
    pictures_removed: int
    reach: Reach


class SharedForms:
    """Outcomes by forms and the boxes within their reach."""

    def __init__(self) -> None:
        self._reaches: dict[Drawn, Reach] = {}
        self._outcomes: dict[tuple[Drawn, frozenset[Box]], Outcome] = {}

    def find(self, drawn: Drawn, boxes: Boxes) -> Outcome | None:
        """What became of it where the same boxes were within its reach; None if it has to be searched."""
        reach = self._reaches.get(drawn)
        return None if reach is None else self._outcomes.get((drawn, _within(reach, boxes)))

    def remember(self, drawn: Drawn, boxes: Boxes, outcome: Outcome) -> None:
        """Keep what became of it."""
        self._reaches[drawn] = outcome.reach
        self._outcomes[drawn, _within(outcome.reach, boxes)] = outcome


def _within(reach: Reach, boxes: Boxes) -> frozenset[Box]:
    around = reach.box()
    return frozenset(boxes.meeting(around.wider(REACH)) if around else ())


@dataclass
class Shared:
    """What the pages of a document share while they are erased."""

    allowance: Allowance
    fonts: Fonts = field(default_factory=Fonts)
    forms: SharedForms = field(default_factory=SharedForms)
