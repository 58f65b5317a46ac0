"""Write INI files, Java properties (java.util.Properties) and .env files from nested objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.families.data.table import Documents, whole
from engine.families.data.values import Value, plain, text
from engine.toolkit.failures import Unreadable
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Kind, Warn

_FLATTENED = Kind("VALUE_CONVERTED", "Nested values have the full path as their key: {count}{places}.")
_RENAMED = Kind("COLUMN_RENAMED", "Keys that the format doesn't allow were changed: {count}{places}.")
_KEY = re.compile(r"[^\w.-]|[^\x00-\x7f]")
_SLASHED = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}
_PLAIN = re.compile(r"[\w./:@%+,-]*")

Leaf = tuple[tuple[str, ...], Value]


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write an object as settings; keys nested deeper than the format allows are joined with dots.

    Raises Unreadable for any other value.
    """
    value = whole(documents)
    if not isinstance(value, dict):
        raise Unreadable("Settings must be one object, and the file has another value.", reason="format")
    renamed: dict[str, None] = {}
    leaves = list(_leaves(value, ())) if value else []
    lines = _WRITERS[target.suffix](leaves, renamed)
    content = "".join(f"{line}\n" for line in lines)
    target.write_bytes(plain(content).encode())
    deep = [".".join(path) for path, _ in leaves if len(path) > (2 if target.suffix == ".ini" else 1)]
    warn.tally(_FLATTENED, len(deep), (f"“{each}”" for each in deep))
    warn.tally(_RENAMED, len(renamed), (f"“{each}”" for each in renamed))


def _leaves(value: Value, path: tuple[str, ...]) -> Iterator[Leaf]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, str(index)))
    else:
        yield path, value


def _ini(leaves: list[Leaf], renamed: dict[str, None]) -> Iterator[str]:
    sections: dict[str, list[tuple[str, Value]]] = {"": []}
    for (first, *rest), value in leaves:
        section, key = (first, ".".join(rest)) if rest else ("", first)
        if not rest and value == {}:
            sections.setdefault(first, [])
        else:
            sections.setdefault(section, []).append((key, value))
    for section, entries in sections.items():
        if section:
            clean = re.sub(r"[\[\]\r\n]+", "_", section).strip()
            if clean != section:
                renamed[section] = None
            yield f"[{clean}]"
        for key, value in entries:
            clean = re.sub(r"[=:\r\n]+|^\s*[\[#;]", "_", key).strip() or "_"
            if clean != key:
                renamed[key] = None
            # An indented line continues the value, and an empty one would end it.
            shown = re.sub(r"(?<!\s)[^\S\r\n]*+[\r\n]\s*+", "\n\t", text(value).strip())
            yield clean if value is None else f"{clean} = {shown}".rstrip(" ")


def _properties(leaves: list[Leaf], renamed: dict[str, None]) -> Iterator[str]:
    for path, value in leaves:
        shown = "".join(map(_spelled, text(value)))
        # A leading space would be skipped as layout.
        yield f"{_KEY.sub(_slashed, '.'.join(path))}={chr(92) if shown.startswith(' ') else ''}{shown}"


def _slashed(match: re.Match[str]) -> str:
    return f"\\{match[0]}" if match[0] in "=:#! " else _spelled(match[0])


def _spelled(character: str) -> str:
    """Escape a character of a value; characters outside ASCII in a form that every version of Java reads."""
    if character in _SLASHED:
        return _SLASHED[character]
    if " " <= character <= "~":
        return character
    units = character.encode("utf-16-be", "replace")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2))


def _env(leaves: list[Leaf], renamed: dict[str, None]) -> Iterator[str]:
    taken = NumberedNames()
    for path, value in leaves:
        given = "_".join(path)
        name = taken.free(re.sub(r"^(?=\d|$)", "_", re.sub(r"[^A-Za-z0-9_]", "_", given)))
        if name != given:
            renamed[given] = None
        shown = text(value)
        if not _PLAIN.fullmatch(shown):
            shown = _quoted(shown)
        yield name if value is None else f"{name}={shown}"


def _quoted(value: str) -> str:
    """Quote a value: in single quotes, where variables and commands are not expanded, if it can be."""
    if not re.search(r"['\r\n]", value):
        return f"'{value}'"
    escaped = re.sub(r'([\\"$`])', r"\\\1", value)
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


_WRITERS: dict[str, Callable[[list[Leaf], dict[str, None]], Iterator[str]]] = {
    ".ini": _ini,
    ".properties": _properties,
    ".env": _env,
}
