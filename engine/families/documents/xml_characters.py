"""Remove the characters that XML can't hold from what pandoc writes as XML."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from engine.toolkit.formats import DOCBOOK, DOCX, EPUB, FB2, ODT, OPML, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_FORBIDDEN = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Characters excluded by XML 1.0, 2.2, in UTF-8. Pandoc writes those that references or RTF name as they are."""
_PACKAGES, _PLAIN = frozenset({DOCX, EPUB, ODT}), frozenset({DOCBOOK, FB2, OPML})
_PARTS = (".xml", ".xhtml", ".rels", ".opf", ".ncx")
_ABOUT = re.compile(r".*\.(?:opf|ncx|rels)|.*nav\.xhtml|docProps/.*|meta\.xml")
"""Parts that repeat titles and links of the text."""


def remove(path: Path, output: Format, warn: Warn) -> None:
    """Remove them from a finished file in place, and report how many were in its text."""
    dropped = 0
    if output in _PLAIN:
        data, dropped = _FORBIDDEN.subn(b"", path.read_bytes())
        if dropped:
            path.write_bytes(data)
    elif output in _PACKAGES:
        dropped = _remove_from_parts(path)
    if dropped:
        warn("CONTENT_DROPPED", say("{dropped} control characters were left out.", dropped=dropped), drawn=True)


def _remove_from_parts(path: Path) -> int:
    with zipfile.ZipFile(path) as file:
        names = [each for each in file.namelist() if each.endswith(_PARTS)]
        cleaned = {name: _FORBIDDEN.subn(b"", file.read(name)) for name in names}
        if not any(count for _, count in cleaned.values()):
            return 0
        parts = [(each, cleaned[each.filename][0] if each.filename in cleaned else file.read(each))
                 for each in file.infolist()]  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, data in parts:
            file.writestr(entry, data)
    return sum(count for name, (_, count) in cleaned.items() if not _ABOUT.fullmatch(name))
