"""Read the layers that the declarations of an element give its background (CSS Backgrounds 3, 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import tinycss2

from engine.families.html_pdf.css import background_places, gradients
from engine.families.html_pdf.css.background_places import Pair
from engine.families.html_pdf.css.room_lengths import Length, TextSizes, length

Tokens = Sequence[Any]
Size = tuple[Length | None, Length | None]
"""The width and height of a picture; None is `auto`."""

LONGHANDS = ("image", "position", "size", "repeat", "attachment", "origin", "clip")
_PARTS = {f"background-{each}": each for each in LONGHANDS}
_INITIAL = {"image": "none", "position": "0% 0%", "size": "auto", "repeat": "repeat", "attachment": "scroll",
            "origin": "padding-box", "clip": "border-box"}  # fmt: skip
_REPEATS = {
    "repeat": ("repeat", "repeat"), "repeat-x": ("repeat", "no-repeat"), "repeat-y": ("no-repeat", "repeat"),
    "no-repeat": ("no-repeat", "no-repeat"), "space": ("space", "space"), "round": ("round", "round"),
}  # fmt: skip
_ATTACHMENTS = ("scroll", "fixed", "local")
_BOXES = ("border-box", "padding-box", "content-box", "text")
_DRAWN_AS = {"space": "repeat", "round": "repeat", "fixed": "scroll"}
_UNLIKE = re.compile(rf"\b(?:{'|'.join(_DRAWN_AS)})\b", re.IGNORECASE)
_FITTED = ("cover", "contain")
_IMAGES = ("url", "gradient", "image-set", "element", "cross-fade")
_CALCULATED = ("calc", "min", "max", "clamp")
_WORDS_OF_ALL = ("inherit", "initial", "unset", "revert", "revert-layer")


@dataclass(frozen=True)
class Layer:
    """A picture or gradient of a background, as written, with where and how it is drawn."""

    image: str
    place: Pair
    size: Size | str
    """A word is `cover` or `contain`."""
    repeat: tuple[str, str]
    attachment: str
    origin: str
    clip: str


@dataclass(frozen=True)
class Background:
    """The layers of a background, the first of which is on top, and the colour behind them as written."""

    layers: tuple[Layer, ...]
    colour: str
    """Empty if no declaration gives one."""


def is_composed(name: str, value: str) -> bool:
    """Whether a value in small letters needs a drawing of its own.

    It may have several layers, a gradient at a place or of lengths, or lengths that mix shares and pixels.
    """
    if name in ("background-position", "background-size"):
        return "calc(" in value and "%" in value
    if name not in ("background", "background-image"):
        return False
    if name == "background" and "calc(" in value:
        return True
    if "," in value and len(gradients.layers_of(value)) > 1:
        return True
    if "gradient(" not in value:
        return False
    if "var(" in value or "currentcolor" in value or gradients.inexact(value) is not None:
        return True
    return name == "background" and not _sorted(_tokens(value)).keys() <= {"image", "colour"}


def unlike(name: str, value: str) -> str | None:
    """A value with what PlutoPrint draws instead of the words in it that it has not; None if there are none.

    `space` and `round` need the size of the box, and `fixed` the place of the page: a tile is repeated from its corner.
    """
    if name not in ("background", "background-repeat") or not _UNLIKE.search(value):
        return None
    tokens = _tokens(value)
    if not any(each.type == "ident" and each.lower_value in _DRAWN_AS for each in tokens):
        return None
    written = (_DRAWN_AS.get(each.lower_value, "") if each.type == "ident" else "" for each in tokens)
    drawn: str = tinycss2.serialize(
        [tinycss2.parse_one_component_value(word) if word else each for each, word in zip(tokens, written, strict=True)]
    )
    return drawn


def read(declarations: Iterable[tuple[str, str]], sizes: TextSizes) -> Background | None:
    """The background that declarations give, each by name and value, the winning one last; None for an invalid one."""
    said: dict[str, list[Tokens]] = {}
    colour = ""
    for name, value in declarations:
        if name == "background":
            shorthand = _shorthand(value)
            if shorthand is not None:
                said, colour = shorthand
        elif name == "background-color":
            colour = value
        elif (part := _PARTS.get(name)) is not None:
            said[part] = [*gradients.split(_tokens(value))]
    count = len(said.get("image", ()))
    layers = [_layer({part: lists[at % len(lists)] for part, lists in said.items()}, sizes) for at in range(count)]
    known = tuple(each for each in layers if each is not None)
    return Background(known, colour) if count and len(known) == count else None


def _tokens(value: str) -> Tokens:
    found: Tokens = tinycss2.parse_component_value_list(value, skip_comments=True)
    return found


def _shorthand(value: str) -> tuple[dict[str, list[Tokens]], str] | None:
    """The values of the longhands, and the colour; None for a value that is invalid."""
    written = gradients.split(_tokens(value))
    colour = "transparent"
    said: dict[str, list[Tokens]] = {part: [] for part in LONGHANDS}
    for at, tokens in enumerate(written):
        parts = _sorted(tokens)
        if "colour" in parts:
            if at != len(written) - 1:
                return None
            colour = tinycss2.serialize(parts.pop("colour")).strip()
        boxes = parts.pop("boxes", [])
        if boxes:
            parts["origin"], parts["clip"] = boxes[:1], boxes[-1:]
        for part in LONGHANDS:
            said[part].append(parts.get(part) or _tokens(_INITIAL[part]))
    return said, colour


def _sorted(tokens: Tokens) -> dict[str, list[Any]]:
    """The tokens of a layer by what they say."""
    parts: dict[str, list[Any]] = {}
    place = "position"
    for each in tokens:
        if each.type in ("whitespace", "comment"):
            continue
        word = each.lower_value if each.type == "ident" else ""
        if each == "/":
            place = "size"
            continue
        if _is_image(each):
            part = "image"
        elif word in _REPEATS:
            part = "repeat"
        elif word in _ATTACHMENTS:
            part = "attachment"
        elif word in _BOXES:
            part = "boxes"
        elif word in background_places.EDGES or word in _FITTED or word == "auto" or _is_length(each):
            part = place
        elif word in _WORDS_OF_ALL:
            continue
        else:
            part = "colour"
        parts.setdefault(part, []).append(each)
    return parts


def _is_image(token: Any) -> bool:
    if token.type == "function":
        return str(token.lower_name).endswith(_IMAGES)
    return bool(token.type == "url" or (token.type == "ident" and token.lower_value == "none"))


def _is_length(token: Any) -> bool:
    is_calculated = token.type == "function" and token.lower_name in _CALCULATED
    return bool(is_calculated or token.type in ("dimension", "percentage", "number"))


def _layer(said: dict[str, Tokens], sizes: TextSizes) -> Layer | None:
    words = {
        part: [each for each in said.get(part) or _tokens(_INITIAL[part]) if each.type != "whitespace"]
        for part in LONGHANDS
    }
    place, size, repeat = (
        background_places.read(words["position"], sizes),
        _size(words["size"], sizes),
        _repeat(words["repeat"]),
    )
    if place is None or size is None or repeat is None:
        return None
    attachment, origin, clip = (tinycss2.serialize(words[each]).lower() for each in ("attachment", "origin", "clip"))
    return Layer(tinycss2.serialize(words["image"]), place, size, repeat, attachment, origin, clip)


def _repeat(tokens: Tokens) -> tuple[str, str] | None:
    pairs = [_REPEATS.get(each.lower_value if each.type == "ident" else "") for each in tokens]
    if len(pairs) == 1:
        return pairs[0]
    if len(pairs) == 2 and pairs[0] is not None and pairs[1] is not None:
        return (pairs[0][0], pairs[1][0])
    return None


def _size(tokens: Tokens, sizes: TextSizes) -> Size | str | None:
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in _FITTED:
        return str(tokens[0].lower_value)
    found: list[Length | None] = []
    for each in tokens:
        is_auto = each.type == "ident" and each.lower_value == "auto"
        known = None if is_auto else length(each, sizes)
        if known is None and not is_auto:
            return None
        found.append(known)
    return (found[0], found[1] if len(found) == 2 else None) if 1 <= len(found) <= 2 else None
