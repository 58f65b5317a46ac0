"""Mark in content streams which element each text and picture belongs to (ISO 32000-1, 14.6 and 14.8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.families.html_pdf.tagged.content import Act, Unfamiliar
from engine.families.html_pdf.tagged.drawn import Run, Stream
from engine.families.html_pdf.tagged.nodes import Node

_ARTIFACT = b"/Artifact BMC\n"
_END = b"EMC\n"


@dataclass(frozen=True, eq=False)
class Place:
    """Where runs are in the tree: the element they are in, and what is before them in it."""

    node: Node
    before: Run | None


@dataclass(eq=False)
class Marked:
    """A marked sequence: its element, its number in its stream, and its runs."""

    node: Node
    number: int
    stream: Stream
    first: Run
    last: Run
    runs: list[Run] = field(default_factory=list)


def places(root: Node) -> dict[Run, Place]:
    """The place of each run in a tree."""
    found: dict[Run, Place] = {}
    for node in root.within():
        before: Run | None = None
        for each in node.kids:
            if isinstance(each, Run):
                found[each] = Place(node, before)
                before = each
            else:
                before = None
    return found


def mark(stream: Stream, found: Mapping[Run, Place]) -> list[tuple[Stream, list[Marked]]]:
    """Write the marks into a stream and the groups in it, and return the sequences of each; all else is an artifact."""
    return _Marker(stream, found).marked()


class _Marker:
    def __init__(self, stream: Stream, found: Mapping[Run, Place]) -> None:
        self._stream, self._found = stream, found
        self._out: list[bytes] = []
        self._at = 0
        self._open: Marked | bool = False
        """The open sequence; True within an artifact."""
        self._marked: list[Marked] = []
        self._inner: list[tuple[Stream, list[Marked]]] = []

    def marked(self) -> list[tuple[Stream, list[Marked]]]:
        stream = self._stream
        for at, act in enumerate(stream.acts):
            runs = stream.runs[at]
            if act.kind in ("BT", "ET", "q", "Q"):
                self._close(act.start)
            elif at in stream.inner:
                self._group(act, stream.inner[at])
            elif len(runs) > 1:
                self._split(act, runs)
            elif runs:
                self._begin(runs[0], act.start)
        if stream.object is None:
            return []
        self._close(len(stream.data))
        self._copy(len(stream.data))
        stream.object.write(b"".join(self._out))
        return [(stream, self._marked), *self._inner]

    def _copy(self, end: int) -> None:
        self._out.append(self._stream.data[self._at : end])
        self._at = end

    def _close(self, at: int) -> None:
        if self._open:
            self._copy(at)
            self._out.append(b"\n" + _END)
            self._open = False

    def _begin(self, run: Run, at: int) -> None:
        """Be in the sequence of a run from a place in the stream."""
        place = self._found.get(run)
        if place is None:
            if self._open is not True:
                self._close(at)
                self._copy(at)
                self._out.append(_ARTIFACT)
                self._open = True
            return
        own = self._open
        if isinstance(own, Marked) and own.node is place.node and self._continues(own, run, place):
            own.last = run
            own.runs.append(run)
            return
        self._close(at)
        self._copy(at)
        made = Marked(place.node, len(self._marked), self._stream, run, run, [run])
        self._marked.append(made)
        said = b"/ActualText <%s>" % _coded(run.read) if run.read else b""
        self._out.append(b"/%s <</MCID %d%s>> BDC\n" % (place.node.role.encode(), made.number, said))
        self._open = made

    def _continues(self, own: Marked, run: Run, place: Place) -> bool:
        if own.node.role == "Figure":
            return True
        if own.last.read or run.read:
            return False  # each has its own text as it is read
        return place.before is own.last

    def _split(self, act: Act, runs: list[Run]) -> None:
        """Divide the text of an instruction among its runs."""
        ahead = list(act.parts)
        for number, run in enumerate(runs):
            self._begin(run, act.start if number == 0 else self._at)
            if number == 0:
                self._copy(act.start)
                self._at = act.end
            last = number == len(runs) - 1
            self._out.append(_shown(_taken(ahead, len(act.text) if last else run.size)))

    def _group(self, act: Act, inner: Stream) -> None:
        if not any(run in self._found for run in inner.every()):
            self._begin(Run(None, inner.page), act.start)
            return
        if any(each.object.objgen == inner.object.objgen for each, _ in self._inner):
            raise Unfamiliar(act.name.encode())  # what is drawn twice can't be in two places of the tree
        self._close(act.start)
        self._inner += _Marker(inner, self._found).marked()


def _taken(ahead: list[bytes | float], size: int) -> list[bytes | float]:
    """The first strings and moves of a text, up to a number of bytes."""
    taken: list[bytes | float] = []
    while ahead and (size > 0 or not isinstance(ahead[0], bytes)):
        part = ahead.pop(0)
        if isinstance(part, bytes) and len(part) > size:
            ahead.insert(0, part[size:])
            part = part[:size]
        if isinstance(part, bytes):
            size -= len(part)
        taken.append(part)
    return taken


def _shown(parts: list[bytes | float]) -> bytes:
    inside = b"".join(b"<%s>" % each.hex().encode() if isinstance(each, bytes) else b"%.6f " % each for each in parts)
    return b"[" + inside + b"]TJ\n"


def _coded(text: str) -> bytes:
    return (b"\xfe\xff" + text.encode("utf-16-be")).hex().encode()
