"""Tabs and line breaks in ods cells, which the reading library drops."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

_CONTENT = "content.xml"
_NEEDED = ("mimetype", "META-INF/manifest.xml", _CONTENT)
# OpenDocument 1.3, part 3, sections 6.1.4 and 6.1.5.
_BREAK = re.compile(rb"<text:(tab|line-break)(?:\s[^<>]*?)?(?:/>|>\s*</text:\1\s*>)")
_MEANT = {b"tab": b"\t", b"line-break": b"\n"}


def present(content: bytes) -> bool:
    """Whether any cell contains a tab or line break."""
    return b"<text:tab" in content or b"<text:line-break" in content


def written_out(source: Path) -> Path:
    """A copy of the workbook with only its sheets, and tab and line break elements as characters."""
    copy = source.with_name(f"breaks{source.suffix}")
    with zipfile.ZipFile(source) as book, zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as target:
        for name in _NEEDED:
            if name in book.namelist():
                data = book.read(name)
                target.writestr(name, _BREAK.sub(_character, data) if name == _CONTENT else data)
    return copy


def _character(match: re.Match[bytes]) -> bytes:
    return _MEANT[match[1]]
