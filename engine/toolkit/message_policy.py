"""Read the headers of messages (RFC 5322) as they are in the file."""

from __future__ import annotations

import re
from email import policy

_WITH_PARAMETERS = ("content-type", "content-disposition")
_IN_PIECES, _IN_ONE = re.compile(r"\*\d"), re.compile(r"(;\s*[^\s;=*\"]{1,60})\*\s*(?==|;|$)")
"""Parameters as `a*0=` and as `a*=` (RFC 2231, sections 3 and 4)."""


class Raw(policy.Compat32):
    """A policy that keeps headers as in the file, with surrogates for bytes above 127."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """Return the value in one line as parsed; the base class would replace bytes above 127 by U+FFFD.

        A parameter in one piece beside others of its name in pieces counts as their first: Python can't sort both.
        """
        line = value.replace("\r", "").replace("\n", "")
        if name.lower() in _WITH_PARAMETERS and _IN_PIECES.search(line):
            line = _IN_ONE.sub(r"\1*0*", line)
        return line


RAW = Raw()
