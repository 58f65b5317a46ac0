"""The declarations of CSS grids (CSS Grid Layout 1), reduced to what a grid on paper is laid out by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from conversions.families.html_pdf.css.lengths import MOST, Unsupported, length
from conversions.toolkit.warnings import Warn

CARRIED = (
    "grid-template-columns", "grid-template-areas", "grid-auto-flow", "grid-area", "grid-column-start",
    "grid-column-end", "justify-items", "justify-self",
)  # fmt: skip
"""What is left of the declarations for the layout, each with a text as its value."""
MOST_TRACKS = 100
_INTRINSIC = frozenset(("auto", "min-content", "max-content"))
_NAME = re.compile(r"[\w-]{1,100}")
_ALIGNMENTS = frozenset((
    "normal", "auto", "stretch", "start", "end", "center", "left", "right", "flex-start", "flex-end", "self-start",
    "self-end", "baseline", "space-between", "space-around", "space-evenly",
))  # fmt: skip

Said = list[tuple[str, str]]


def grid_declaration(name: str, tokens: list[Any], warn: Warn) -> Said:
    """What a declaration of a grid's or its items' says in CARRIED and the engine's own properties.

    Raises Unsupported.
    """
    said = _READERS[name]([each for each in tokens if each.type not in ("whitespace", "comment")])
    for area in (area for carried, text in said if carried == "grid-template-areas" for area in _tall(text)):
        warn("CSS_UNSUPPORTED", f"{name}: {area} is laid out in the first of its rows only.")
    return said


def _tall(areas: str) -> list[str]:
    """The areas that are in more than one row."""
    rows = areas.strip('"').split("|")
    counts = Counter(name for row in rows for name in set(row.split()) if "." not in name)
    return sorted(name for name, count in counts.items() if count > 1)


def _text(text: str) -> str:
    return f'"{text}"'


def _columns(tokens: list[Any]) -> Said:
    if _is(tokens, "none"):
        return [("grid-template-columns", _text(""))]
    found = list(_tracks(tokens))
    if not 0 < len(found) <= MOST_TRACKS or (len(found) > 1 and any(each.startswith("*") for each in found)):
        raise Unsupported
    return [("grid-template-columns", _text(" ".join(found)))]


def _tracks(tokens: list[Any]) -> Iterator[str]:
    """Each track as `least,most`; one that is repeated as often as there is room for has an asterisk before it."""
    for token in tokens:
        if token.type == "function" and token.lower_name == "repeat":
            count, *rest = _split(token.arguments)
            inner = list(_tracks([each for part in rest for each in part]))
            if _is(count, "auto-fit", "auto-fill") and len(inner) == 1:
                yield f"*{inner[0]}"
            elif len(count) == 1 and count[0].type == "number" and count[0].is_integer:
                if not 0 < count[0].value * len(inner) <= MOST_TRACKS:
                    raise Unsupported
                yield from inner * int(count[0].value)
            else:
                raise Unsupported
        elif token.type != "[] block":  # names of lines
            yield _track(token)


def _track(token: Any) -> str:
    if token.type == "function":
        parts = _split(token.arguments)
        if token.lower_name == "minmax" and len(parts) == 2 and len(parts[0]) == len(parts[1]) == 1:
            least, most = _breadth(parts[0][0]), _breadth(parts[1][0])
            if least.endswith("fr"):
                raise Unsupported
            return f"{least},{most}"
        if token.lower_name == "fit-content" and len(parts) == 1 and len(parts[0]) == 1:
            most = _breadth(parts[0][0])
            if most in _INTRINSIC or most.endswith("fr"):
                raise Unsupported
            return f"auto,fit:{most}"
        raise Unsupported
    breadth = _breadth(token)
    return f"auto,{breadth}" if breadth.endswith("fr") else f"{breadth},{breadth}"


def _breadth(token: Any) -> str:
    if token.type == "ident" and token.lower_value in _INTRINSIC:
        return str(token.lower_value)
    if token.type == "number" and token.value == 0:
        return "0pt"
    if token.type == "percentage" and 0 <= token.value <= MOST:
        return f"{token.value:g}%"
    if token.type == "dimension" and 0 <= token.value <= MOST:
        return f"{token.value:g}fr" if token.lower_unit == "fr" else length(token)
    raise Unsupported


def _rows(tokens: list[Any]) -> Said:
    """Rows are as high as what is in them: any height that says otherwise is lost."""
    for track in () if _is(tokens, "none") else _tracks(tokens):
        least, most = track.strip("*").split(",")
        if least not in (*_INTRINSIC, "0pt") or not (most in _INTRINSIC or most.endswith("fr")):
            raise Unsupported
    return []


def _areas(tokens: list[Any]) -> Said:
    if _is(tokens, "none"):
        return [("grid-template-areas", _text(""))]
    rows = [each.value.split() for each in tokens if each.type == "string"]
    if len(rows) != len(tokens) or len({len(row) for row in rows}) != 1 or max(len(rows), len(rows[0])) > MOST_TRACKS:
        raise Unsupported
    if any(not (_NAME.fullmatch(name) or set(name) == {"."}) for row in rows for name in row):
        raise Unsupported
    return [("grid-template-areas", _text("|".join(" ".join(row) for row in rows)))]


def _template(tokens: list[Any]) -> Said:
    """`rows / columns`, where the rows may be drawn as strings with their heights between them."""
    if _is(tokens, "none"):
        return _columns(tokens) + _areas(tokens)
    rows, *columns = _split(tokens, "/")
    if len(columns) > 1:
        raise Unsupported
    drawn = [each for each in rows if each.type == "string"]
    _rows([each for each in rows if each.type != "string"])
    return (_areas(drawn) if drawn else []) + (_columns(columns[0]) if columns else [])


def _flow(tokens: list[Any]) -> Said:
    words = {_ident(each) for each in tokens}
    if not words <= {"row", "column", "dense"}:
        raise Unsupported
    return [("grid-auto-flow", _text("column" if "column" in words else "row"))]


def _column(tokens: list[Any]) -> Said:
    start, *end = _split(tokens, "/")
    if len(end) > 1:
        raise Unsupported
    return [("grid-column-start", _line(start)), ("grid-column-end", _line(end[0]) if end else _text(""))]


def _line(tokens: list[Any]) -> str:
    """`auto`, the number of a line, or `span` and a number of columns."""
    if _is(tokens, "auto"):
        return _text("")
    *words, number = tokens or [None]
    if getattr(number, "type", "") != "number" or not number.is_integer or not 0 < abs(number.value) < MOST:
        raise Unsupported
    if not words:
        return _text(str(int(number.value)))
    if _is(words, "span") and number.value > 0:
        return _text(f"span {int(number.value)}")
    raise Unsupported


def _row_line(tokens: list[Any]) -> Said:
    if not all(_is(part, "auto") for part in _split(tokens, "/")):
        raise Unsupported
    return []


def _area(tokens: list[Any]) -> Said:
    if len(tokens) == 1 and tokens[0].type == "ident" and _NAME.fullmatch(tokens[0].value):
        return [("grid-area", _text("" if tokens[0].lower_value == "auto" else tokens[0].value))]
    raise Unsupported


def _both(first: str, second: str) -> Callable[[list[Any]], Said]:
    def read(tokens: list[Any]) -> Said:
        words = [_alignment(each) for each in tokens]
        if len(words) not in (1, 2):
            raise Unsupported
        return [(first, words[0]), (second, _text(words[-1]) if second in CARRIED else words[-1])]

    return read


def _one(name: str) -> Callable[[list[Any]], Said]:
    def read(tokens: list[Any]) -> Said:
        if len(tokens) != 1:
            raise Unsupported
        return [(name, _text(_alignment(tokens[0])))]

    return read


def _renamed(name: str) -> Callable[[list[Any]], Said]:
    def read(tokens: list[Any]) -> Said:
        return [(name, " ".join(length(each) if each.type == "dimension" else each.serialize() for each in tokens))]

    return read


def _alignment(token: Any) -> str:
    word = _ident(token)
    if word not in _ALIGNMENTS:
        raise Unsupported
    return word


def _ident(token: Any) -> str:
    return str(token.lower_value) if token.type == "ident" else ""


def _is(tokens: list[Any], *words: str) -> bool:
    return len(tokens) == 1 and _ident(tokens[0]) in words


def _split(tokens: list[Any], mark: str = ",") -> list[list[Any]]:
    """The parts of a value between its commas, without the white space."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == mark:
            parts.append([])
        elif token.type not in ("whitespace", "comment"):
            parts[-1].append(token)
    return parts


_READERS: dict[str, Callable[[list[Any]], Said]] = {
    "grid": _template, "grid-template": _template, "grid-template-columns": _columns, "grid-template-rows": _rows,
    "grid-template-areas": _areas, "grid-auto-rows": _rows, "grid-auto-columns": _rows, "grid-auto-flow": _flow,
    "grid-column": _column, "grid-column-start": lambda tokens: [("grid-column-start", _line(tokens))],
    "grid-column-end": lambda tokens: [("grid-column-end", _line(tokens))], "grid-row": _row_line,
    "grid-row-start": _row_line, "grid-row-end": _row_line, "grid-area": _area, "grid-gap": _renamed("gap"),
    "grid-row-gap": _renamed("row-gap"), "grid-column-gap": _renamed("column-gap"),
    "justify-items": _one("justify-items"), "justify-self": _one("justify-self"),
    "place-items": _both("align-items", "justify-items"), "place-self": _both("align-self", "justify-self"),
    "place-content": _both("align-content", "justify-content"),
}  # fmt: skip
GRID_PROPERTIES = frozenset(_READERS)
