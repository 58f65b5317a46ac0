"""Which values a CSS property can have: any other makes no declaration (CSS 2.1, 4.2), and the layout engine fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LENGTHS = frozenset(("dimension", "percentage", "number"))
_COLORS = frozenset(("ident", "hash", "function"))
_PICTURES = frozenset(("url", "function"))
_WORDS = frozenset(("ident",))
_NUMBERS = frozenset(("number",))
_INHERITED = frozenset(("inherit",))
_NOT_NUMBERS = frozenset(("inf", "infinity", "nan"))


class Kind:
    """Values of up to `most` parts, each of one of `types`; an ident is one of `words`, if any are given.

    A number is `whole` where it must be.
    """

    def __init__(self, types: frozenset[str], words: str = "", *, most: int = 1, whole: bool = False) -> None:
        self._types = types | ({"ident"} if words else frozenset())
        self._words = frozenset(words.split())
        self._most = most
        self._whole = whole

    def has(self, parts: list[Any]) -> bool:
        """Whether a value of these parts is one."""
        return self.has_room(parts) and all(each.type in self._types and self._may_be(each) for each in parts)

    def has_room(self, parts: list[Any]) -> bool:
        """Whether there can be as many parts."""
        return 0 < len(parts) <= self._most

    def _may_be(self, part: Any) -> bool:
        if part.type == "number":
            return not self._whole or part.is_integer
        if part.type != "ident":
            return True
        word = part.lower_value
        return word in _INHERITED or word in self._words or (not self._words and word not in _NOT_NUMBERS)


_COLOR = Kind(_COLORS)
_PICTURE = Kind(_PICTURES, "none")
_WIDTH = Kind(_LENGTHS, "auto none")
_SPACING = Kind(_LENGTHS, "normal")
_WORD = Kind(_WORDS)
_SIDES = ("top", "right", "bottom", "left")
_KINDS: Mapping[str, Kind] = {
    "color": _COLOR, "background-color": _COLOR, "background-image": _PICTURE,
    "background-repeat": Kind(_WORDS, most=2),
    "list-style-image": _PICTURE, "list-style": Kind(_WORDS | _PICTURES | {"string"}, most=3),
    "letter-spacing": _SPACING, "word-spacing": _SPACING, "line-height": _SPACING,
    "font-size": Kind(_LENGTHS, "xx-small x-small small medium large x-large xx-large xxx-large smaller larger"),
    "font-weight": Kind(_NUMBERS, "normal bold bolder lighter"),
    "font-style": Kind(_WORDS, "normal italic oblique"), "text-transform": _WORD,
    "text-indent": Kind(_LENGTHS), "zoom": Kind(frozenset(("number", "percentage"))),
    "vertical-align": Kind(_LENGTHS, "baseline sub super top text-top middle bottom text-bottom"),
    "-pdf-outline-level": Kind(_NUMBERS, whole=True), "-pdf-line-spacing": Kind(_LENGTHS),
    "-pdf-next-page": Kind(_WORDS | {"string"}),
    **dict.fromkeys(("width", "height", "-pdf-keep-in-frame-max-width", "-pdf-keep-in-frame-max-height"), _WIDTH),
    **{f"{bound}-{each}": _WIDTH for bound in ("min", "max") for each in ("width", "height")},
    **{f"border-{side}-color": _COLOR for side in _SIDES},
    **{f"margin-{side}": Kind(_LENGTHS, "auto") for side in _SIDES},
    **{f"padding-{side}": Kind(_LENGTHS) for side in _SIDES},
    **{side: Kind(_LENGTHS, "auto") for side in _SIDES},
    **dict.fromkeys(("counter-reset", "counter-increment"), Kind(_WORDS | _NUMBERS, most=20, whole=True)),
    "margin": Kind(_LENGTHS, "auto", most=4), "padding": Kind(_LENGTHS, most=4),
}  # fmt: skip
_WITH_COMMAS = frozenset((
    "font", "font-family", "background", "background-image", "background-position", "background-size", "quotes",
))  # fmt: skip
_WITH_SLASHES = frozenset(("font", "background", "border-radius", "border-image", "aspect-ratio"))


def is_value(name: str, tokens: list[Any]) -> bool:
    """Whether the engine can have these tokens as the value of the property; what is in `var()` is not looked at."""
    parts = [each for each in tokens if each.type not in ("whitespace", "comment")]
    kind = _KINDS.get(name)
    if any(each.type == "function" and each.lower_name == "var" for each in parts):
        return kind is None or kind.has_room(parts)
    for mark, names in ((",", _WITH_COMMAS), ("/", _WITH_SLASHES)):
        marked = any(each.type == "literal" and each.value == mark for each in parts)
        if marked and (name not in names or len(parts) < 2):
            return False
    return kind is None or kind.has(parts)
