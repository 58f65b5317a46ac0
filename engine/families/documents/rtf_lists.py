"""Mark the labels of list items in RTF: pandoc counts each piece of a list anew, and drops labels of older lists."""

from __future__ import annotations

import re

_LABEL = re.compile(rb"\{\s*(?:\\\*\s*)?\\listtext(?![a-zA-Z])(?:[^{}\\]|\\[^\r\n]|\{[^{}]*\})*+\}")
_TO_TEXT = re.compile(
    rb"(?:[\s}]|\{\s*\\\*\s*\\pn(?![a-z])(?:[^{}]|\{[^{}]*\})*+\}"
    rb"|\{(?!\s*\\(?:\*|field|pict|shp|object|nonshppict|footnote))"
    rb"|\\(?!par(?![a-z])|cell|row|line|tab|page|sect|u-?\d|bullet|[lr]d?b?l?quote|e[nm]dash|field|pict|shp|object)"
    rb"[a-zA-Z]+-?\d* ?)*+"
)
"""What comes between a label and the text of its item. pandoc needs it, as it tells which list the item is of."""
_CONTROL = re.compile(rb"\\'[0-9a-fA-F]{2}|\\[a-zA-Z]+-?\d* ?|\\.|[{}\s]", re.DOTALL)
_NUMBER = re.compile(rb"\(?\d{1,6}[.)]?")
_NEWER = re.compile(rb"\\ls\d")
_MARK = "\uf8f0".encode()
"""As in `pandoc.lua`."""


def marked(data: bytes) -> bytes:
    """The same file, in UTF-8, with each label that is only a number between marks at the start of its text.

    Where all lists are of the older kind, it has a bullet for each label that is a sign.
    """
    if b"\\listtext" not in data:
        return data
    is_old = _NEWER.search(data) is None
    pieces: list[bytes] = []
    at = 0
    for match in _LABEL.finditer(data):
        label = _CONTROL.sub(b"", match[0])
        if not _NUMBER.fullmatch(label):
            if not is_old or not label:
                continue
            label = label if label.isalnum() else "•".encode()
        text = _TO_TEXT.match(data, match.end())
        begins = text.end() if text else match.end()
        pieces += data[at:begins], b" " if data[begins - 1 : begins].isalnum() else b"", _MARK, label, _MARK
        at = begins
    return b"".join((*pieces, data[at:]))
