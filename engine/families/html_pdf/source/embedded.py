"""Check the pictures and fonts embedded in style sheets, and convert pictures that PlutoPrint can't read."""

from __future__ import annotations

import re
from io import BytesIO

from PIL import ImageFont

from engine.families.html_pdf.source import pictures
from engine.families.html_pdf.source.references import data_of, is_inline
from engine.families.html_pdf.source.style_addresses import FACE, URL, plain
from engine.toolkit.data_uris import data_uri
from engine.toolkit.warnings import Kind, Warn

_FONTS = Kind("FONT_SUBSTITUTED", "Damaged embedded fonts were replaced: {count}{places}.")
_PICTURES = Kind("CONTENT_DROPPED", "Damaged or unreadable pictures in styles were left out: {count}{places}.")
_FAMILY = re.compile(r"font-family\s*:\s*([^;}]*)", re.IGNORECASE)
_SHOWN = 60


def checked(text: str, warn: Warn) -> str:
    """The same style sheet or declarations with readable pictures; warns of the other ones, and of fonts."""
    if "data:" not in text:
        return text
    pieces, at = [], 0
    for face in FACE.finditer(text):
        pieces += [_with_pictures(text[at : face.start()], warn), face[0]]
        _check_face(face[0], warn)
        at = face.end()
    return "".join([*pieces, _with_pictures(text[at:], warn)])


def picture(uri: str, warn: Warn) -> str | None:
    """The address of an embedded picture that PlutoPrint can read; None for an unreadable one, which is warned of."""
    try:
        return pictures.readable(uri, warn)
    except pictures.Unusable:
        warn.tally(_PICTURES, 1, [uri[5:].partition(",")[0].partition(";")[0][:_SHOWN]], part=str(hash(uri)))
        return None


def _check_face(face: str, warn: Warn) -> None:
    """Warn of a font of which no embedded file can be read; another source could not be loaded either."""
    found = [uri for match in URL.finditer(face) if is_inline(uri := plain(match[1]))]
    if found and not any(_is_font(data_of(uri)) for uri in found):
        family = _FAMILY.search(face)
        name = "" if family is None else family[1].strip("\"' ")[:_SHOWN]
        warn.tally(_FONTS, 1, [f"“{name}”"], part=str(hash(face)))


def _is_font(data: bytes) -> bool:
    try:
        ImageFont.truetype(BytesIO(data))
    except OSError:
        return False
    return True


def _with_pictures(text: str, warn: Warn) -> str:
    def readable(match: re.Match[str]) -> str:
        uri = plain(match[1])
        if not is_inline(uri):
            return match[0]
        made = picture(uri, warn)
        if made is None or made == uri:
            return "none" if made is None else match[0]
        # Encoded again: without base64, the address may contain quotes and brackets.
        return f'url("{made if ";base64," in made[:80] else data_uri(made[5:].partition(",")[0], data_of(made))}")'

    return URL.sub(readable, text)
