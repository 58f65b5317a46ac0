"""Prove that a decoder used all of a piece: duplicate keys leave bytes unaccounted for.

Decoders silently keep the last of two equal keys. The bytes of all that was decoded are therefore summed, each key in
its shortest spelling. Any rest in the piece other than white space was overwritten, or is due to escapes in keys. Where
there is white space, quotes are counted instead: an overwritten member leaves those around its key.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.toolkit.json_values import is_deep_text

_SPACE = b" \t\r\n"


class Tally:
    """Sums the bytes of one piece: `structure` is brackets, commas, braces and keys; values are added separately.

    `spelled` maps keys that have escapes to their spelling. `members` is the number of keys, or None where it is not
    counted or a key contains quotes; `quotes` is the number of quotes in the piece, if known.
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
        """Add `count` occurrences of a key of `size` bytes with quotes and colon, or in the spelling in `spelled`."""
        spelling = self.spelled.get(key)
        if spelling is not None:
            size = len(spelling) + 1
            self._found[spelling] = self._found.get(spelling, 0) + count
        self.structure += size * count
        if self.members is not None:
            self.members = None if '"' in key else self.members + count

    def values(self, joined: bytes, count: int) -> None:
        """Add `count` values in source form, joined with line feeds."""
        self._values.append(joined)
        self._joints += count - 1

    def accounts_for(self, data: bytes) -> bool:
        """Return whether the sums account for all of `data`, and no value is nested too deep."""
        values = self._values
        if any(map(is_deep_text, values)):
            return False
        if self.structure + sum(map(len, values)) - self._joints != len(data):
            if self.members is not None:
                quotes = data.count(b'"') if self.quotes is None else self.quotes
                return quotes == 2 * self.members + sum(each.count(b'"') for each in values)
            left = len(data.translate(None, _SPACE)) - self.structure
            if left != sum(len(each.translate(None, _SPACE)) for each in values):
                return False
        # A key that is not in its shortest spelling could hide the bytes of an overwritten one: count its spelling too.
        for spelling, count in self._found.items():
            written = spelling.encode("latin-1")
            if data.count(written) - sum(each.count(written) for each in values) != count:
                return False
        return True
