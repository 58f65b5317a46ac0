"""YAML in: documents out of text by the core schema of YAML 1.2.

Events are turned into values here, one by one: libyaml's own tree builder is recursive, expands aliases and follows
YAML 1.1, where `no` is a boolean.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import yaml

from conversions.families.data.table import Documents, one
from conversions.families.data.values import MAX_DEPTH, NotFinite, Number, Value, integer, number
from conversions.toolkit import encodings
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_TAG = "tag:yaml.org,2002:"
_NULL = {"", "~", "null", "Null", "NULL"}
_BOOLEAN = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
# YAML 1.2.2, section 10.3.2; but digits after a leading zero stay text, lest a code such as 007 lose them.
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_STARTS_VALUE = re.compile(r"[-+.0-9~nNtTfFyYoO=<]")
_COMMENT = re.compile(r"(?:^|[ \t])#", re.MULTILINE)


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """The document of a YAML file; several documents are the items of one list.

    Raises Unreadable, with line and column, for syntax errors, aliases, and nesting beyond MAX_DEPTH.
    """
    builder = _Builder(encodings.decode(source.read_bytes()), warn)
    documents = list(builder.documents())
    if not documents:
        raise Unreadable("The file has no content.", line=1, column=1)
    return one(documents[0]) if len(documents) == 1 else one(documents)


def events(content: str) -> Iterator[Any]:
    """The parse events of a text; raises Unreadable with line and column."""
    depth = 0
    try:
        for event in yaml.parse(content, Loader=yaml.CSafeLoader):
            kind = type(event)
            if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                depth += 1
                if depth > MAX_DEPTH:
                    _fail(f"Lists and mappings are nested more than {MAX_DEPTH} deep", event.start_mark)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                depth -= 1
            yield event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        _fail((error.problem or error.context or "The syntax is wrong").capitalize(), mark)
    except yaml.reader.ReaderError as error:
        line, column = encodings.place(content, error.position) if error.position < len(content) else (None, None)
        raise Unreadable(
            f"The character U+{error.character:04X} is not allowed in YAML. Remove it and try again.",
            line=line,
            column=column,
        ) from None


def _fail(reason: str, mark: Any) -> NoReturn:
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    raise Unreadable(f"The YAML can't be read at line {line}, column {column}: {reason}.", line=line, column=column)


class _Builder:
    """Builds the values of one file from its events, without recursion."""

    def __init__(self, content: str, warn: Warn) -> None:
        self.content = content
        self.warn = warn
        self.comments = Comments(content)

    def documents(self) -> Iterator[Value]:
        stack: list[tuple[Any, Any]] = []  # a list or mapping, and the key that waits for its value
        value: Value = None
        for event in events(self.content):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.comments.cover(event)
                if stack and type(stack[-1][0]) is dict and stack[-1][1] is _NO_KEY:
                    stack[-1] = (stack[-1][0], self._key(event, stack[-1][0]))
                    continue
                value = self._scalar(event)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                if stack and type(stack[-1][0]) is dict and stack[-1][1] is _NO_KEY:
                    _fail("A key has to be a single value, not a list or mapping", event.start_mark)
                self._tag(event)
                stack.append(({} if kind is yaml.MappingStartEvent else [], _NO_KEY))
                continue
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                value = stack.pop()[0]
            elif kind is yaml.AliasEvent:
                _fail("Aliases (*name) are not supported; write the value out", event.start_mark)
            elif kind is yaml.DocumentEndEvent:
                yield value
                continue
            else:
                continue
            if stack:
                container, key = stack[-1]
                if type(container) is list:
                    container.append(value)
                else:
                    container[key] = value
                    stack[-1] = (container, _NO_KEY)
        if self.comments.found():
            self.warn("COMMENTS_DROPPED", "Comments of the YAML file are not in the output.")

    def _key(self, event: Any, mapping: dict[str, Value]) -> str:
        value = self._scalar(event)
        key = value if type(value) is str else str(event.value) or "null"
        if type(value) is not str:
            self.warn("VALUE_CONVERTED", f"The key {key} became text, as in most formats keys are text.")
        if key in mapping:
            line = event.start_mark.line + 1
            self.warn(
                "DUPLICATE_KEY", f"The key “{key}” on line {line} occurs before in its mapping; the last one holds."
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
                _fail(f"“{content[:40]}” is not of the type !!{name}", event.start_mark)
            return value
        self._tag(event)
        return content

    def _tag(self, event: Any) -> None:
        tag = event.tag
        if tag and tag != "!" and tag.removeprefix(_TAG) not in ("str", "map", "seq", "timestamp", "binary", "merge"):
            shown = "!!" + tag.removeprefix(_TAG) if tag.startswith(_TAG) else tag
            self.warn("CONTENT_DROPPED", f"The tag {shown} was left out; its value is kept.")


_NO_KEY = object()


def plain_value(content: str) -> Value:
    """What an unquoted scalar means in the core schema; dates and `yes` are texts."""
    if content in _NULL:
        return None
    if not _STARTS_VALUE.match(content):
        return content
    if content in _BOOLEAN:
        return _BOOLEAN[content]
    if _INTEGER.fullmatch(content):
        prefix = content[:2]
        if prefix in ("0o", "0x") and len(content) < 4000:
            return int(content, 8 if prefix == "0o" else 16)
        return content if prefix in ("0o", "0x") else integer(content)
    if _FLOAT.fullmatch(content):
        return number(_json_digits(content))
    match = _NOT_FINITE.fullmatch(content)
    if match:
        return NotFinite("NaN" if content.lower() == ".nan" else "-Infinity" if match[1] == "-" else "Infinity")
    return content


def _json_digits(content: str) -> str:
    """The digits as JSON, too, would have them: no plus sign, and digits on both sides of the point."""
    sign = "-" if content[0] == "-" else ""
    mantissa, mark, exponent = re.fullmatch(r"[-+]?([0-9.]+)([eE]?)(.*)", content).groups()  # type: ignore[union-attr]
    whole, point, fraction = mantissa.partition(".")
    return sign + (whole or "0") + (f".{fraction or '0'}" if point else "") + mark + exponent


class Comments:
    """Tells whether a text has comments: a `#` after white space that lies in no scalar, shown in their order."""

    def __init__(self, content: str) -> None:
        self._places = deque(match.end() - 1 for match in _COMMENT.finditer(content))
        self._found = False

    def cover(self, event: Any) -> None:
        """Pass over what lies inside this scalar."""
        places = self._places
        if places and places[0] < event.end_mark.index:
            self._found = self._found or places[0] < event.start_mark.index
            while places and places[0] < event.end_mark.index:
                places.popleft()

    def found(self) -> bool:
        return self._found or bool(self._places)
