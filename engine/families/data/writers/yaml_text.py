"""Write documents as block-style YAML for YAML 1.1 and 1.2 parsers, and reformat YAML.

libyaml's own writer escapes every character beyond U+FFFF, emoji among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from engine.families.data.features import Feature
from engine.families.data.readers.yaml_events import Comments, events
from engine.families.data.table import Documents
from engine.families.data.values import NotFinite, Number, Value, text
from engine.toolkit import encodings
from engine.toolkit.warnings import Warn

_PRINTABLE = "\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_PLAIN = re.compile(r"(?!\.\.\.)[\w/.(+](?:(?!: | #).)*(?<![\s:])")
_QUOTABLE = re.compile(rf"[{_PRINTABLE}]*")
_BLOCK = re.compile(rf"(?!\s)(?:[{_PRINTABLE}\t]*(?<! )(?<!\t)\n)+(?:[{_PRINTABLE}\t]*(?<! )(?<!\t))?")
_UNPRINTABLE = re.compile(rf"[^{_PRINTABLE}]")
_STARTS_VALUE = re.compile(r"[-+.0-9~nNtTfFyYoO=<]")
# Plain scalars that a reader of YAML 1.1 or 1.2 would not resolve to text.
_AMBIGUOUS = re.compile(
    r"~|null|true|false|yes|no|on|off|y|n|=|<<|"
    r"[-+]?[0-9][0-9_,:.]*(?:e[-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:e[-+]?[0-9]+)?|[-+]?0[obx][0-9a-f_]+|"
    r"[-+]?\.inf|\.nan|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE,
)
_NOT_FINITE = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}
_LONGEST_KEY = 500
"""Beyond 1,024 characters a key must be announced (YAML 1.2.2, section 7.4.3), escapes counted."""


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write one YAML document; texts that would resolve to another type are quoted."""
    writer = _Writer(options.indent)
    with target.open("w", encoding="utf-8", newline="\n") as file:
        empty = True
        for batch in documents.batches():
            for value in batch:
                empty = False
                file.write("- " + writer.compact(value, "  ") if documents.many else writer.compact(value, ""))
        if empty:
            file.write("[]\n")


class _Writer:
    """Makes the lines of values; `pad` is the white space before the lines of the value at hand."""

    def __init__(self, indent: int) -> None:
        self.indent = " " * indent

    def compact(self, value: Value, pad: str) -> str:
        """The value after `- `, whose first line needs no white space any more."""
        if isinstance(value, dict | list) and value:
            return self._block(value, pad)[len(pad) :]
        return self._scalar(value, pad)

    def _block(self, value: Value, pad: str) -> str:
        if isinstance(value, list):
            return "".join([f"{pad}- {self.compact(each, pad + '  ')}" for each in value])
        return "".join([f"{pad}{_key(key, pad)}:{self._after(each, pad)}" for key, each in value.items()])

    def _after(self, value: Value, pad: str) -> str:
        if isinstance(value, dict | list) and value:
            return "\n" + self._block(value, pad + self.indent)
        return " " + self._scalar(value, pad + self.indent)

    def _scalar(self, value: Value, pad: str) -> str:
        if value is None:
            return "null\n"
        if not isinstance(value, str):
            return text(value) + "\n"
        if isinstance(value, NotFinite):
            return _NOT_FINITE[value] + "\n"
        if isinstance(value, Number):
            return value + "\n"
        if "\n" in value and _BLOCK.fullmatch(value):
            body = value.rstrip("\n")
            chomp = "-" if body == value else "" if len(value) == len(body) + 1 else "+"
            lines = "".join([(pad or "  ") + line + "\n" if line else "\n" for line in body.split("\n")])
            return f"|{chomp}\n{lines}{value[len(body) + 1 :]}"
        return string(value) + "\n"


def _key(key: str, pad: str) -> str:
    quoted = string(key)
    return quoted if len(key) < _LONGEST_KEY and len(quoted) < 1000 else f"? {quoted}\n{pad}"


def string(value: str) -> str:
    """A text as a scalar on one line: plain, in single quotes, or in double quotes with escapes."""
    if _QUOTABLE.fullmatch(value):
        if _PLAIN.fullmatch(value) and not (_STARTS_VALUE.match(value) and _AMBIGUOUS.fullmatch(value)):
            return value
        return "'" + value.replace("'", "''") + "'"
    # JSON strings are valid YAML; characters that YAML does not print need an escape.
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", msgspec.json.encode(value).decode())


def reformat(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the same YAML documents with even indentation: keys, anchors, tags and quotes stay, comments don't."""
    content = encodings.decode(source.read_bytes())
    comments = Comments(content)

    def stream() -> Iterator[Any]:
        empty = True
        for event in events(content):
            if type(event) is yaml.ScalarEvent:
                comments.cover(event)
            elif type(event) is yaml.DocumentStartEvent:
                empty = False
            elif type(event) is yaml.StreamEndEvent and empty:  # a file of comments is null
                yield from list(yaml.parse("null", Loader=yaml.CSafeLoader))[1:-1]
            yield event

    wide = any(character > "\uffff" for character in set(content))
    with target.open("w", encoding="utf-8", newline="\n") as file:
        yaml.emit(
            stream(),
            file,
            Dumper=yaml.SafeDumper if wide else yaml.CSafeDumper,
            indent=options.indent,
            width=2**31 - 1,
            allow_unicode=True,
        )
    warn.tally(Feature.COMMENT.value, comments.count())
