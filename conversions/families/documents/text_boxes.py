"""Office texts before pandoc reads them: text boxes behind their paragraphs, rows with all their cells."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.parsers import expat

from conversions.toolkit.failures import Unreadable

_PARAGRAPHS = {"w:p", "text:p", "text:h"}
_BOXES = {"w:txbxContent", "draw:text-box"}
_SECOND_TIME = "mc:Fallback"
_ROW = re.compile(rb"<w:trPr[ >].*?</w:trPr>", re.DOTALL)
_SKIPPED = re.compile(rb'<w:gridBefore\b[^>]*?w:val="([1-9]\d?)"')
_BLANK = b'<w:tc><w:tcPr><w:gridSpan w:val="%s"/></w:tcPr><w:p/></w:tc>'


class _Finder:
    """Byte offsets of what stands in text boxes, and of the end of the outermost paragraph around each."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._paragraphs = 0
        self._boxes = 0
        self._hidden = 0
        self._pictures = 0
        self._start = 0
        self._found: list[bytes] = []
        self.moves: list[tuple[int, bytes]] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close
        self._parser.StartDoctypeDeclHandler = self._refuse

    def run(self) -> None:
        self._parser.Parse(self._data, True)

    def _refuse(self, *_: object) -> None:
        raise Unreadable("The document is damaged: it holds a document type.")

    def _open(self, name: str, _: object) -> None:
        if name in _BOXES:
            if not self._boxes:
                self._start = self._data.index(b">", self._parser.CurrentByteIndex) + 1
                self._pictures = 0
            self._boxes += 1
        elif name in _PARAGRAPHS and not self._boxes:
            self._paragraphs += 1
        elif name == _SECOND_TIME:
            self._hidden += 1
        elif name == "draw:image":
            self._pictures += 1

    def _close(self, name: str) -> None:
        at = self._parser.CurrentByteIndex
        if name in _BOXES:
            self._boxes -= 1
            # A picture's frame with its caption is understood as it is.
            if not self._boxes and not self._hidden and not self._pictures and self._paragraphs and at > self._start:
                self._found.append(self._data[self._start : at])
        elif name in _PARAGRAPHS and not self._boxes:
            self._paragraphs -= 1
            if not self._paragraphs and self._found:
                self.moves.append((self._data.index(b">", at) + 1, b"".join(self._found)))
                self._found = []
        elif name == _SECOND_TIME:
            self._hidden -= 1


def release(source: Path, target: Path, part: str) -> int | None:
    """Write the docx or odt `source` to `target` as pandoc reads it without loss; `part` is the one with the text.

    The paragraphs of text boxes stand after those that hold the boxes, and rows that begin beside the first column of
    their table have an empty cell there. Gives in how many places there were boxes, None where all is as it should be
    and nothing is written. Raises Unreadable for XML that is malformed.
    """
    with zipfile.ZipFile(source) as parts:
        data = parts.read(part)
        changed = _whole_rows(data)
        count = 0
        if any(box.encode() in changed for box in _BOXES):
            finder = _Finder(changed)
            try:
                finder.run()
            except expat.ExpatError as error:
                raise Unreadable("The document is damaged.", line=error.lineno, column=error.offset + 1) from error
            pieces, at = [], 0
            for place, content in finder.moves:
                pieces += [changed[at:place], content]
                at = place
            changed = b"".join([*pieces, changed[at:]])
            count = len(finder.moves)
        if changed is data:
            return None
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
            for entry in parts.infolist():
                content = changed if entry.filename == part else parts.read(entry)
                copy.writestr(zipfile.ZipInfo(entry.filename), content)
    return count


def _whole_rows(data: bytes) -> bytes:
    """The same text with an empty cell for the columns that a row leaves out (ECMA-376, part 1, 17.4.15)."""
    if b"<w:gridBefore" not in data:
        return data

    def filled(row: re.Match[bytes]) -> bytes:
        skipped = _SKIPPED.search(row[0])
        return row[0] + _BLANK % skipped[1] if skipped else row[0]

    return _ROW.sub(filled, data)
