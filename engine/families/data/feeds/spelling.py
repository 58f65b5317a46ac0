"""Repair feeds that are not well-formed XML: HTML entities and East Asian encodings."""

from __future__ import annotations

import re
from html.entities import html5

from engine.toolkit import encodings
from engine.toolkit.warnings import Kind, Warn

_DECLARATION = re.compile(r"\s*<\?xml\b[^>]{0,300}\?>")
_ENTITY = re.compile(rb"<!ENTITY\s+([^\s%]{1,100})")
_AMPERSAND = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE\b[^\[>]*+(?:\[.*?(?:\]\s*+>|\Z))?|"
    rb"&(?:#\w{1,9};|([A-Za-z]\w{0,30});)?",
    re.DOTALL,
)
_PREDEFINED = {b"amp", b"lt", b"gt", b"quot", b"apos"}
_TEXT = Kind("VALUE_CONVERTED", "“&” characters that start no entity were kept as they are: {count}{places}.")


def well_formed(data: bytes, warn: Warn) -> bytes:
    """Return the file as well-formed XML (1.0, 4.1 and 4.3.3) in UTF-8: HTML entity names and bare ampersands are
    escaped."""
    declared = encodings.declared_in_html(data[:1000])
    if not (declared or "").lower().startswith("utf") and encodings.unicode_mark(data[:100]) is None:
        text = encodings.read(data, warn, declared=declared)
        head = _DECLARATION.match(text)
        data = (text if head is None else "\n" * head[0].count("\n") + text[head.end() :]).encode("utf-8", "replace")
    if encodings.unicode_mark(data[:100]) or b"&" not in data:
        return data
    known = _PREDEFINED | set(_ENTITY.findall(data))
    bare = 0

    def escape(found: re.Match[bytes]) -> bytes:
        nonlocal bare
        whole, name = found[0], found[1]
        if not whole.startswith(b"&") or whole.startswith(b"&#") or name in known:
            return whole
        characters = None if name is None else html5.get(f"{name.decode()};")
        if characters is not None:
            return "".join(f"&#{ord(each)};" for each in characters).encode()
        bare += 1
        return b"&amp;" + whole[1:]

    data = _AMPERSAND.sub(escape, data)
    warn.tally(_TEXT, bare)
    return data
