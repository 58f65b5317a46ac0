"""TTML: timed text in XML (W3C TTML 2), as used in broadcasting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from html import escape
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException

from engine.families.subtitles.marked import clock
from engine.families.subtitles.track import BOTTOM, PLAIN, Piece, Track, wrong_format
from engine.toolkit import encodings, xml_entities
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_CLOCK = re.compile(r"(?:(\d{1,5}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,9})|:(\d{2,4})(?:\.\d+)?)?\Z")
_OFFSET = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(h|m|s|ms|f|t|)\Z")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "": 1.0}
"""The length of each time unit in seconds (TTML 2, 12.3.1); Apple's files have plain seconds."""
_HEX = re.compile(r"#([0-9A-Fa-f]{6})(?:[0-9A-Fa-f]{2})?\Z")
_NAMES = {"white": "ffffff", "red": "ff0000", "lime": "00ff00", "blue": "0000ff", "yellow": "ffff00",
          "cyan": "00ffff", "magenta": "ff00ff", "black": "000000", "green": "008000", "gray": "808080"}  # fmt: skip
_MAX_ELEMENTS = 500_000
_ABOUT = ("title", "desc", "copyright")
_MAX_DEPTH = 50
_ROWS = {"before": 6, "center": 3, "after": 0}
_COLUMNS = {"left": 0, "start": 0, "right": 2, "end": 2}


class _Scale(NamedTuple):
    """The frame rate and tick rate."""

    frames: float
    ticks: float


def read(data: bytes, encoding: str | None, fps: float | None, warn: Warn) -> Track:
    """Parse a TTML file. Raises Unreadable for anything else, with line and column."""
    if encoding is not None:
        text = encodings.read(data, warn, option=encoding)
        data = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text).encode()
    try:
        root = xml_entities.expanded(data, elements=_MAX_ELEMENTS)
    except ParseError as error:
        line, column = error.position
        raise Unreadable("The file is not well-formed XML.", line=line, column=column + 1, reason="damaged") from error
    except (DefusedXmlException, ValueError, LookupError) as error:
        raise Unreadable(
            "The file declares entities or an encoding that are not supported.", reason="unsupported_feature"
        ) from error
    if _name(root) != "tt":
        wrong_format(say("its first element is not <tt>"))
    track = Track(details=[*_details(root)])
    rate = _number(root, "frameRate") or 30.0
    multiplier = re.match(r"(\d{1,6})[ :](\d{1,6})\Z", _attribute(root, "frameRateMultiplier"))
    if multiplier and int(multiplier[2]):
        rate = rate * int(multiplier[1]) / int(multiplier[2])
    scale = _Scale(fps or rate, _number(root, "tickRate") or (rate if _attribute(root, "frameRate") else 1.0))
    styles = {_attribute(each, "id"): each for each in root.iter() if _name(each) == "style" and _attribute(each, "id")}
    regions = {_attribute(each, "id"): each for each in root.iter() if _name(each) == "region"}
    reading = _Reading(track, scale, styles, regions, absolute=f"{_LYRICS}timing" in root.attrib)
    for body in root:
        if _name(body) == "body":
            reading.walk(body, 0.0, None, PLAIN, BOTTOM, 0)
    return track


_LYRICS = "{http://music.apple.com/lyric-ttml-internal}"
"""The namespace of Apple's lyrics, whose times are absolute, unlike those of TTML (TTML 1, 10.4)."""


def _details(root: Element) -> Iterator[str]:
    """The title, description and copyright of the whole file."""
    for head in root:
        for each in head.iter() if _name(head) == "head" else ():
            text = " ".join((each.text or "").split())
            if text and _name(each) in _ABOUT:
                yield f"{_name(each)}: {text}"


@dataclass(frozen=True)
class _Reading:
    track: Track
    scale: _Scale
    styles: dict[str, Element]
    regions: dict[str, Element]
    _: KW_ONLY
    absolute: bool
    """Whether times count from the beginning of the track, not from that of the element around."""

    def walk(
        self,
        element: Element,
        start: float,
        end: float | None,
        formatting: Piece,
        place: int,
        depth: int,
        *,
        inside: bool = False,
    ) -> float | None:
        """Read an element and its children; return its end time, from which the next one in a `seq` counts."""
        if depth > _MAX_DEPTH:
            raise Unreadable(
                say("The elements are nested more than {max_depth} levels deep.", max_depth=_MAX_DEPTH), reason="limit"
            )
        from_, until = self._time(element, "begin"), self._time(element, "end")
        base = 0.0 if self.absolute else start
        begin = start if from_ is None else base + from_
        stop = None if until is None else base + until
        duration = self._time(element, "dur")
        if duration is not None:
            stop = begin + duration if stop is None else min(stop, begin + duration)
        stop = end if stop is None else stop if end is None else min(stop, end)
        formatting, place = self._formatting(element, formatting), self._place(element, place)
        if _name(element) == "p":
            timed = [each for each in element.iter() if each is not element and _attribute(each, "begin")]
            if timed:
                return self._spans(element, begin, stop, formatting, place)
            if stop is None:
                self.track.lost[say("Subtitles without an end time")] += 1
            else:
                self.track.add(
                    round(begin * 1000), round(stop * 1000), self._pieces(element, formatting, 0), place=place
                )
            return stop
        at: float | None = begin
        row = _attribute(element, "timeContainer") == "seq"
        for child in element:
            if _name(child) in ("div", "p"):
                over = self.walk(child, at if at is not None else begin, stop, formatting, place, depth + 1)
                at = over if row and over is not None else begin
        return stop if stop is not None else at

    def _spans(self, element: Element, begin: float, stop: float | None, formatting: Piece, place: int) -> float | None:
        """Read a paragraph whose spans have their own times: a cue for each."""
        for child in element:
            first, last = self._time(child, "begin"), self._time(child, "end")
            duration = self._time(child, "dur")
            base = 0.0 if self.absolute else begin
            from_ = begin if first is None else base + first
            to = base + last if last is not None else from_ + duration if duration is not None else stop
            if to is not None and _name(child) == "span":
                pieces = self._pieces(child, self._formatting(child, formatting), 0)
                self.track.add(round(from_ * 1000), round(to * 1000), pieces, place=place)
        outside = "".join((element.text or "", *(each.tail or "" for each in element))).strip()
        self.track.lost[say("Text between timed parts")] += bool(outside)
        return stop

    def _pieces(self, element: Element, formatting: Piece, depth: int) -> Iterator[Piece]:
        if depth > _MAX_DEPTH:
            raise Unreadable(
                say("The elements are nested more than {max_depth} levels deep.", max_depth=_MAX_DEPTH), reason="limit"
            )
        keep = _attribute(element, "space") == "preserve"
        yield replace(formatting, text=_text(element.text, keep=keep))
        for child in element:
            name = _name(child)
            if name == "br":
                yield replace(formatting, text="\n")
            elif name == "span":
                yield from self._pieces(child, self._formatting(child, formatting), depth + 1)
            elif name != "metadata":
                self.track.lost[say("Elements that are not text")] += 1
            yield replace(formatting, text=_text(child.tail, keep=keep))

    def _formatting(self, element: Element, formatting: Piece) -> Piece:
        named = [self.styles[each] for each in _attribute(element, "style").split()[:20] if each in self.styles]
        for each in (*named, element):
            if weight := _attribute(each, "fontWeight"):
                formatting = replace(formatting, bold=weight == "bold")
            if slant := _attribute(each, "fontStyle"):
                formatting = replace(formatting, italic=slant in ("italic", "oblique"))
            if decoration := _attribute(each, "textDecoration"):
                words = decoration.split()
                formatting = replace(formatting, underline="underline" in words, strike="lineThrough" in words)
            if colour := _attribute(each, "color"):
                found = _HEX.match(colour)
                rgb = found[1].lower() if found else _NAMES.get(colour.lower())
                formatting = replace(formatting, colour=None if rgb == "ffffff" else rgb)
        return formatting

    def _place(self, element: Element, place: int) -> int:
        row, column = divmod(place - 1, 3)
        region = self.regions.get(_attribute(element, "region"))
        for each in (region, element):
            if each is not None:
                holders = [each, *(child for child in each if _name(child) == "style")]
                for holder in holders:
                    row = _ROWS.get(_attribute(holder, "displayAlign"), row * 3) // 3
                    column = _COLUMNS.get(_attribute(holder, "textAlign"), column)
                    column = 1 if _attribute(holder, "textAlign") == "center" else column
        return row * 3 + column + 1

    def _time(self, element: Element, name: str) -> float | None:
        value = _attribute(element, name).strip()
        if not value:
            return None
        if found := _CLOCK.match(value):
            seconds = int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])
            fraction = float(f"0.{found[4]}") if found[4] else int(found[5] or 0) / self.scale.frames
            return seconds + fraction
        if found := _OFFSET.match(value):
            count = float(found[1])
            if found[2] == "f":
                return count / self.scale.frames
            return count / self.scale.ticks if found[2] == "t" else count * _SECONDS[found[2]]
        raise Unreadable(say("“{value}” is not a TTML time.", value=value[:40]), reason="damaged")


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _attribute(element: Element, name: str) -> str:
    """An attribute by its local name: files use the namespaces of all drafts."""
    found = element.attrib.get(name)
    if found is None:
        found = next((value for key, value in element.attrib.items() if key.endswith("}" + name)), "")
    return found


def _number(element: Element, name: str) -> float | None:
    found = re.match(r"\d{1,9}(?:\.\d+)?\Z", _attribute(element, name))
    return float(found[0]) or None if found else None


def _text(text: str | None, *, keep: bool) -> str:
    return (text or "") if keep else re.sub(r"[ \t\r\n]+", " ", text or "")


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="">
  <head>
    <layout>
{regions}    </layout>
  </head>
  <body>
    <div>
"""


def write(track: Track) -> str:
    """Format a track as TTML, with a region for each position used."""
    regions = "".join(_region(each) for each in sorted({cue.place for cue in track.cues} | {BOTTOM}))
    lines = [_HEAD.format(regions=regions)]
    for cue in track.cues:
        text = "".join(map(_span, cue.pieces))
        lines.append(
            f'      <p begin="{clock(cue.start, ".")}" end="{clock(cue.end, ".")}" region="r{cue.place}">{text}</p>\n'
        )
    return "".join((*lines, "    </div>\n  </body>\n</tt>\n"))


def _region(place: int) -> str:
    row, column = divmod(place - 1, 3)
    return (
        f'      <region xml:id="r{place}" tts:displayAlign="{("after", "center", "before")[row]}"'
        f' tts:textAlign="{("left", "center", "right")[column]}"/>\n'
    )


_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _span(piece: Piece) -> str:
    decoration = " ".join(("underline",) * piece.underline + ("lineThrough",) * piece.strike)
    attributes = "".join(
        f' tts:{name}="{value}"'
        for name, value in (
            ("fontWeight", "bold" if piece.bold else ""),
            ("fontStyle", "italic" if piece.italic else ""),
            ("textDecoration", decoration),
            ("color", f"#{piece.colour}" if piece.colour else ""),
        )
        if value
    )
    text = escape(_UNWRITABLE.sub("\ufffd", piece.text), quote=False).replace("\n", "<br/>")
    return f"<span{attributes}>{text}</span>" if attributes else text
