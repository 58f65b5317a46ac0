"""The content blocks of slides: lines of text, code, tables and pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Formatting(NamedTuple):
    """The formatting of a run; `raised` is 1 for superscript and -1 for subscript."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    mono: bool = False
    raised: int = 0
    link: str = ""


class Run(NamedTuple):
    """Text with the same formatting; a newline in it is a line break."""

    text: str
    formatting: Formatting


@dataclass(frozen=True)
class Line:
    """A paragraph: `mark` is a bullet or the item's number, empty for neither; `continued` if it continues an item."""

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
    """A heading with a level from 1; `name` is its link target."""

    level: int
    runs: tuple[Run, ...]
    name: str = ""

    @property
    def text(self) -> str:
        return " ".join("".join(each.text for each in self.runs).split())


@dataclass(frozen=True)
class Code:
    """A block of monospaced lines."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A picture with its alternative text, and its width in CSS pixels if the document sets one."""

    data: bytes
    alternative: str
    width: float | None = None


@dataclass(frozen=True)
class Cell:
    """A table cell with its row and column spans."""

    lines: tuple[Line, ...]
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Table:
    """Table rows; the first `head` of them are repeated if the table continues on another slide."""

    rows: tuple[tuple[Cell, ...], ...]
    head: int = 0


@dataclass(frozen=True)
class Break:
    """Start a new slide."""


@dataclass(frozen=True)
class Notes:
    """Speaker notes."""

    lines: tuple[Line, ...]


Block = Line | Heading | Code | Picture | Table | Break | Notes


def printable(text: str) -> str:
    """The text with characters that XML doesn't allow replaced by U+FFFD."""
    return _FORBIDDEN.sub("\ufffd", text)
