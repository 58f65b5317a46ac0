"""Move the paragraphs of text boxes and diagrams after the paragraph that contains them."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from engine.toolkit.failures import Unreadable

_PARAGRAPHS = {"w:p", "text:p", "text:h"}
_BOXES = {"w:txbxContent", "draw:text-box"}
_DIAGRAM = "dgm:relIds"
_SECOND_TIME = "mc:Fallback"
_DRAWINGS = {"mc:AlternateContent", "w:drawing", "w:pict"}
_PICTURES = {"pic:pic", "v:imagedata"}


DiagramParagraphs = Callable[[str], bytes]
"""The paragraphs of a diagram by the id of the relationship to its data."""


def with_boxes_moved(data: bytes, diagram: DiagramParagraphs) -> tuple[bytes, int]:
    """A part with text box paragraphs moved after those around them, and the number of boxes.

    Raises Unreadable for malformed XML.
    """
    if not any(box.encode() in data for box in (*_BOXES, _DIAGRAM)):
        return data, 0
    finder = _Finder(data, diagram)
    try:
        finder.run()
    except expat.ExpatError as error:
        raise Unreadable(
            "The document is damaged.", line=error.lineno, column=error.offset + 1, reason="damaged"
        ) from error
    changes = [(place, place, content) for place, content in finder.moves]
    changes += [(start, end, b"") for start, end in finder.emptied]
    pieces, at = [], 0
    for start, end, content in sorted(changes):
        pieces += [data[at:start], content]
        at = end
    return b"".join([*pieces, data[at:]]), finder.boxes


class _Finder:
    """Byte offsets of text box content, and of the end of the outermost paragraph around each."""

    def __init__(self, data: bytes, diagram: DiagramParagraphs) -> None:
        self._data = data
        self._diagram = diagram
        self._paragraphs = 0
        self._boxes = 0
        self._hidden = 0
        self._pictures = 0
        self._start = 0
        self._found: list[bytes] = []
        self.moves: list[tuple[int, bytes]] = []
        self.emptied: list[tuple[int, int]] = []
        """The drawings of text boxes, which pandoc would read in place of the paragraphs around them."""
        self._drawings: list[int] = []
        self._boxed = self._pictured = False
        self._boxed_here = 0
        self.boxes = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close
        self._parser.StartDoctypeDeclHandler = self._refuse

    def run(self) -> None:
        self._parser.Parse(self._data, True)

    def _refuse(self, *_: object) -> None:
        raise Unreadable("The document is damaged: it contains a document type declaration.", reason="damaged")

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        if name in _BOXES:
            if not self._boxes:
                self._start = self._data.index(b">", self._parser.CurrentByteIndex) + 1
                self._pictures = 0
            self._boxes += 1
        elif name in _PARAGRAPHS and not self._boxes:
            self._paragraphs += 1
        if name == _SECOND_TIME:
            self._hidden += 1
        elif name in _DRAWINGS:
            if not self._drawings:
                self._boxed = self._pictured = False
            self._drawings.append(self._parser.CurrentByteIndex)
        elif name == "draw:image":
            self._pictures += 1
        elif name == _DIAGRAM and not self._hidden and self._paragraphs:
            self._found.append(self._diagram(attributes.get("r:dm") or ""))
        self._pictured = self._pictured or name in _PICTURES

    def _close(self, name: str) -> None:
        at = self._parser.CurrentByteIndex
        if name in _BOXES:
            self._boxes -= 1
            # A picture frame with its caption is read correctly as it is.
            if not self._boxes and not self._hidden and not self._pictures and self._paragraphs and at > self._start:
                self._found.append(self._data[self._start : at])
                self._boxed = True
                self._boxed_here += 1
        elif name in _PARAGRAPHS and not self._boxes:
            self._paragraphs -= 1
            if not self._paragraphs and self._found:
                self.moves.append((self._data.index(b">", at) + 1, b"".join(self._found)))
                self.boxes += self._boxed_here
                self._found, self._boxed_here = [], 0
        if name == _SECOND_TIME:
            self._hidden -= 1
        elif name in _DRAWINGS:
            start = self._drawings.pop()
            if not self._drawings and self._boxed and not self._pictured and self._paragraphs:
                self.emptied.append((start, self._data.index(b">", at) + 1))
