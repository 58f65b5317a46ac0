"""Count the objects, such as workbooks, that are embedded in an office file, besides charts and formulas."""

from __future__ import annotations

import re

from engine.toolkit.warnings import Kind

PREVIEWED = Kind(
    "CONTENT_DROPPED", "Embedded objects became their preview pictures, if they have any: {count}{places}.", drawn=True
)
MANIFEST = "META-INF/manifest.xml"
_RELATIONS = re.compile(r"(?:word|ppt/slides|xl/worksheets)/_rels/[^/]+\.rels")
"""The relationships of what is shown; those of charts lead to workbooks with their data."""
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^<>]*>")
_EMBEDDED = re.compile(rb"""\bType\s*=\s*["'][^"']*/relationships/(?:oleObject|package)["']""")
_LINKED = re.compile(rb"""\bTargetMode\s*=\s*["']External["']""")
_ENTRY = re.compile(rb"<manifest:file-entry\b[^<>]*>")
_OBJECT = re.compile(
    rb'manifest:media-type="application/(?:vnd\.sun\.star\.oleobject|vnd\.oasis\.opendocument\.'
    rb'(?:spreadsheet|text|presentation|graphics))"'
)
_WHOLE = re.compile(rb'manifest:full-path="/"')


def in_part(name: str, data: bytes) -> int:
    """The number of objects that a part of an Office Open XML or OpenDocument file declares."""
    if _RELATIONS.fullmatch(name):
        found = _RELATION.findall(data)
        return sum(bool(_EMBEDDED.search(each)) and not _LINKED.search(each) for each in found)
    if name == MANIFEST:
        found = _ENTRY.findall(data)
        return sum(bool(_OBJECT.search(each)) and not _WHOLE.search(each) for each in found)
    return 0
