"""Read how several files are packed as one stream: a folder of a 7z archive (7zFormat.txt of 7-Zip)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.families.archives.damage import damaged
from engine.families.archives.seven_zip import coders
from engine.families.archives.seven_zip.fields import Fields
from engine.families.archives.seven_zip.locks import AES, Lock

_MAX_CODERS = 32


@dataclass
class Folder:
    """Coders by number, each an id, its properties, and the numbers of its inputs.

    An input is the output of the coder that `pairs` has for it, or a stream of the file: those are in `packed`, in the
    order of their streams.
    """

    coders: list[tuple[bytes, bytes, range]]
    pairs: dict[int, int]
    packed: list[int]
    main: int
    sizes: list[int]
    crc: int | None = None
    files: int = 1

    @property
    def size(self) -> int:
        return self.sizes[self.main]

    @property
    def locked(self) -> bool:
        return any(name == AES for name, _, _ in self.coders)

    def opened(self, streams: list[Iterator[bytes]], lock: Lock) -> Iterator[bytes]:
        """The unpacked bytes of the streams of the file."""
        return self._output(self.main, dict(zip(self.packed, streams, strict=True)), lock)

    def _output(self, number: int, streams: dict[int, Iterator[bytes]], lock: Lock) -> Iterator[bytes]:
        name, properties, inputs = self.coders[number]
        given = [
            self._output(self.pairs[each], streams, lock) if each in self.pairs else streams[each] for each in inputs
        ]
        if name == AES:
            return lock.opened(given[0], properties, self.sizes[number])
        return coders.decoded(given, name, properties, self.sizes[number])


def folder(fields: Fields) -> Folder:
    """Read a folder, without its sizes. Raises Unreadable for a damaged one, and for coders that are not read."""
    count, inputs = fields.number(), 0
    if not 0 < count <= _MAX_CODERS:
        raise damaged()
    found = []
    for _ in range(count):
        flags = fields.byte()
        name = fields.take(flags & 15)
        number, outputs = (fields.number(), fields.number()) if flags & 16 else (1, 1)
        if outputs != 1 or number != coders.inputs(name):
            raise coders.unread()
        found.append((name, fields.take(fields.number()) if flags & 32 else b"", range(inputs, inputs + number)))
        inputs += number
    pairs = {fields.number(): fields.number() for _ in range(count - 1)}
    free = [each for each in range(inputs) if each not in pairs]
    packed = free if len(free) == 1 else [fields.number() for _ in range(inputs - count + 1)]
    ends = [each for each in range(count) if each not in pairs.values()]
    if sorted(packed) != free or len(ends) != 1:
        raise damaged()
    whole = Folder(found, pairs, packed, ends[0], [0] * count)
    if len(set(_reached(whole))) != count:
        raise damaged()
    return whole


def _reached(folder: Folder) -> list[int]:
    """The coders that lead to the output."""
    reached = [folder.main]
    for each in reached:
        reached += [folder.pairs[number] for number in folder.coders[each][2] if number in folder.pairs]
    return reached
