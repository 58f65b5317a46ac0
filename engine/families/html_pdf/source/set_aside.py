"""Keep long embedded files out of style sheets while these are read."""

from __future__ import annotations

import re

from engine.families.html_pdf.source.references import is_inline
from engine.families.html_pdf.source.style_addresses import URL, plain

_LONG = 2_000
_DRAWING = "data:image/svg"
_SHORT = re.compile(r"url\(\s*[\"']?data:,set-aside-(\d+)[\"']?\s*\)")


class SetAside:
    """The embedded files of a page's sheets, for which short addresses stand.

    Each pass over a sheet takes as long as its text: 2.7 MB of pictures took 27 s.
    """

    def __init__(self) -> None:
        self._files: list[str] = []

    def shortened(self, text: str) -> str:
        """A sheet with short addresses in place of its pictures and fonts; drawings, which others look at, stay."""
        return URL.sub(self._taken, text) if len(text) > _LONG and "data:" in text else text

    def whole(self, text: str) -> str:
        """A sheet with its files again."""
        return _SHORT.sub(self._given_back, text) if self._files else text

    def named(self, text: str, values: dict[str, str]) -> str:
        """A sheet with variables in place of its files, of which it may repeat many; `values` gets theirs."""

        def variable(match: re.Match[str]) -> str:
            name = f"--fc-file-{match[1]}"
            values[name] = self._given_back(match)
            return f"var({name})"

        return _SHORT.sub(variable, text) if self._files else text

    def _taken(self, match: re.Match[str]) -> str:
        if len(match[0]) < _LONG or not is_inline(address := plain(match[1])) or address[:20].startswith(_DRAWING):
            return match[0]
        self._files.append(match[0])
        return f'url("data:,set-aside-{len(self._files) - 1}")'

    def _given_back(self, match: re.Match[str]) -> str:
        at = int(match[1])
        return self._files[at] if at < len(self._files) else match[0]
