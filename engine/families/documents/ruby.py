r"""Put ruby readings after their words for formats without ruby.

Word and OpenDocument have elements for it (ECMA-376, part 1, 17.3.3.25; ISO/IEC 26300, part 3, 6.4). In formats without
such an element, as in RTF, Word writes a field: `EQ \* jc2 \* hps10 \o\ad(\s\up 9(reading),base)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.toolkit.warnings import Kind

BEHIND = Kind("VALUE_CONVERTED", "Readings above words (ruby) follow them in brackets: {count}{places}.")
_FIELD = re.compile(
    r"\s*EQ\b[^()]{0,200}?\\o(?:\s*\\a[a-z])*\s*\(\s*\\s\s*\\up\s*[\d.]*\s*\((?P<reading>[^()]{1,500})\)\s*[,;]"
    r"(?P<base>[^()]{1,500})\)\s*"
)
_PROPERTIES = re.compile(rb"<w:rPr>(?:(?!<w:rPr>).)*?</w:rPr>", re.DOTALL)
_READING, _READING_END = re.compile(rb"<rt\b[^<>]*>"), re.compile(rb"</rt\s*>")
_ODT_BASE = re.compile(rb"<text:ruby-base\b[^<>]*>")
_ODT_READING = re.compile(rb"<text:ruby-text\b[^<>]*>")


def parse_field(instruction: str) -> tuple[str, str] | None:
    """The base text and its reading, if a field instruction is a ruby."""
    found = _FIELD.fullmatch(instruction)
    return (found["base"].strip(), found["reading"].strip()) if found else None


def _each(data: bytes, opening: bytes, closing: bytes, change: Callable[[bytes], bytes | None]) -> tuple[bytes, int]:
    """`data` with each section from `opening` to `closing` replaced by `change`, and the number of replacements."""
    first, *rest = data.split(opening)
    pieces: list[bytes] = [first]
    count = 0
    for piece in rest:
        inside, closed, after = piece.partition(closing)
        changed = change(inside) if closed else None
        count += changed is not None
        pieces += [opening, piece] if changed is None else [changed, after]
    return b"".join(pieces), count


def in_word(data: bytes) -> tuple[bytes, int]:
    """A Word document part with readings as runs after their words, and their number."""

    def behind(inside: bytes) -> bytes | None:
        reading = inside.partition(b"<w:rt>")[2].partition(b"</w:rt>")[0]
        base = inside.partition(b"<w:rubyBase>")[2].partition(b"</w:rubyBase>")[0]
        bracket = b"<w:r><w:t>%s</w:t></w:r>"
        plain = _PROPERTIES.sub(b"", reading)
        behind = (bracket % b"(") + plain + (bracket % b")") if reading else b""
        return b"</w:r>" + base + behind + b"<w:r>" if base or reading else None

    return _each(data, b"<w:ruby>", b"</w:ruby>", behind)


def in_odt(data: bytes) -> tuple[bytes, int]:
    """An OpenDocument text part with readings after their words, and their number."""

    def behind(inside: bytes) -> bytes | None:
        base, reading = (
            re.split(opening, inside, maxsplit=1)[-1].rpartition(closing)[0]
            for opening, closing in ((_ODT_BASE, b"</text:ruby-base>"), (_ODT_READING, b"</text:ruby-text>"))
        )
        return b"<text:span>" + base + (b"(" + reading + b")" if reading else b"") + b"</text:span>"

    return _each(data, b"<text:ruby ", b"</text:ruby>", behind) if b"<text:ruby " in data else (data, 0)


def in_html(html: str) -> tuple[str, int]:
    """A page with brackets added around readings that lack them, and the number of readings."""

    def behind(inside: bytes) -> bytes | None:
        if b"<rp" in inside or b"<rt" not in inside:
            return None
        return b"<ruby" + _READING_END.sub(b")</rt>", _READING.sub(b"<rt>(", inside)) + b"</ruby>"

    if "<ruby" not in html:
        return html, 0
    made, count = _each(html.encode("utf-8", "surrogatepass"), b"<ruby", b"</ruby>", behind)
    return made.decode("utf-8", "surrogatepass"), count
