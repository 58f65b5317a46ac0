"""Track the text state of a content stream (ISO 32000-1, 9.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pikepdf

from engine.families.pdf.tasks.drawn_sizes import Matrix, matrix_of, product
from engine.families.pdf.tasks.redaction.advances import CharCode

SHOWING = ("Tj", "TJ", "'", '"')


@dataclass
class State:
    """The graphics and text state: matrices of the page, the text and its line, and text parameters."""

    matrix: Matrix
    text: Matrix = (1, 0, 0, 1, 0, 0)
    line: Matrix = (1, 0, 0, 1, 0, 0)
    font: str = ""
    size: float = 0.0
    character: float = 0.0
    word: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point in text space, in page coordinates."""
        a, b, c, d, e, f = product(self.text, self.matrix)
        return a * x + c * y + e, b * x + d * y + f

    def advance(self, letter: CharCode) -> float:
        """How far a letter moves the text, before it is stretched."""
        return letter.width * self.size + self.character + (self.word if letter.blank else 0.0)

    def move(self, forward: float) -> None:
        """Move the text by a distance in text space, before it is stretched."""
        self.text = product((1, 0, 0, 1, forward * self.stretch, 0), self.text)

    def kern(self, thousandths: Any) -> None:
        """Move the text by a number of `TJ`."""
        self.move(-float(thousandths) / 1000 * self.size)

    def next_line(self) -> None:
        self._line(0, -self.leading)

    def _line(self, x: float, y: float) -> None:
        self.line = self.text = product((1, 0, 0, 1, x, y), self.line)

    def follow(self, name: str, operands: list[Any]) -> None:
        """Apply an instruction that shows nothing."""
        if name == "BT":
            self.text = self.line = (1, 0, 0, 1, 0, 0)
        elif name == "T*":
            self.next_line()
        elif name == "Tf" and len(operands) == 2:
            self.font, self.size = str(operands[0]), float(operands[1])
        elif name in ("Td", "TD") and len(operands) == 2:
            if name == "TD":
                self.leading = -float(operands[1])
            self._line(float(operands[0]), float(operands[1]))
        elif name == "Tm" and len(operands) == 6:
            self.text = self.line = matrix_of(operands)
        elif name in _NUMBERS and len(operands) == 1:
            value = float(operands[0])
            setattr(self, _NUMBERS[name], value / 100 if name == "Tz" else value)


@dataclass
class States:
    """The state at an instruction of a content stream, and those that `q` has saved."""

    now: State
    _saved: list[State] = field(default_factory=list)

    def follow(self, name: str, operands: list[Any]) -> None:
        """Apply an instruction that shows nothing."""
        if name == "q":
            self._saved.append(State(**vars(self.now)))  # three times as fast as replace()
        elif name == "Q" and self._saved:
            self.now = self._saved.pop()
        elif name == "cm" and len(operands) == 6:
            self.now.matrix = product(matrix_of(operands), self.now.matrix)
        else:
            self.now.follow(name, operands)


def shown(operands: list[Any]) -> list[Any]:
    """The strings, and the numbers between them, that an instruction shows."""
    return list(operands[-1]) if isinstance(operands[-1], pikepdf.Array) else [operands[-1]]


_NUMBERS = {"Tc": "character", "Tw": "word", "Tz": "stretch", "TL": "leading", "Ts": "rise"}
