"""YAML events: what libyaml finds in a text, one thing after the other, and the comments between."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from conversions.families.data.nesting import MAX_DEPTH
from conversions.toolkit import encodings
from conversions.toolkit.failures import Unreadable

_NODES = (yaml.ScalarEvent, yaml.AliasEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent)
_SPACES_LAST = re.compile(r"\n[ \t]+\Z")
_COMMENT = re.compile(r"(?:^|[ \t])#", re.MULTILINE)


def events(content: str) -> Iterator[Any]:
    """The parse events of a text; raises Unreadable with line and column."""
    depth = 0
    try:
        for event in yaml.parse(_ended(content), Loader=yaml.CSafeLoader):
            kind = type(event)
            _check(event, kind, content)
            if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                depth += 1
                if depth > MAX_DEPTH:
                    fail(f"Lists and mappings are nested more than {MAX_DEPTH} deep", event.start_mark)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                depth -= 1
            yield event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        fail((error.problem or error.context or "The syntax is wrong").capitalize(), mark)
    except yaml.reader.ReaderError as error:
        line, column = encodings.place(content, error.position) if error.position < len(content) else (None, None)
        raise Unreadable(
            f"The character U+{error.character:04X} is not allowed in YAML. Remove it and try again.",
            line=line,
            column=column,
        ) from None


def _ended(content: str) -> str:
    """The text with the end of its last line, where that is white space: libyaml takes it for a part of a text."""
    return content + "\n" if _SPACES_LAST.search(content) else content


def _check(event: Any, kind: type, content: str) -> None:
    """Refuse what libyaml reads by other rules than those of YAML 1.2, and not as it is meant."""
    if kind not in _NODES:
        return
    start, end = event.start_mark.index, event.end_mark.index
    if start and start < end and content[start - 1] == "?":
        fail(
            "A question mark has to be in quotes where a text begins with it, or to be followed by a space",
            event.start_mark,
        )
    if kind is not yaml.AliasEvent and event.anchor:
        after = content.find(f"&{event.anchor}", start) + 1 + len(event.anchor)
        if content[after : after + 1].strip(" \t\r\n,[]{}"):
            fail("The name of an anchor is of letters, digits, “-” and “_” here; give it another", event.start_mark)


def fail(reason: str, mark: Any) -> NoReturn:
    """Raise Unreadable with the place of a mark."""
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    raise Unreadable(f"The YAML can't be read at line {line}, column {column}: {reason}.", line=line, column=column)


class Comments:
    """Counts the comments of a text: a `#` after white space that lies in no scalar, shown in their order."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._places = deque(match.end() - 1 for match in _COMMENT.finditer(content))
        self._count = 0
        self._end = 0

    def cover(self, event: Any) -> None:
        """Pass over what lies inside this scalar."""
        places = self._places
        while places and places[0] < event.end_mark.index:
            place = places.popleft()
            if place < event.start_mark.index:
                self._see(place)

    def count(self) -> int:
        """How many lines have one, once all scalars were shown."""
        while self._places:
            self._see(self._places.popleft())
        return self._count

    def _see(self, place: int) -> None:
        if place >= self._end:  # not in the comment before it
            self._count += 1
            end = self._content.find("\n", place)
            self._end = len(self._content) if end < 0 else end
