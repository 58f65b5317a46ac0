"""What the instructions of a content stream paint (ISO 32000-1, 8 and 9), with their places in it.

It reads what PlutoPrint writes: text without spacing of its own, colours as RGB, no inline pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(rb"\((?:[^\\()]|\\[\s\S])*\)|<[0-9A-Fa-f\s]*>|[\[\]]|/[^\s/<>\[\]()]*|[^\s/<>\[\]()]+")
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|[\s\S])")
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b""}
_PATH = frozenset((b"m", b"l", b"c", b"v", b"y", b"re", b"h"))
_PAINTED = frozenset((b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s"))

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right and top on the page."""
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
UNIT = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
"""The corners of a picture (8.9.5.1)."""


class Unfamiliar(Exception):
    """The instructions are not like those of PlutoPrint."""


@dataclass(slots=True)
class Act:
    """One thing that is painted, or the start or end of a text or state: its kind and its bytes, `start` to `end`.

    Kinds are `text`, `paint`, `do`, `shade`, `mark`, `EMC`, `BT`, `ET`, `q` and `Q`. `name` is that of the font or the
    object, or the number of a mark in the tree, `parts` the strings and moves of a text, `fill` its colour as 0xRRGGBB,
    `y` the height of its line, if that is level.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    text: bytes = b""
    parts: list[bytes | float] = field(default_factory=list)
    fill: int | None = None
    y: float | None = None
    box: Box | None = None
    is_cut: bool = False
    """Whether its middle is outside of what it is clipped to."""


def joined(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that does what `inner` does, and then `outer`."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def box_of(points: list[tuple[float, float]], matrix: Matrix) -> Box:
    """The box around points after a matrix."""
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x, y in points]
    ys = [b * x + d * y + f for x, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _common(one: Box | None, other: Box) -> Box:
    if one is None:
        return other
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _is_outside(box: Box | None, clip: Box | None) -> bool:
    if box is None or clip is None:
        return False
    return not clip[1] <= (box[1] + box[3]) / 2 <= clip[3]


def string_of(token: bytes) -> bytes:
    """The bytes of a string, in parentheses or hexadecimal."""
    if token[:1] == b"<":
        return bytes.fromhex(b"".join(token[1:-1].split()).decode())  # a line may end within a byte
    inside = token[1:-1]
    return _ESCAPED.sub(_unescaped, inside) if b"\\" in inside else inside


def _unescaped(match: re.Match[bytes]) -> bytes:
    found = match[1]
    return bytes((int(found, 8) & 255,)) if found[:1].isdigit() else _LETTERS.get(found, found)


def acts(data: bytes, matrix: Matrix = SAME) -> Iterator[tuple[Act, Matrix]]:
    """The acts of a stream in order, each with the matrix that is in force. Raises Unfamiliar."""
    fill: int | None = 0
    clip: Box | None = None
    is_clip = False
    held: list[tuple[Matrix, int | None, Box | None]] = []
    line = SAME
    font = ""
    operands: list[bytes] = []
    path: list[tuple[float, float]] = []
    begun = inside = -1
    begin = -1
    for match in _TOKEN.finditer(data):
        token = match[0]
        first = token[0]
        if begin < 0:
            begin = match.start()
        if first in b"(<[]/+-.0123456789":
            operands.append(token)
            continue
        end = match.end()
        if token in _PATH:
            if begun < 0:
                begun = begin
            path += _points(token, operands)
        elif token == b"rg":
            red, green, blue = (round(float(each) * 255) for each in operands)
            fill = red << 16 | green << 8 | blue
        elif token == b"scn" or token == b"sc":
            fill = None
        elif token == b"Tf":
            font = operands[0].decode()
        elif token == b"Tm":
            a, b, c, d, e, f = map(float, operands)
            line = a, b, c, d, e, f
        elif token == b"Td":
            line = joined((1.0, 0.0, 0.0, 1.0, float(operands[0]), float(operands[1])), line)
        elif token == b"Tj" or token == b"TJ":
            parts = [string_of(each) if each[0] in b"(<" else float(each) for each in operands if each not in b"[]"]
            text = b"".join(each for each in parts if isinstance(each, bytes))
            level = abs(line[1]) < 1e-6
            height = matrix[1] * line[4] + matrix[3] * line[5] + matrix[5]
            is_cut = clip is not None and not clip[1] <= height <= clip[3]
            yield Act("text", begin, end, font, text, parts, fill, line[5] if level else None, is_cut=is_cut), matrix
        elif token in _PAINTED:
            if begun < 0:
                raise Unfamiliar(token)
            box = box_of(path, matrix) if path else None
            yield Act("paint", begun, end, fill=fill, box=box, is_cut=_is_outside(box, clip)), matrix
            begun, path = -1, []
        elif token == b"W" or token == b"W*":
            is_clip = True
        elif token == b"n":
            if is_clip and path:
                clip = _common(clip, box_of(path, matrix))
            begun, path, is_clip = -1, [], False
        elif token == b"q":
            held.append((matrix, fill, clip))
            yield Act("q", begin, end), matrix
        elif token == b"Q":
            if not held:
                raise Unfamiliar(token)
            matrix, fill, clip = held.pop()
            yield Act("Q", begin, end), matrix
        elif token == b"cm":
            a, b, c, d, e, f = map(float, operands)
            matrix = joined((a, b, c, d, e, f), matrix)
        elif token == b"Do":
            is_cut = _is_outside(box_of(UNIT, matrix), clip)
            yield Act("do", begin, end, operands[0].decode(), is_cut=is_cut), matrix
        elif token == b"sh":
            yield Act("shade", begin, end), matrix
        elif token == b"BT":
            inside, line = 1, SAME
            yield Act("BT", begin, end), matrix
        elif token == b"ET":
            inside = -1
            yield Act("ET", begin, end), matrix
        elif token == b"BDC" or token == b"BMC":
            number = operands[operands.index(b"/MCID") + 1].decode() if b"/MCID" in operands else ""
            yield Act("mark", begin, end, number), matrix
        elif token == b"EMC":
            yield Act("EMC", begin, end), matrix
        elif token in (b"BI", b"'", b'"', b"T*", b"TD"):
            raise Unfamiliar(token)
        operands = []
        begin = -1
    if held or inside > 0:
        raise Unfamiliar(b"end")


def _points(operator: bytes, operands: list[bytes]) -> list[tuple[float, float]]:
    numbers = [float(each) for each in operands]
    if operator == b"re":
        x, y, width, height = numbers
        return [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))
