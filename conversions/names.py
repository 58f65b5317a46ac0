"""File names from outside: made safe to keep and to show."""

from __future__ import annotations

import unicodedata

from conversions.formats import Format

MAX_NAME = 200
JOINERS = "\u200c\u200d"
"""Format characters that words and emoji are spelled with (Unicode 16, section 23.2)."""
_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def clean(name: str) -> str:
    """A name without folders, control and format characters (bidi marks among them) and lone surrogates.

    At most MAX_NAME characters, the extension kept. An empty name is `file`.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(each for each in last if each in JOINERS or unicodedata.category(each) not in _UNSAFE).strip()
    stem, dot, extension = visible.rpartition(".")
    if not dot:
        stem, extension = visible, ""
    if len(visible) > MAX_NAME:
        extension = extension[:20]
        stem = stem[: MAX_NAME - len(extension) - 1]
    return f"{stem or 'file'}{dot}{extension}" if dot else stem[:MAX_NAME] or "file"


def converted(name: str, format: Format) -> str:
    """The name of a result: the input's with the extension of `format`."""
    stem, dot, _ = name.rpartition(".")
    return f"{stem if dot and stem else name}.{format.extension}"
