"""`data:` URIs (RFC 2397), and how often a page shows the same one."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MOST_REPEATED = 60_000_000
"""The characters of a page's files beyond the first time that each is shown: 145 million took 8 s as HTML."""


def data_uri(kind: str, data: bytes) -> str:
    """A `data:` URI with a media type such as image/png."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@dataclass
class Repetitions:
    """Counts the files of one page each time they are shown, because each copy has the whole file in it."""

    _known: set[str] = field(default_factory=set)
    _left: int = MOST_REPEATED

    def shown(self, name: str, uri: str) -> str:
        """The URI of the file with this name. Raises OverLimit for a page that shows files again too often."""
        if name in self._known:
            self._left -= len(uri)
        self._known.add(name)
        if self._left < 0:
            raise OverLimit(
                "memory",
                say(
                    "The page and its files are larger than {max_embedded} MB. Use smaller pictures.",
                    max_embedded=MOST_REPEATED // 1_000_000,
                ),
            )
        return uri
