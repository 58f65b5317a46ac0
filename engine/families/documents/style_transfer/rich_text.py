r"""Apply marked styles to an RTF file as control words, with its font and colour tables (RTF 1.9.1)."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.families.documents.style_transfer import rich_text_heads
from engine.families.documents.style_transfer.marks import AHEAD, Marks
from engine.families.documents.style_transfer.rich_text_words import Lists, block_words, cell_words, run_words, twips
from engine.families.documents.style_transfer.styles import Block, Cell, Grid

_MARK = re.compile(r"\\u(649(?:7[6-9]|[89]\d)|6500[0-7]) \?")
"""A noncharacter as pandoc writes it."""
_FONTS = re.compile(r"\{\\f0 \\fswiss [^;{}]*;\}((?:\{\\f\d+ [^{}]*\})*)\}")
_COLOURS = re.compile(r"(\{\\colortbl;[^{}]*)\}")
_OPENING = re.compile(
    r"\\pard(?:\\intbl)? \\q[lcrj] \\f0 \\sa-?\d+ \\li-?\d+ \\fi-?\d+ (?:(?:\\outlinelevel\d )?\\b \\fs\d+ )?"
)
_GAP = re.compile(
    r"\{\\pard \\ql \\f0 \\sa180 \\li0 \\fi0 \\par\}\s*"
    rf"(?=\{{\\pard \\q[lcrj] \\f0 [^{{}}]*?(?:{AHEAD.pattern})+\\par\}})"
)
"""The paragraph that pandoc puts after a table, before one that is blank itself."""
_UNSPELLABLE = re.compile(r"[^\x20-\x7e]|[\\{};]")
_ROW = re.compile(r"\\trowd\b[^{}]*")
_EMPTY = re.compile(r"[{}\s]*")
_PLACES = {"center": "\\trqc", "right": "\\trqr"}
_EDGE = re.compile(r"\\cellx\d+")
_NEXT_ROW = re.compile(r"\\row\}\s*\{\s*(?=\\trowd\b)")
_CELL_ENDS = re.compile(r"\\cell(?!x)")
_BEGUN = "\\widowctrl\\hyphauto\n"


def apply(path: Path, marks: Marks) -> None:
    """Replace the marks in a file by control words, in place."""
    text = _MARK.sub(lambda match: chr(int(match[1])), path.read_text("utf-8"))
    fonts, colours = _FONTS.search(text), _COLOURS.search(text)
    if fonts is None or colours is None or _BEGUN not in text:
        raise ValueError("pandoc begins RTF in a way that is not known here")
    text = _GAP.sub("", text)
    lists = Lists(fonts[1].count("{") + 1, colours[1].count(";"))
    usual = run_words(replace(marks.usual, font=None), lists)
    text = marks.replaced(
        _ahead(text, marks, lists),
        lambda formatting, piece: f"{{{run_words(formatting, lists)} {piece}}}",
        tab="\\tab ",
    )
    heads = "" if marks.heads is None else rich_text_heads.words(marks.heads, lists)
    text = text.replace(_BEGUN, f"{_paper(marks.paper)}{_BEGUN}{usual}\n{heads}", 1)
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


def _ahead(text: str, marks: Marks, lists: Lists) -> str:
    """The text with paragraph properties after the words that open paragraphs, and those of cells and columns."""
    changes: list[tuple[int, int, str]] = []
    high: set[int] = set()
    openings = [each.end() for each in _OPENING.finditer(text)]
    for match in AHEAD.finditer(text):
        formatting = marks.read(match[0])
        opening = bisect.bisect_right(openings, match.start())
        if isinstance(formatting, Block) and opening:
            at = openings[opening - 1]
            changes.append((at, at, block_words(formatting, lists)))
        elif isinstance(formatting, Grid):
            row = text.rfind("\\trowd", 0, match.start())
            changes += _edges(text, row, formatting.columns)
            if place := _PLACES.get(formatting.align or ""):
                changes += [(at, at, place) for each in _heads(text, row) if (at := each.start() + len("\\trowd"))]
        elif isinstance(formatting, Cell):
            row = text.rfind("\\trowd", 0, match.start())
            before = len(_CELL_ENDS.findall(text, row, match.start())) if row >= 0 else 0
            edges = list(
                itertools.islice(re.compile(r"\\cellx").finditer(text, max(row, 0), match.start()), before + 1)
            )
            if row >= 0 and len(edges) > before:
                at = edges[before].start()
                words = cell_words(formatting, lists)
                changes.append((at, at, "\\clvmgf" * (formatting.rows > 1) + words))
                changes += [(each, each, f"\\clvmrg{words}") for each in _below(text, row, before, formatting.rows)]
                if formatting.height and row not in high:
                    high.add(row)
                    at = row + len("\\trowd")
                    changes.append((at, at, f"\\trrh{twips(formatting.height)}"))
    pieces, copied = [], 0
    for start, end, words in sorted(changes):
        pieces += [text[copied:start], words]
        copied = end
    return "".join([*pieces, text[copied:]])


def _edges(text: str, row: int, columns: Sequence[float]) -> Iterator[tuple[int, int, str]]:
    """The right edges of the cells of a table, from its first row on, for columns of these widths in points."""
    sums = [twips(each) for each in itertools.accumulate(columns)]
    for head in _heads(text, row) if sums else ():
        edges = [*_EDGE.finditer(text, *head.span())]
        if len(edges) == len(sums):
            yield from ((each.start(), each.end(), f"\\cellx{at}") for each, at in zip(edges, sums, strict=True))


def _below(text: str, row: int, column: int, rows: int) -> Iterator[int]:
    """Where the edges are that end the empty cells below one of several rows, in its column."""
    for head in itertools.islice(_heads(text, row), 1, rows):
        edges = [*_EDGE.finditer(text, *head.span())]
        cells = text[head.end() : text.find("\\row}", head.end())].split("\\cell}")
        if column < min(len(edges), len(cells)) and _EMPTY.fullmatch(cells[column]):
            yield edges[column].start()


def _heads(text: str, row: int) -> Iterator[re.Match[str]]:
    """What begins the rows of a table, from one on."""
    while row >= 0 and (head := _ROW.match(text, row)):
        yield head
        end = text.find("\\row}", head.end())
        follows = _NEXT_ROW.match(text, end) if end >= 0 else None
        row = follows.end() if follows else -1


def _paper(paper: tuple[float, ...] | None) -> str:
    if paper is None:
        return ""
    names = ("paperw", "paperh", "margt", "margr", "margb", "margl")
    words = "".join(f"\\{name}{twips(length)}" for name, length in zip(names, paper, strict=True))
    return words + ("\\landscape\n" if paper[0] > paper[1] else "\n")
