"""Read the events of libyaml, and the comments it skips."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.json_values import MAX_DEPTH
from engine.toolkit.messages import say

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
                    fail(
                        say("Lists and mappings are nested more than {max_depth} deep", max_depth=MAX_DEPTH),
                        event.start_mark,
                    )
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                depth -= 1
            yield event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        fail((error.problem or error.context or "The syntax is wrong").capitalize(), mark)
    except yaml.reader.ReaderError as error:
        line, column = encodings.place(content, error.position) if error.position < len(content) else (None, None)
        raise Unreadable(
            say(
                "The character U+{character} is not allowed in YAML. Remove it and try again.",
                character=f"{error.character:04X}",
            ),
            line=line,
            column=column,
            reason="damaged",
        ) from None


def _ended(content: str) -> str:
    """Terminate the last line if it is white space, which libyaml would otherwise take for part of a scalar."""
    return content + "\n" if _SPACES_LAST.search(content) else content


def _check(event: Any, kind: type, content: str) -> None:
    """Refuse syntax that libyaml parses by other rules than YAML 1.2."""
    if kind not in _NODES:
        return
    start, end = event.start_mark.index, event.end_mark.index
    if start and start < end and content[start - 1] == "?":
        fail(
            say("A question mark at the start of a text must be quoted or followed by a space"),
            event.start_mark,
        )
    if kind is not yaml.AliasEvent and event.anchor:
        after = content.find(f"&{event.anchor}", start) + 1 + len(event.anchor)
        if content[after : after + 1].strip(" \t\r\n,[]{}"):
            fail(say("Anchor names can only have letters, digits, “-” and “_” here; rename it"), event.start_mark)


def fail(reason: str, mark: Any) -> NoReturn:
    """Raise Unreadable with the place of a mark."""
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    raise Unreadable(
        say(
            "The YAML can't be read at line {line}, column {column}: {reason}.", line=line, column=column, reason=reason
        ),
        line=line,
        column=column,
        reason="damaged",
    )


class Comments:
    """Counts comments: a `#` after white space outside scalars, which are passed to `cover` in order."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._places = deque(match.end() - 1 for match in _COMMENT.finditer(content))
        self._count = 0
        self._end = 0

    def cover(self, event: Any) -> None:
        """Skip the text of this scalar."""
        places = self._places
        while places and places[0] < event.end_mark.index:
            place = places.popleft()
            if place < event.start_mark.index:
                self._see(place)

    def count(self) -> int:
        """Return how many lines have a comment, once all scalars are covered."""
        while self._places:
            self._see(self._places.popleft())
        return self._count

    def _see(self, place: int) -> None:
        if place >= self._end:  # not in the comment before it
            self._count += 1
            end = self._content.find("\n", place)
            self._end = len(self._content) if end < 0 else end
