"""Place text that engines can't: on paths, per letter, rotated, or with a set length."""

from __future__ import annotations

import itertools
import math
import unicodedata
from xml.etree.ElementTree import Element

from engine.families.images.drawings import references
from engine.families.images.drawings.glyph_positions import SPANS, Character, characters
from engine.families.images.drawings.outlines import Outline, outline
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import TextStyle, length, style_of
from engine.families.images.drawings.values import declarations
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_PAIRS = 10_000_000
"""The maximum character pairs of each text, summed: librsvg takes quadratic time.

It took 6 s for 8,000 characters in words and more in one word. 25,000 labels of 20 characters fit. Of 2,788 drawings
(the tests of resvg, icons, documentation) none has more than 624,000.
"""
MAX_PLACED = 50_000
"""The maximum characters that are placed individually; 49,000 take 4.9 s."""

MAX_TRIES = 20_000_000
"""The maximum characters of a text times its elements."""

_SVG = "{http://www.w3.org/2000/svg}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_PLACED = frozenset((
    "x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust", "text-anchor", "startOffset", "method", "spacing",
    "side", "path", "id", "target", *_HREFS,
))  # fmt: skip
_LINES = "text-decoration"
_WORDS = "word-spacing"
_ANCHORS = {"middle": 0.5, "end": 1.0}


def check(root: Element) -> None:
    """Raise OverLimit for texts so long that the engine takes too long for them."""
    if sum(sum(map(len, each.itertext())) ** 2 for each in root.iter() if name_of(each) == "text") > MAX_PAIRS:
        raise OverLimit("limit", "The drawing has text that is too long. Split it.")


def place(root: Element, view: tuple[float, float], warn: Warn) -> None:
    """Give each character of such texts its own position, as a separate text.

    Raises OverLimit for more than MAX_PLACED characters.
    """
    spaced = any(_WORDS in each.attrib or _WORDS in each.get("style", "") for each in root.iter())
    texts = [each for each in root.iter() if name_of(each) == "text" and (spaced or _asks(each))]
    if not texts:
        return
    parents = {child: parent for parent in root.iter() for child in parent}
    texts = [each for each in texts if _asks(each) or _is_spaced(each, style_of(each, parents))]
    by_id = references.by_id(root)
    count = 0
    for text in texts:
        style = style_of(text, parents)
        if style.vertical:
            warn("CSS_UNSUPPORTED", "Vertical text ignores the positions of its letters and text paths.")
            continue
        size = sum(map(len, text.itertext()))
        count += size
        if count > MAX_PLACED or size * sum(1 for _ in text.iter()) > MAX_TRIES:
            raise OverLimit(
                "timeout",
                say("The drawing places more than {max_placed} letters one by one.", max_placed=MAX_PLACED),
            )
        found = characters(text, style, view)
        backward = any(unicodedata.bidirectional(char) in ("R", "AL") for each in found for char in each.text)
        if backward:
            warn("CSS_UNSUPPORTED", "Right-to-left text ignores the positions of its letters and text paths.")
            continue
        layout(text, found, by_id, view, warn)
        _write(text, found, parents.get(text))


def _asks(text: Element) -> bool:
    return any(
        name_of(each) == "textPath"
        or "rotate" in each.attrib
        or "textLength" in each.attrib
        or any(len((each.get(name) or "").replace(",", " ").split()) > 1 for name in ("x", "y", "dx", "dy"))
        for each in text.iter()
        if each is text or name_of(each) in SPANS
    )


def _is_spaced(element: Element, style: TextStyle) -> bool:
    """Whether it has word spacing, which the engine does not draw."""
    return bool(style.word_spacing) or any(_is_spaced(each, style.within(each)) for each in element)


def layout(
    text: Element, found: list[Character], by_id: dict[str, Element], view: tuple[float, float], warn: Warn
) -> None:
    """Compute each character's position: first in lines, then along paths."""
    x = y = 0.0
    outlines: dict[Element, Outline | None] = {}
    chunks: list[list[Character]] = []
    path: Element | None = None
    for letter in found:
        begins = letter.path is not path or not chunks
        if begins and path is not None and (before := outlines[path]) is not None:
            x, y = before.points[-1]
        if begins and letter.path is not None:
            outlines[letter.path] = _outline(letter.path, by_id, warn)
            x, y = _start(letter.path, outlines[letter.path], letter), 0.0
        path = letter.path
        if path is not None:
            x = x + letter.x if letter.x is not None and begins else x if letter.x is None else letter.x
        elif letter.x is not None or letter.y is not None:
            x, y = letter.x if letter.x is not None else x, letter.y if letter.y is not None else y
            begins = True
        if begins:
            chunks.append([])
        chunks[-1].append(letter)
        x, y = x + letter.dx, y + letter.dy
        letter.left, letter.top, letter.turn = x, y, letter.rotate
        x += letter.advance
    for chunk in chunks:
        _stretch(text, chunk, view[0])
        first, last = chunk[0], chunk[-1]
        shift = _ANCHORS.get(first.style.anchor, 0.0) * (last.left + last.advance - first.left)
        for letter in chunk:
            letter.left -= shift
    for letter in found:
        if letter.path is not None:
            _bend(letter, outlines[letter.path])


def _outline(path: Element, by_id: dict[str, Element], warn: Warn) -> Outline | None:
    href = next((path.get(name) for name in _HREFS if path.get(name)), "") or ""
    target = Element(f"{_SVG}path", {"d": path.get("path", "")}) if path.get("path") else by_id.get(href.strip()[1:])
    found = outline(target, backward=path.get("side") == "right") if target is not None else None
    if found is None:
        warn("CONTENT_DROPPED", "Text along a missing path was left out.")
    return found


def _start(path: Element, along: Outline | None, letter: Character) -> float:
    whole = along.length if along is not None else 0.0
    return length(path.get("startOffset"), letter.style.size, whole)


def _stretch(text: Element, chunk: list[Character], width: float) -> None:
    """Stretch the characters of each element to its textLength."""
    elements = dict.fromkeys(span for letter in chunk for span in reversed(letter.spans))
    for element in elements:
        own = [at for at, letter in enumerate(chunk) if element in letter.spans]
        _stretched(chunk, own, element, width)
    _stretched(chunk, list(range(len(chunk))), text, width)


def _stretched(chunk: list[Character], own: list[int], element: Element, width: float) -> None:
    wanted = length(element.get("textLength"), chunk[own[0]].style.size, width)
    first, last = chunk[own[0]], chunk[own[-1]]
    natural = last.left + last.advance - first.left
    if not wanted > 0 or not natural > 0:
        return
    if element.get("lengthAdjust") == "spacingAndGlyphs":
        factor = wanted / natural
        for at in own:
            chunk[at].left = first.left + (chunk[at].left - first.left) * factor
            chunk[at].scale *= factor
    elif len(own) > 1:
        for step, at in enumerate(own):
            chunk[at].left += (wanted - natural) * step / (len(own) - 1)
    for letter in chunk[own[-1] + 1 :]:
        letter.left += wanted - natural


def _bend(letter: Character, along: Outline | None) -> None:
    """Move a character from its position in a line onto the path: its centre is on it (SVG 1.1, 10.13.3)."""
    half = letter.width * letter.scale / 2
    point = along.at(letter.left + half) if along is not None else None
    if point is None:
        letter.hidden = True
        return
    x, y, direction = point
    sine, cosine = math.sin(direction), math.cos(direction)
    letter.left, letter.top = x - half * cosine - letter.top * sine, y - half * sine + letter.top * cosine
    letter.turn += math.degrees(direction)


def _write(text: Element, found: list[Character], parent: Element | None) -> None:
    """Replace `text` by a group with one text for each run of characters."""
    runs: list[list[Character]] = []
    for before, letter in itertools.pairwise([None, *(each for each in found if not each.hidden)]):
        assert letter is not None
        if before is None or not _follows(before, letter):
            runs.append([])
        runs[-1].append(letter)
    pieces = [_piece(run) for run in runs]
    lines = styled(text).get(_LINES, text.get(_LINES))
    if lines:  # the children of a group don't inherit them
        for piece in pieces:
            piece.set(_LINES, lines)
    within_clip = parent is not None and name_of(parent) == "clipPath"
    own = {name: value for name, value in text.attrib.items() if name not in _PLACED and name != _SPACE}
    if within_clip and parent is not None:  # a clipPath can't contain groups
        at = list(parent).index(text)
        parent.remove(text)
        for piece in reversed(pieces):
            turned = f"{own.get('transform', '')} {piece.get('transform', '')}".strip()
            piece.attrib = {**own, **piece.attrib, **({"transform": turned} if turned else {})}
            parent.insert(at, piece)
        return
    name, tail = text.get("id"), text.tail
    text.clear()
    text.tag = str(text.tag).removesuffix("text") + "g"
    text.attrib.update(own)
    if name:
        text.set("id", name)
    text.tail = tail
    text.extend(pieces)


def _follows(before: Character, letter: Character) -> bool:
    """Whether an engine that draws both as one text would place the second correctly."""
    return (
        before.spans == letter.spans
        and not (before.text == " " and before.style.word_spacing)
        and letter.path is None
        and before.turn == letter.turn == 0
        and before.scale == letter.scale == 1
        and abs(before.top - letter.top) < 0.001
        and abs(before.left + before.advance - letter.left) < 0.001
    )


def _piece(run: list[Character]) -> Element:
    first = run[0]
    piece = Element(f"{_SVG}text", {_SPACE: "preserve", "text-anchor": "start"})
    if first.turn or first.scale != 1:
        moved = f"translate({first.left:.4f} {first.top:.4f})"
        turned = f" rotate({first.turn:.4f})" if first.turn else ""
        scaled = f" scale({first.scale:.5f} 1)" if first.scale != 1 else ""
        piece.set("transform", moved + turned + scaled)
    else:
        piece.set("x", f"{first.left:.4f}")
        piece.set("y", f"{first.top:.4f}")
    inner = piece
    for span in first.spans:
        attributes = {name: value for name, value in span.attrib.items() if name not in _PLACED}
        if "text-anchor" in attributes.get("style", ""):
            attributes["style"] = _without_anchor(attributes["style"])
        child = Element(f"{_SVG}tspan", attributes)
        inner.append(child)
        inner = child
    inner.text = "".join(each.text for each in run)
    return piece


def _without_anchor(style: str) -> str:
    return ";".join(f"{name}:{value}" for name, value, _ in declarations(style) if name != "text-anchor")
