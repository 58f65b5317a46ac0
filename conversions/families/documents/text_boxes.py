"""Text boxes: the paragraphs inside them put behind the paragraph that they are anchored to, where readers see them."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.parsers import expat

from conversions.toolkit.failures import Unreadable

_PARTS = {"docx": ("word/document.xml",), "odt": ("content.xml",)}
_PARAGRAPHS = {"w:p", "text:p", "text:h"}
_BOXES = {"w:txbxContent", "draw:text-box"}
_SECOND_TIME = "mc:Fallback"


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


def release(source: Path, target: Path) -> int:
    """Write the docx or odt `source` to `target` with its text boxes' paragraphs after those that hold the boxes.

    Gives how many places that were; where it is 0 nothing is written. Raises Unreadable for XML that is malformed.
    """
    with zipfile.ZipFile(source) as parts:
        changed: dict[str, bytes] = {}
        count = 0
        for name in _PARTS[source.suffix[1:]]:
            data = parts.read(name)
            if not any(box.encode() in data for box in _BOXES):
                continue
            finder = _Finder(data)
            try:
                finder.run()
            except expat.ExpatError as error:
                raise Unreadable("The document is damaged.", line=error.lineno, column=error.offset + 1) from error
            pieces, at = [], 0
            for place, content in finder.moves:
                pieces += [data[at:place], content]
                at = place
            changed[name] = b"".join([*pieces, data[at:]])
            count += len(finder.moves)
        if count:
            with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
                for entry in parts.infolist():
                    copy.writestr(zipfile.ZipInfo(entry.filename), changed.get(entry.filename) or parts.read(entry))
    return count
