"""The addresses in style sheets."""

from __future__ import annotations

import re

_QUOTED = r'"(?:[^"\\]|\\.)*+"|\'(?:[^\'\\]|\\.)*+\''
FACE = re.compile(r"@font-face\s*\{(?:[^{}\"']|\"[^\"]*\"|'[^']*')*+\}", re.IGNORECASE)
"""A rule of a font."""
URL = re.compile(rf"url\(\s*+({_QUOTED}|(?:[^()\"'\s\\]|\\.)*+)\s*+\)", re.IGNORECASE | re.DOTALL)
"""An address in a declaration; group 1 is what `plain` takes."""
IMPORT = re.compile(
    rf"@import\s++(?:url\()?+\s*+({_QUOTED}|[^\s;)]++)\s*+\)?+([^;{{}}]{{0,500}}+);", re.IGNORECASE | re.DOTALL
)
"""The import of a sheet: group 1 is its address as in `url()`, group 2 its conditions."""
_TO_END = r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)|\'(?:[^\'\\]|\\(?:.|\Z))*+(?:\'|\Z)'
COMMENT = re.compile(rf"({_TO_END}|url\([^()\"']*+\))|/\*.*?(?:\*/|\Z)", re.IGNORECASE | re.DOTALL)
"""A comment; group 1 is set for what only looks like one."""
_ESCAPED = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)


def plain(url: str) -> str:
    """The address in `url()`, without quotes and escapes."""
    inner = url[1:-1] if url[:1] in ("'", '"') else url
    if "\\" not in inner:
        return inner
    return _ESCAPED.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2], inner)
