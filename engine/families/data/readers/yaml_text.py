"""Read YAML by the core schema of YAML 1.2 as documents.

Values are built from events: libyaml's own tree builder is recursive, expands aliases without a limit and follows YAML
1.1, where `no` is a boolean. Of YAML 1.1 only merge keys (`<<`) are supported, because they are in common use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from engine.families.data.features import Feature
from engine.families.data.readers.yaml_events import Comments, events, fail
from engine.families.data.readers.yaml_scalars import plain_value
from engine.families.data.table import Documents, one
from engine.families.data.values import NotFinite, Number, Value, text
from engine.toolkit import encodings
from engine.toolkit.json_values import MAX_DEPTH
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_EXPANDED = 10_000_000
"""Total values, and characters in them, to which all aliases of a file may expand."""

_TAG = "tag:yaml.org,2002:"


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """Return the document of a YAML file; several documents are the items of one list.

    A file of only comments is null. Raises Unreadable, with line and column, for syntax errors, aliases that expand too
    much, and nesting beyond MAX_DEPTH.
    """
    builder = _Builder(encodings.decode(source.read_bytes()), warn)
    values = list(builder.documents()) or [None]
    documents = one(values[0]) if len(values) == 1 else one(values)
    documents.found.put(Feature.COMMENT, builder.comments.count())
    return documents


@dataclass
class _Open:
    """A list or mapping that is being parsed, and its size with all aliases expanded."""

    value: Any
    anchor: str | None
    start_mark: Any = None
    key: Any = None
    size: int = 1
    height: int = 1
    merged: list[dict[str, Value]] = field(default_factory=list)


@dataclass(frozen=True)
class _Anchored:
    """The value that an anchor names; `size` counts its values and the characters of its texts."""

    value: Value
    size: int
    height: int


class _Builder:
    """Builds the values of one file from its events, without recursion."""

    def __init__(self, content: str, warn: Warn) -> None:
        self.content = content
        self.warn = warn
        self.comments = Comments(content)
        self.open: list[_Open] = []
        self.anchors: dict[str, _Anchored | None] = {}
        self.expanded = 0

    def documents(self) -> Iterator[Value]:
        value: Value = None
        for event in events(self.content):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.comments.cover(event)
                if self._wants_key():
                    self._put_key(event)
                    continue
                value = self._scalar(event)
                self._put(event, value, 1 + len(event.value), 0)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                if self._wants_key():
                    fail(say("A key must be a single value, not a list or mapping"), event.start_mark)
                self._tag(event)
                if event.anchor:
                    self.anchors[event.anchor] = None
                mapping = kind is yaml.MappingStartEvent
                self.open.append(_Open({} if mapping else [], event.anchor, event.start_mark, _NO_KEY))
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                closed = self.open.pop()
                value = _with_merged(closed)
                self._put(closed, value, closed.size, closed.height)
            elif kind is yaml.AliasEvent:
                value = self._alias(event)
            elif kind is yaml.DocumentEndEvent:
                self.anchors.clear()
                yield value

    def _wants_key(self) -> bool:
        return bool(self.open) and type(self.open[-1].value) is dict and self.open[-1].key is _NO_KEY

    def _put(self, source: Any, value: Value, size: int, height: int) -> None:
        """Put a value where it belongs; `source` has its anchor, if any, and its place."""
        if source.anchor:
            self.anchors[source.anchor] = _Anchored(value, size, height)
        if not self.open:
            return
        into = self.open[-1]
        into.size += size
        into.height = max(into.height, height + 1)
        if type(into.value) is list:
            into.value.append(value)
        elif into.key is _MERGE:
            maps = value if type(value) is list else [value]
            if not all(type(each) is dict for each in maps):
                fail(say("A merge key (<<) needs a mapping, or a list of mappings"), source.start_mark)
            into.merged += maps
            into.key = _NO_KEY
        else:
            into.value[into.key] = value
            into.key = _NO_KEY

    def _alias(self, event: Any) -> Value:
        name = event.anchor
        found = self.anchors.get(name)
        if found is None:
            reason = say("is inside its own anchor") if name in self.anchors else say("has no anchor before it")
            fail(say("The alias *{name} {reason}", name=name, reason=reason), event.start_mark)
        self.expanded += found.size
        if self.expanded > MAX_EXPANDED:
            fail(say("Aliases expand to too much data; use fewer of them"), event.start_mark)
        if len(self.open) + found.height > MAX_DEPTH:
            fail(say("Lists and mappings are nested more than {max_depth} deep", max_depth=MAX_DEPTH), event.start_mark)
        if self._wants_key():
            if type(found.value) in (list, dict):
                fail(say("A key must be a single value, not a list or mapping"), event.start_mark)
            self.open[-1].key = self._key_of(found.value, text(found.value) or "null", event)
        else:
            self._put(_Open(None, None, event.start_mark), found.value, found.size, found.height)
        return found.value

    def _put_key(self, event: Any) -> None:
        mapping = self.open[-1]
        if event.value == "<<" and (event.implicit[0] or event.tag == _TAG + "merge"):
            mapping.key = _MERGE
            return
        value = self._scalar(event)
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(value, 1 + len(event.value), 0)
        mapping.size += 1 + len(event.value)
        mapping.key = self._key_of(value, str(event.value) or "null", event)

    def _key_of(self, value: Value, shown: str, event: Any) -> str:
        key = str(value) if type(value) is str else shown
        if type(value) is not str:
            self.warn(
                "VALUE_CONVERTED", say("The key {key} became text, because keys are text in most formats.", key=key)
            )
        if key in self.open[-1].value:
            line = event.start_mark.line + 1
            self.warn(
                "DUPLICATE_KEY",
                say(
                    "The key “{key}” on line {line} occurs more than once in its mapping; the last value was kept.",
                    key=key,
                    line=line,
                ),
            )
        return key

    def _scalar(self, event: Any) -> Value:
        content: str = event.value
        if event.tag and event.tag != "!":
            return self._tagged(event, content)
        if not event.implicit[0] or event.tag == "!":
            return content
        return plain_value(content)

    def _tagged(self, event: Any, content: str) -> Value:
        name = event.tag.removeprefix(_TAG)
        value = plain_value(content)
        if name == "float" and type(value) is int:
            return float(value)
        if name in ("int", "float", "bool", "null"):
            wanted = {"int": (int, Number), "float": (float, Number, NotFinite), "bool": (bool,), "null": (type(None),)}
            if type(value) not in wanted[name]:
                fail(say("“{content}” is not of the type !!{name}", content=content[:40], name=name), event.start_mark)
            return value
        self._tag(event)
        return content

    def _tag(self, event: Any) -> None:
        tag = event.tag
        if tag and tag != "!" and tag.removeprefix(_TAG) not in ("str", "map", "seq", "timestamp", "binary", "merge"):
            shown = "!!" + tag.removeprefix(_TAG) if tag.startswith(_TAG) else tag
            self.warn("CONTENT_DROPPED", say("The tag {shown} was left out; its value is kept.", shown=shown))


_NO_KEY = object()
_MERGE = object()


def _with_merged(closed: _Open) -> Value:
    """Return the mapping with its merged keys: its own win, then those of the mapping merged first."""
    if not closed.merged:
        return closed.value
    merged: dict[str, Value] = {}
    for each in closed.merged:
        for key, value in each.items():
            merged.setdefault(key, value)
    return {**merged, **closed.value}
