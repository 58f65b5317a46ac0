"""Proof that a decoder saw all of a piece: a key that occurs twice in one object leaves bytes that nobody accounts for.

Decoders keep the last of two equal keys in silence. So the bytes of all that was decoded are added up, each key in its
shortest spelling: what is left over in the piece, white space apart, was overwritten, or was spelled with escapes.
Where there is white space, quotes are added up instead: an overwritten member leaves those around its key.
"""

from __future__ import annotations

from collections.abc import Mapping

_SPACE = b" \t\r\n"


class Tally:
    """Adds up one piece; `structure` is its brackets, commas, braces and keys, values are counted apart.

    `spelled` has the keys that are written with escapes, and how. `members` is how many keys there are, or None where
    that is not counted, or one has quotes inside; `quotes` is how many are in the piece, where that is known.
    """

    def __init__(self, spelled: Mapping[str, str]) -> None:
        self.spelled = spelled
        self._found: dict[str, int] = {}
        self._values: list[bytes] = []
        self._joints = 0
        self.structure = 0
        self.members: int | None = 0
        self.quotes: int | None = None

    def key(self, key: str, size: int, count: int) -> None:
        """`count` times a key of `size` bytes with quotes and colon, unless `spelled` has it as it is written."""
        spelling = self.spelled.get(key)
        if spelling is not None:
            size = len(spelling) + 1
            self._found[spelling] = self._found.get(spelling, 0) + count
        self.structure += size * count
        if self.members is not None:
            self.members = None if '"' in key else self.members + count

    def values(self, joined: bytes, count: int) -> None:
        """`count` values, as they are written, with a line feed between each two."""
        self._values.append(joined)
        self._joints += count - 1

    def accounts_for(self, data: bytes) -> bool:
        """Whether what was counted is all there is in `data`."""
        values = self._values
        if self.structure + sum(map(len, values)) - self._joints != len(data):
            if self.members is not None:
                quotes = data.count(b'"') if self.quotes is None else self.quotes
                return quotes == 2 * self.members + sum(each.count(b'"') for each in values)
            left = len(data.translate(None, _SPACE)) - self.structure
            if left != sum(len(each.translate(None, _SPACE)) for each in values):
                return False
        # A key that is not in its shortest spelling could make room for one that is overwritten: count it in the text.
        for spelling, count in self._found.items():
            written = spelling.encode("latin-1")
            if data.count(written) - sum(each.count(written) for each in values) != count:
                return False
        return True
