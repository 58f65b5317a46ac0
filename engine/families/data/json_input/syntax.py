"""Scan JSON syntax (RFC 8259) on bytes: white space, the ends of values, and texts."""

from __future__ import annotations

import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # undocumented, but stable

from engine.toolkit.json_values import scanner

_SPACE = re.compile(r"[ \t\n\r]*")

# Numbers are kept as text: converting a million digits to int would be slow, or fail.
_scan = scanner(parse_float=str, parse_int=str, object_pairs_hook=len)


def skip_space(text: str, position: int) -> int:
    """Return the first position from `position` on that is not white space, at most the text's length."""
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]  # it matches the empty text


def skip_value(text: str, position: int) -> int:
    """Return the end of the JSON value that begins at `position`. Raises Fault if it is invalid."""
    return _scan(text, position)[1]


def real_text(token: str) -> str:
    """Decode a JSON string in byte text to characters."""
    if not token.isascii():
        token = token.encode("latin-1").decode()
    return scanstring(token, 1)[0] if "\\" in token else token[1:-1]
