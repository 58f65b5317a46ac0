"""Make the elements of a feed that only have a path, such as `media:group/media:title`."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

from engine.families.data.feeds.elements import SPACES

PREFIXES = {prefix.rstrip(":"): space for space, prefix in SPACES.items()} | {"atom": "http://www.w3.org/2005/Atom"}
_PLAIN = ("source", "image", "textInput", "skipHours", "skipDays", "ttl", "docs", "webMaster", "rating")
"""Other elements without a prefix (RSS 2.0)."""
_SEGMENT = re.compile(r"(?:(\w++):)?([A-Za-z_][\w.-]*+)(?: (\d{1,6}))?")
_MOST_ABOVE = 8
"""Elements that an element of a path may be inside of."""


class Others:
    """Makes the other elements of an entry or the channel by their paths, such as `media:group/media:title 2`."""

    def __init__(self, inside: Element) -> None:
        self.inside = inside
        self._made: dict[str, Element] = {}
        self._counts: dict[str, int] = {}

    def made(self, name: str) -> Element | None:
        """A new element; None if it is none of RSS and of no known vocabulary."""
        *above, last = name.split("/")
        if len(above) > _MOST_ABOVE:
            return None
        inside, path, is_known = self.inside, "", False
        for segment in (*above, last):
            match = _SEGMENT.fullmatch(segment)
            if match is None or (match[1] and match[1] not in PREFIXES):
                return None
            is_known = is_known or bool(match[1]) or match[2] in _PLAIN
            if not is_known:
                return None
            prefix = f"{match[1]}:" if match[1] else ""
            bare = f"{path}{prefix}{match[2]}"
            tag = f"{{{PREFIXES[match[1]]}}}{match[2]}" if match[1] else match[2]
            if segment is last:
                self._counts[bare] = number = self._counts.get(bare, 0) + 1
                key = bare if number == 1 else f"{bare} {number}"
                known = None
            else:
                key = f"{path}{segment}"
                known = self._made.get(key)
            inside = SubElement(inside, tag) if known is None else known
            self._made[key] = inside
            path = f"{key}/"
        return inside
