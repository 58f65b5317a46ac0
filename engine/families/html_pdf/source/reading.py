"""Decode the bytes of a page."""

from __future__ import annotations

import re

from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import HTML
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_BYTES = 32_000_000
_HEAD = 4096
_CONTROLS = re.compile("[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def decode(data: bytes, warn: Warn, *, declared: str | None = None) -> str:
    """The text of an HTML file: by its byte order mark, the encoding `declared` for it, its own declaration, or a guess
    that is reported.

    Raises Unreadable for bytes that aren't text, and OverLimit for too many.
    """
    if len(data) > MOST_BYTES:
        raise OverLimit("memory", say("The page is larger than {most_bytes} MB.", most_bytes=MOST_BYTES // 1_000_000))
    if not HTML.recognises(data[:_HEAD]):
        raise Unreadable("The file is not HTML: its content has another format.", reason="format")
    return _checked(encodings.read(data, warn, declared=declared or encodings.declared_in_html(data)))


def with_styles(html: str | bytes, css: str | None, warn: Warn) -> str | bytes:
    """The page with a style sheet after its own; bytes are decoded, and have a byte order mark then."""
    if not (css and css.strip()):
        return html
    own = "<style>{}</style>".format(css.replace("</", "<\\/"))
    return f"{html}{own}" if isinstance(html, str) else f"\ufeff{decode(html, warn)}{own}".encode()


def _checked(text: str) -> str:
    if len(_CONTROLS.findall(text[:65_536])) * 50 > min(len(text), 65_536):
        raise Unreadable("The file is not HTML: it contains binary data.", reason="format")
    return text.removeprefix("\ufeff")
