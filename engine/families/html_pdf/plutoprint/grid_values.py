"""Parse the declarations of grids and their items (CSS Grid Layout 2, 7 and 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tinycss2

MOST_TRACKS = 100
_PX = {"px": 1.0, "pt": 4 / 3, "cm": 96 / 2.54, "mm": 96 / 25.4, "in": 96.0, "pc": 16.0, "q": 96 / 101.6,
       "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "lh": 19.2}  # fmt: skip
_INTRINSIC = ("auto", "min-content", "max-content")


@dataclass(frozen=True)
class Track:
    """One column or row: its minimum and maximum in CSS pixels, as a share (0 to 1), or by content.

    `flex` is its part (`fr`) of the free space; `least` and `most` are `auto`, `min-content`, `max-content`, or a
    number.
    """

    least: float | str = "auto"
    most: float | str = "auto"
    flex: float = 0.0
    shares: tuple[bool, bool] = (False, False)

    def sized(self, room: float) -> Track:
        """The track with percentages resolved to pixels."""
        least = self.least * room if self.shares[0] and isinstance(self.least, float) else self.least
        most = self.most * room if self.shares[1] and isinstance(self.most, float) else self.most
        return Track(least, most, self.flex)


@dataclass(frozen=True)
class Line:
    """The start or end of an item: a line number (negative from the end), a name, or a span."""

    number: int = 0
    name: str = ""
    span: int = 0


@dataclass(frozen=True)
class Template:
    """A track list: the tracks `before` and `after` those that are `repeated` to fill the space."""

    before: tuple[Track, ...] = ()
    repeated: tuple[Track, ...] = ()
    after: tuple[Track, ...] = ()
    fits: bool = False
    names: Mapping[str, int] | None = None


def tokens(text: str) -> list[Any]:
    """The component values of a value."""
    parsed = tinycss2.parse_component_value_list(text)
    return [each for each in parsed if each.type not in ("whitespace", "comment")]


def pixels(text: str, room: float | None = None, em: float = 16.0) -> float | None:
    """A length in CSS pixels; None if it is invalid or depends on unknown values."""
    found = tokens(text)
    return _length(found[0], room, em) if len(found) == 1 else None


def _length(token: Any, room: float | None = None, em: float = 16.0) -> float | None:
    if token.type == "number" and token.value == 0:
        return 0.0
    if token.type == "percentage" and room is not None:
        return float(token.value / 100 * room)
    if token.type == "function" and token.lower_name in ("calc", "min", "max", "clamp"):
        return _computed(token, room, em)
    if token.type == "dimension" and token.lower_unit in _PX and abs(token.value) < 1e6:
        return float(token.value * (em if token.lower_unit == "em" else _PX[token.lower_unit]))
    return None


def _computed(token: Any, room: float | None, em: float) -> float | None:
    """A math function of lengths in CSS pixels (CSS Values 4, 10)."""
    sums = [_sum(part, room, em) for part in _split(token.arguments)]
    if not sums or any(each is None or each[1] != 1 for each in sums):
        return None
    sizes = [each[0] for each in sums if each is not None]
    if token.lower_name == "clamp" and len(sizes) == 3:
        return max(sizes[0], min(sizes[1], sizes[2]))
    return max(sizes) if token.lower_name == "max" else min(sizes)


def _sum(parts: list[Any], room: float | None, em: float) -> tuple[float, int] | None:
    """The value and the power of length (0 or 1) of a sum of products; None if invalid."""
    total: tuple[float, int] | None = None
    sign, product, divide = 1.0, None, False
    for token in [*parts, None]:
        mark = token.value if token is not None and token.type == "literal" else ""
        if token is None or mark in ("+", "-"):
            if product is None or (total is not None and total[1] != product[1]):
                return None
            total = (sign * product[0] + (total[0] if total else 0.0), product[1])
            sign, product = (-1.0 if mark == "-" else 1.0), None
        elif mark in ("*", "/"):
            divide = mark == "/"
        else:
            found = _factor(token, room, em)
            if found is None or (divide and (found[1] or not found[0] or product is None)):
                return None
            if product is None:
                product = found
            else:
                by = 1 / found[0] if divide else found[0]
                product = product[0] * by, product[1] + found[1]
            divide = False
    return total


def _factor(token: Any, room: float | None, em: float) -> tuple[float, int] | None:
    if token.type == "number":
        return float(token.value), 0
    if token.type == "() block" or (token.type == "function" and token.lower_name == "calc"):
        inner = token.content if token.type == "() block" else token.arguments
        return _sum(_split(inner)[0], room, em)
    length = _length(token, room, em)
    return None if length is None else (length, 1)


def template(text: str) -> Template:
    """Parse `grid-template-columns` or `grid-template-rows`."""
    before: list[Track] = []
    repeated: list[Track] = []
    after: list[Track] = []
    fits = False
    names: dict[str, int] = {}
    for token in tokens(text):
        where = after if repeated else before
        if token.type == "[] block":
            for each in token.content:
                if each.type == "ident":
                    names.setdefault(each.value, len(before) + 1 if not repeated else 0)
        elif token.type == "function" and token.lower_name == "repeat":
            count, *rest = _split(token.arguments)
            inner = [_track(each) for part in rest for each in part if each.type != "[] block"]
            word = count[0].lower_value if count and count[0].type == "ident" else ""
            if word in ("auto-fill", "auto-fit"):
                repeated, fits = inner, word == "auto-fit"
            elif count and count[0].type == "number":
                times = max(1, min(int(count[0].value), MOST_TRACKS // max(len(inner), 1)))
                where += inner * times
        elif token.type == "ident" and token.lower_value in ("none", "subgrid"):
            continue
        else:
            where.append(_track(token))
    return Template(tuple(before[:MOST_TRACKS]), tuple(repeated), tuple(after[:MOST_TRACKS]), fits, names)


def _track(token: Any) -> Track:
    if token.type == "function" and token.lower_name == "minmax":
        parts = [part for part in _split(token.arguments) if part]
        if len(parts) == 2:
            least, most = _breadth(parts[0][0]), _breadth(parts[1][0])
            if most.flex:
                return Track(least.least, "auto", most.flex, least.shares)
            return Track(least.least, most.most, 0.0, (least.shares[0], most.shares[1]))
    if token.type == "function" and token.lower_name == "fit-content":
        parts = _split(token.arguments)
        return Track("auto", "max-content") if not parts else Track("min-content", "max-content")
    return _breadth(token)


def _breadth(token: Any) -> Track:
    if token.type == "ident" and token.lower_value in _INTRINSIC:
        return Track(token.lower_value, token.lower_value)
    if token.type == "percentage":
        return Track(token.value / 100, token.value / 100, 0.0, (True, True))
    if token.type == "dimension" and token.lower_unit == "fr":
        return Track("auto", "auto", max(float(token.value), 0.0))
    if token.type == "function" and token.lower_name in ("min", "max", "clamp", "calc"):
        length = _length(token)
        if length is not None:
            return Track(length, length)
        shares = [each.value / 100 for each in token.arguments if each.type == "percentage"]
        sizes = [size for size in map(_length, token.arguments) if size is not None]
        if sizes:
            return Track(sizes[0], sizes[0])
        return Track(shares[0], shares[0], 0.0, (True, True)) if shares else Track()
    length = _length(token)
    return Track() if length is None else Track(length, length)


def areas(text: str) -> dict[str, tuple[int, int, int, int]]:
    """The row, column (from 0), rows and columns of each area in `grid-template-areas`."""
    rows = [each.value.split() for each in tokens(text) if each.type == "string"]
    found: dict[str, tuple[int, int, int, int]] = {}
    for row, names in enumerate(rows):
        for column, name in enumerate(names):
            if set(name) == {"."}:
                continue
            if name in found:
                top, left, _, _ = found[name]
                found[name] = top, min(left, column), row - top + 1, max(found[name][3], column - left + 1)
            else:
                found[name] = row, column, 1, 1
    return found


def lines(text: str) -> list[Line]:
    """The slash-separated lines of `grid-column`, `grid-row` or `grid-area`."""
    found = []
    for part in _split(tokens(text), "/"):
        number = next((int(each.value) for each in part if each.type == "number"), 0)
        words = [each.value for each in part if each.type == "ident"]
        spans = "span" in [word.lower() for word in words]
        name = next((word for word in words if word.lower() not in ("span", "auto")), "")
        found.append(Line(span=max(number, 1)) if spans and not name else Line(number, name))
    return found


def expand(properties: dict[str, str], name: str, value: str) -> None:
    """Set one declaration in `properties`, with shorthands expanded."""
    value = value.strip()
    if name in ("gap", "grid-gap"):
        parts = [each.serialize() for each in tokens(value)] or ["0"]
        properties["row-gap"], properties["column-gap"] = parts[0], parts[-1]
    elif name in ("place-items", "place-self", "place-content"):
        parts = value.split() or ["normal"]
        what = name.removeprefix("place-")
        properties[f"align-{what}"], properties[f"justify-{what}"] = parts[0], parts[-1]
    elif name in ("grid-column", "grid-row"):
        parts = [each.strip() for each in value.split("/")]
        properties[f"{name}-start"], properties[f"{name}-end"] = parts[0], parts[1] if len(parts) > 1 else ""
    elif name == "grid-area":
        parts = [each.strip() for each in value.split("/")]
        word = parts[0] if not parts[0][:1].isdigit() and not parts[0].startswith(("span", "auto", "-")) else ""
        padded = parts + [word] * (4 - len(parts))
        for where, part in zip(("row-start", "column-start", "row-end", "column-end"), padded, strict=False):
            properties[f"grid-{where}"] = part
    elif name in ("grid", "grid-template"):
        rows, _, columns = value.partition("/")
        found = tokens(rows)
        drawn = [each for each in found if each.type == "string"]
        properties["grid-template-areas"] = " ".join(each.serialize() for each in drawn)
        properties["grid-template-rows"] = " ".join(each.serialize() for each in found if each.type != "string")
        properties["grid-template-columns"] = columns.strip()
    elif name == "margin":
        parts = value.split() or ["0"]
        properties["margin-right"] = parts[1] if len(parts) > 1 else parts[0]
        properties["margin-left"] = parts[3] if len(parts) > 3 else properties["margin-right"]
    elif name == "padding":
        parts = [each.serialize() for each in tokens(value)] or ["0"]
        properties["padding-top"], properties["padding-bottom"] = parts[0], parts[2] if len(parts) > 2 else parts[0]
    elif name in ("border", "border-width"):
        properties["border-top"] = properties["border-bottom"] = value
    else:
        properties[name] = value


def _split(parts: list[Any], mark: str = ",") -> list[list[Any]]:
    found: list[list[Any]] = [[]]
    for token in parts:
        if token.type == "literal" and token.value == mark:
            found.append([])
        elif token.type not in ("whitespace", "comment"):
            found[-1].append(token)
    return found
