"""Put what a style sheet refers to into the sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.families.html_pdf.source.references import is_inline
from engine.families.html_pdf.source.style_addresses import COMMENT, FACE, IMPORT, URL, plain

Resolve = Callable[[Sequence[str]], str | None]
"""Takes references to the same thing; returns the first one that is there as a `data:` URI, or None."""
_SOURCES = re.compile(r"(?<![\w-])src\s*:\s*((?:[^;{}\"']|\"[^\"]*\"|'[^']*')*+)", re.IGNORECASE)
_SOURCE = re.compile(rf"local\([^()]*+\)|{URL.pattern}", URL.flags)
_FOR_OTHERS = re.compile(r"\.(?:eot|svg)(?:[?#].*)?$", re.IGNORECASE)
"""Fonts that no browser of today reads."""
_NAMESPACE = re.compile(r"@namespace[^;]*$", re.IGNORECASE)
_MARK_BEFORE = 200
"""How far before an address an `@namespace` can be."""


def inlined(text: str, resolve: Resolve) -> str:
    """A style sheet or declarations with the files they refer to as `data:` URIs.

    Of the files of a font, the first that is there is taken.
    """
    small = text.lower()
    if "@import" not in small and "url(" not in small:
        return text
    text = COMMENT.sub(lambda match: match[1] or "", text)
    text = IMPORT.sub(lambda match: _imported(match, resolve), text)
    pieces, at = [], 0
    for face in FACE.finditer(text):
        pieces.append(_with_files(text[at : face.start()], resolve))
        pieces.append(_SOURCES.sub(lambda match: f"src:{_font(match[1], resolve)}", face[0]))
        at = face.end()
    return "".join([*pieces, _with_files(text[at:], resolve)])


def _imported(match: re.Match[str], resolve: Resolve) -> str:
    address = plain(match[1])
    uri = address if is_inline(address) else resolve([address])
    return f'@import "{uri}"{match[2]};' if uri else ""


def _with_files(text: str, resolve: Resolve) -> str:
    def filled(match: re.Match[str]) -> str:
        address = plain(match[1]).strip()
        before = text[max(0, match.start() - _MARK_BEFORE) : match.start()]
        if not address or address.startswith("#") or is_inline(address) or _NAMESPACE.search(before):
            return match[0]
        uri = resolve([address])
        return f'url("{uri}")' if uri else "none"

    return URL.sub(filled, text)


def _font(sources: str, resolve: Resolve) -> str:
    kept: list[str] = []
    files: list[str] = []
    for source in _SOURCE.finditer(sources):
        address = plain(source[1] or "").strip()
        if not address or is_inline(address):
            kept.append(source[0])
        elif not _FOR_OTHERS.search(address):
            files.append(address)
    uri = resolve(files) if files else None
    if uri:
        kept.append(f'url("{uri}")')
    return ",".join(kept) or 'local("")'
