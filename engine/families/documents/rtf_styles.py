"""Put the entries of an RTF style sheet in the form that pandoc reads: control words, the name, a semicolon."""

from __future__ import annotations

import re

_SHEET = re.compile(rb"\{\s*\\stylesheet\b")
_TOKEN = re.compile(rb"([{}])|(\\[a-zA-Z]+-?\d* ?|\\'[0-9a-fA-F]{2}|\\[^a-zA-Z'])|([^\\{}]+)|.", re.DOTALL)


def tidied(data: bytes) -> bytes:
    """Return the document with plain entries of styles: pandoc writes their other text into each paragraph.

    Entries of styles of characters and tables are left out: pandoc gives their formatting to paragraphs.
    """
    start = _SHEET.search(data)
    if start is None:
        return data
    entries: list[bytes] = []
    words: list[bytes] = []
    names: list[bytes] = []
    depth = 1
    is_odd = named = starred = False
    for token in _TOKEN.finditer(data, start.end()):
        brace, word, text = token.groups()
        if brace == b"{":
            depth += 1
            is_odd = is_odd or depth > 2
        elif brace == b"}":
            depth -= 1
            if depth == 1:
                name = b"".join(names).replace(b";", b"").strip()
                if not starred:
                    entries.append(b"{" + b"".join(words).rstrip() + b" " + name + b";}")
                words, names, named, starred = [], [], False, False
            elif depth == 0:
                whole = data[: start.end()] + b"".join(entries) + data[token.start() :]
                return whole if is_odd else data
        elif depth == 2 and word:
            words.append(word)
            starred = starred or word == b"\\*"
            is_odd = is_odd or named or starred
        elif text and text.strip():
            names.append(text)
            named = True
    return data
