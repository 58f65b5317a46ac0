r"""Marks in an RTF file as its control words (RTF 1.9.1), with the fonts and colours that these refer to."""

from __future__ import annotations

import bisect
import itertools
import re
from dataclasses import replace
from pathlib import Path

from conversions.families.documents.dressing.looks import Block, Border, Cell, Run
from conversions.families.documents.dressing.marks import AHEAD, Marks

_MARK = re.compile(r"\\u(649(?:7[6-9]|[89]\d)|6500[0-7]) \?")
"""A noncharacter as pandoc writes it."""
_FONTS = re.compile(r"\{\\f0 \\fswiss [^;{}]*;\}((?:\{\\f\d+ [^{}]*\})*)\}")
_COLOURS = re.compile(r"(\{\\colortbl;[^{}]*)\}")
_OPENING = re.compile(
    r"\\pard(?:\\intbl)? \\q[lcrj] \\f0 \\sa-?\d+ \\li-?\d+ \\fi-?\d+ (?:\\outlinelevel\d \\b \\fs\d+ )?"
)
_UNSPELLABLE = re.compile(r"[^\x20-\x7e]|[\\{};]")
_CELL_ENDS = re.compile(r"\\cell(?!x)")
_EDGES = {"single": "brdrs", "double": "brdrdb", "dashed": "brdrdash", "dotted": "brdrdot"}
_ALIGNED = {"left": "ql", "center": "qc", "right": "qr", "both": "qj"}
_UPRIGHT = {"top": "t", "middle": "c", "bottom": "b"}
_SIDES = "trbl"
_BEGUN = "\\widowctrl\\hyphauto\n"


class _Lists:
    """The fonts and colours that are added to those that a file lists."""

    def __init__(self, fonts: int, colours: int) -> None:
        self._fonts, self._colours = fonts, colours
        self.fonts: list[str] = []
        self.colours: list[str] = []

    def font(self, name: str) -> str:
        if name not in self.fonts:
            self.fonts.append(name)
        return f"\\f{self._fonts + self.fonts.index(name)}"

    def colour(self, name: str) -> int:
        if name not in self.colours:
            self.colours.append(name)
        return self._colours + self.colours.index(name)


def dress(path: Path, marks: Marks) -> None:
    """Replace the marks in a file by what they say, in its place."""
    text = _MARK.sub(lambda match: chr(int(match[1])), path.read_text("utf-8"))
    fonts, colours = _FONTS.search(text), _COLOURS.search(text)
    if fonts is None or colours is None or _BEGUN not in text:
        raise ValueError("pandoc begins RTF in a way that is not known here")
    lists = _Lists(fonts[1].count("{") + 1, colours[1].count(";"))
    usual = _run(replace(marks.usual, font=None), lists)
    text = marks.replaced(_ahead(text, marks, lists), lambda look, said: f"{{{_run(look, lists)} {said}}}")
    text = text.replace(_BEGUN, f"{_paper(marks.paper)}{_BEGUN}{usual}\n", 1)
    added = "".join(
        f"{{\\f{at} \\fnil {_spelled(name)};}}" for at, name in enumerate(lists.fonts, fonts[1].count("{") + 1)
    )
    first = f"{{\\f0 \\fnil {_spelled(marks.usual.font)};}}" if marks.usual.font else fonts[0].partition("}")[0] + "}"
    text = text.replace(fonts[0], f"{first}{fonts[1]}{added}}}", 1)
    text = text.replace(colours[0], f"{colours[1]}{''.join(map(_mixed, lists.colours))}}}", 1)
    path.write_text(text, "utf-8", newline="")


def _spelled(font: str) -> str:
    return _UNSPELLABLE.sub("", font)[:60] or "Times New Roman"


def _mixed(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (0, 2, 4))
    return f"\\red{red}\\green{green}\\blue{blue};"


def _twips(points: float) -> int:
    return round(points * 20)


def _ahead(text: str, marks: Marks, lists: _Lists) -> str:
    """The text with what marks say of paragraphs behind the words that open these, and of cells in their rows."""
    added: list[tuple[int, str]] = []
    openings = [each.end() for each in _OPENING.finditer(text)]
    for match in AHEAD.finditer(text):
        look = marks.read(match[0])
        opening = bisect.bisect_right(openings, match.start())
        if isinstance(look, Block) and opening:
            added.append((openings[opening - 1], _block(look, lists)))
        elif isinstance(look, Cell):
            row = text.rfind("\\trowd", 0, match.start())
            before = len(_CELL_ENDS.findall(text, row, match.start())) if row >= 0 else 0
            edges = list(
                itertools.islice(re.compile(r"\\cellx").finditer(text, max(row, 0), match.start()), before + 1)
            )
            if row >= 0 and len(edges) > before:
                added.append((edges[before].start(), _cell(look, lists)))
    pieces, copied = [], 0
    for at, words in sorted(added):
        pieces += [text[copied:at], words]
        copied = at
    return "".join([*pieces, text[copied:]])


def _run(look: Run, lists: _Lists) -> str:
    words = []
    if look.font:
        words.append(lists.font(look.font))
    if look.size:
        words.append(f"\\fs{round(look.size * 2)}")
    for word, on in (
        ("b", look.bold), ("i", look.italic), ("caps", look.capitals), ("scaps", look.small_capitals),
        ("strike", look.struck), ("ul", look.underlined),
    ):  # fmt: skip
        if on is not None:
            words.append(f"\\{word}" + ("" if on else "0"))
    if look.color:
        words.append(f"\\cf{lists.colour(look.color)}")
    if look.fill:
        words.append(f"\\chshdng0\\chcbpat{lists.colour(look.fill)}")
    if look.spacing:
        words.append(f"\\expndtw{_twips(look.spacing)}")
    return "".join(words)


def _block(look: Block, lists: _Lists) -> str:
    words = ["\\pagebb"] if look.new_page else []
    if look.align:
        words.append(f"\\{_ALIGNED[look.align]}")
    if look.first:
        words.append(f"\\fi{_twips(look.first)}")
    for word, length in (("sb", look.before), ("sa", look.after)):
        if length is not None:
            words.append(f"\\{word}{_twips(length)}")
    if look.line:
        words.append(
            f"\\sl{round(look.line * 240)}\\slmult1" if look.line > 0 else f"\\sl{_twips(-look.line)}\\slmult0"
        )
    if look.fill:
        words.append(f"\\cbpat{lists.colour(look.fill)}")
    words += _lines("brdr", look.borders, lists)
    return "".join(words) + " " if words else ""


def _cell(look: Cell, lists: _Lists) -> str:
    words = [f"\\clvertal{_UPRIGHT[look.align]}"] if look.align else []
    if look.fill:
        words.append(f"\\clcbpat{lists.colour(look.fill)}")
    return "".join(words + _lines("clbrdr", look.borders, lists))


def _lines(word: str, borders: tuple[Border | None, ...], lists: _Lists) -> list[str]:
    return [
        f"\\{word}{side}\\{_EDGES.get(line[0], 'brdrs')}\\brdrw{round(line[1] * 2.5)}\\brdrcf{lists.colour(line[2])}"
        for side, line in zip(_SIDES, borders, strict=False)
        if line
    ]


def _paper(paper: tuple[float, ...] | None) -> str:
    if paper is None:
        return ""
    names = ("paperw", "paperh", "margt", "margr", "margb", "margl")
    said = "".join(f"\\{name}{_twips(length)}" for name, length in zip(names, paper, strict=True))
    return said + ("\\landscape\n" if paper[0] > paper[1] else "\n")
