"""Read INI files, Java properties (java.util.Properties) and .env files as keys and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.families.data.features import Feature, Found
from engine.families.data.table import Documents, Row, Table, batched, one
from engine.families.data.values import Value, plain
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

Settings = dict[str, Value]
Entry = tuple[tuple[str, ...], str | None]
"""The path of a key, and its text; None for a key without a value."""

_TWICE = Kind("DUPLICATE_KEY", "Keys that occur more than once kept their last value: {count}{places}.")
_EMPTY = Kind("CONTENT_DROPPED", "Sections without keys are not in the output: {count}{places}.")
_PROPERTY = re.compile(r"((?:\\.|[^\\=: \t\f])*+)[ \t\f]*+(?:[=:][ \t\f]*+)?+(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_VARIABLE = re.compile(r"(?:export[ \t]++)?+([A-Za-z_][\w.-]*+)[ \t]*+(=)?+[ \t]*+")
_QUOTED = re.compile(r"'([^']*+)'|\"((?:[^\"\\]|\\.)*+)\"|`([^`]*+)`", re.DOTALL)
_AFTER = re.compile(r"[ \t]*+(?:#[^\n]*+)?+(?:\n|$)")


class _Reading:
    """The comments and sections of a file."""

    def __init__(self) -> None:
        self.comments = 0
        self.sections: dict[str, None] = {}


def read_objects(source: Path, options: Any, warn: Warn) -> Documents:
    """The settings as one object; the sections of an INI file are objects in it. Raises Unreadable with the line."""
    entries, found, opened = _entries(source, warn)
    settings: Settings = {}
    for (*sections, key), value in entries:
        inner = settings
        for section in sections:
            there = inner.setdefault(section, {})
            if not isinstance(there, dict):  # a key before all sections has the name of one
                warn.tally(_TWICE, 1, [f"“{section}”"], part=section)
                there = inner[section] = {}
            inner = there
        inner[key] = value
    for section in opened:  # those without keys too
        settings.setdefault(section, {})
    documents = one(settings)
    documents.found = found
    return documents


def read_rows(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The settings as rows of section (of an INI file only), key and value. Raises Unreadable with the line."""
    entries, found, sections = _entries(source, warn)
    empty = sections.keys() - {path[0] for path, _ in entries if len(path) > 1}
    warn.tally(_EMPTY, len(empty), (f"“{each}”" for each in sections if each in empty))
    named = source.suffix == ".ini"
    rows = [[*(["".join(path[:-1])] if named else []), path[-1], value] for path, value in entries]

    def batches() -> Iterator[list[Row]]:
        return batched(rows)

    return [Table("Sheet1", ["section", "key", "value"][not named :], batches, found=found)]


def _entries(source: Path, warn: Warn) -> tuple[list[Entry], Found, dict[str, None]]:
    data = source.read_bytes()
    read = _READERS[source.suffix]
    text = encodings.read(data, warn, declared="iso-8859-1" if read is _properties and not _is_utf_8(data) else None)
    reading = _Reading()
    entries: dict[tuple[str, ...], str | None] = {}
    twice: dict[str, None] = {}
    for path, value in read(text.replace("\r\n", "\n").replace("\r", "\n"), reading):
        if path in entries:
            twice[f"“{'.'.join(path)}”"] = None
        entries[path] = value
    if not (entries or reading.sections):
        raise Unreadable("The file has no settings.", reason="empty")
    warn.tally(_TWICE, len(twice), twice)
    found = Found()
    found.put(Feature.COMMENT, reading.comments)
    return list(entries.items()), found, reading.sections


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ini(text: str, reading: _Reading) -> Iterator[Entry]:
    """Parse as Python's configparser does, but without defaults that apply to every section."""
    section: tuple[str, ...] = ()
    key: str | None = None
    values: list[str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if content.startswith(("#", ";")):
            reading.comments += 1
            continue
        if content and line[0] in " \t" and values is not None:
            values.append(content)
            continue
        if key is not None:
            yield (*section, key), None if values is None else "\n".join(values).strip()
            key = values = None
        if not content:
            continue
        if content.startswith("["):
            if not content.endswith("]"):
                raise Unreadable(
                    say("The section on line {number} is not closed with “]”.", number=number),
                    line=number,
                    reason="damaged",
                )
            section = (content[1:-1].strip(),)
            reading.sections[section[0]] = None
            continue
        at = min((place for place in (content.find("="), content.find(":")) if place >= 0), default=-1)
        if at == 0:
            raise Unreadable(
                say("Line {number} has no key before its value.", number=number), line=number, reason="damaged"
            )
        key = content if at < 0 else content[:at].rstrip()
        values = None if at < 0 else [content[at + 1 :].strip()]
    if key is not None:
        yield (*section, key), None if values is None else "\n".join(values).strip()


def _properties(text: str, reading: _Reading) -> Iterator[Entry]:
    parts: list[str] = []
    for line in text.split("\n"):
        content = line.lstrip(" \t\f")
        if not parts and (not content or content[0] in "#!"):
            reading.comments += bool(content)
            continue
        slashes = len(content) - len(content.rstrip("\\"))
        parts.append(content[:-1] if slashes % 2 else content)
        if slashes % 2:
            continue
        yield from _property("".join(parts))
        parts = []
    if parts:
        yield from _property("".join(parts))


def _property(line: str) -> Iterator[Entry]:
    match = _PROPERTY.fullmatch(line)
    if match is not None and match[0]:
        # Characters above U+FFFF are written as two escapes.
        yield (plain(_ESCAPE.sub(_unescaped, match[1])),), plain(_ESCAPE.sub(_unescaped, match[2]))


def _unescaped(match: re.Match[str]) -> str:
    found = match[1]
    if len(found) == 5:
        return chr(int(found[1:], 16))
    return _ESCAPED.get(found, found)


def _env(text: str, reading: _Reading) -> Iterator[Entry]:
    """Parse as shells and most programs do: quoted text may span lines; variables such as $NAME are not expanded."""

    def line_number() -> int:
        return text.count("\n", 0, start) + 1

    at = 0
    while at < len(text):
        start = at
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        if not line or line.startswith("#"):
            reading.comments += bool(line)
            at = end + 1
            continue
        at += len(text[at:end]) - len(text[at:end].lstrip())
        match = _VARIABLE.match(text, at, end)
        if match is None:
            raise Unreadable("A line has no variable name: write NAME=value.", line=line_number(), reason="damaged")
        at = match.end()
        if match[2] is None:
            if at != end and text[at:end].strip():
                raise Unreadable("A line has no variable name: write NAME=value.", line=line_number(), reason="damaged")
            yield (match[1],), None
            at = end + 1
        elif quoted := _QUOTED.match(text, at):
            after = _AFTER.match(text, quoted.end())
            if after is None:
                raise Unreadable("Text follows the closing quote of a value.", line=line_number(), reason="damaged")
            single, double, back = quoted.groups()
            yield (
                (match[1],),
                plain(_ESCAPE.sub(_unescaped, double)) if double is not None else single if back is None else back,
            )
            at = after.end()
        else:
            value = text[at:end]
            comment = next((place for mark in (" #", "\t#") if (place := value.find(mark)) >= 0), len(value))
            yield (match[1],), value[:comment].strip()
            at = end + 1


_READERS: dict[str, Callable[[str, _Reading], Iterator[Entry]]] = {
    ".ini": _ini,
    ".properties": _properties,
    ".env": _env,
}
