"""Blocks: what stands on slides (lines of text, code, tables, pictures), and what begins one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Look(NamedTuple):
    """How a piece of text looks; `raised` is 1 for superscript and -1 for subscript."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    mono: bool = False
    raised: int = 0
    link: str = ""


class Run(NamedTuple):
    """A piece of text in one look; a new line in it is a line break."""

    text: str
    look: Look


@dataclass(frozen=True)
class Line:
    """A paragraph: `mark` is a bullet or the number of its item, 0 for neither; `continued` stands in an item."""

    runs: tuple[Run, ...]
    level: int = 0
    mark: str | int = ""
    continued: bool = False
    quoted: bool = False
    heading: bool = False

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.runs)


@dataclass(frozen=True)
class Heading:
    """A heading of a level from 1; `name` is what links call it."""

    level: int
    runs: tuple[Run, ...]
    name: str = ""

    @property
    def text(self) -> str:
        return " ".join("".join(each.text for each in self.runs).split())


@dataclass(frozen=True)
class Code:
    """Lines of fixed width."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A picture with what is said in its place, and its width in CSS pixels where the document gives one."""

    data: bytes
    alternative: str
    width: float | None = None


@dataclass(frozen=True)
class Cell:
    """One cell of a table and how far it reaches."""

    lines: tuple[Line, ...]
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Table:
    """Rows of cells, of which the first `head` are repeated where a table goes on."""

    rows: tuple[tuple[Cell, ...], ...]
    head: int = 0


@dataclass(frozen=True)
class Break:
    """A new slide."""


@dataclass(frozen=True)
class Notes:
    """What the speaker says."""

    lines: tuple[Line, ...]


Block = Line | Heading | Code | Picture | Table | Break | Notes


def printable(text: str) -> str:
    """The text without characters that XML can't have; each became U+FFFD."""
    return _FORBIDDEN.sub("\ufffd", text)
