"""Check embedded pictures, and convert those that PlutoPrint can't read."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO

from lxml import etree
from PIL import (  # readers are named explicitly: for an unknown one, Pillow would load all its plugins
    AvifImagePlugin,  # noqa: F401
    BmpImagePlugin,  # noqa: F401
    GifImagePlugin,  # noqa: F401
    IcoImagePlugin,  # noqa: F401
    Image,
    JpegImagePlugin,  # noqa: F401
    PngImagePlugin,  # noqa: F401
    TiffImagePlugin,  # noqa: F401
    UnidentifiedImageError,
    WebPImagePlugin,  # noqa: F401
)

from engine.families.html_pdf.source.drawings import HREFS, MOST_SVG_ELEMENTS, expanded, is_drawn, local_name
from engine.families.html_pdf.source.references import blocked, data_of, is_inline
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "ICO")
"""Allowed picture formats; others that Pillow supports may start a program."""
MOST_PIXELS = 25_000_000
MOST_SHOWN, _SHOWN_PER_CHARACTER = 500_000_000, 20
"""The maximum pixels of all pictures of a page, each time one is shown, which PlutoPrint decodes anew: 500 million take
3 s. Photographs may have more, as they have one to three for each character of their address."""
_READ = frozenset(("PNG", "JPEG", "GIF", "WEBP", "BMP"))  # supported by PlutoPrint itself
_ORIENTATION = 0x0112  # Exif 2.32, 4.6.4: 1 is upright
_DAMAGE = (OSError, ValueError, SyntaxError, EOFError, TypeError, ZeroDivisionError, IndexError)


_TORN = Kind("CONTENT_DROPPED", "Damaged SVG pictures are shown as far as they can be read: {count}{places}.")


class Unusable(Exception):
    """A picture that can't be drawn, with the reason for the user."""


@dataclass
class Pictures:
    """The pictures of a page: each is read once, and counted each time it is shown."""

    _known: dict[str, tuple[str, int] | Unusable] = field(default_factory=dict)
    _left: int = MOST_SHOWN

    def readable(self, uri: str, warn: Warn) -> str:
        """The same as `readable`. Raises Unusable, and OverLimit for too many pixels on the page."""
        if uri not in self._known:
            self._left += _SHOWN_PER_CHARACTER * len(uri)
            try:
                self._known[uri] = _read(uri, warn)
            except Unusable as error:
                self._known[uri] = error
        found = self._known[uri]
        if isinstance(found, Unusable):
            raise found
        self._left -= found[1]
        if self._left < 0:
            raise OverLimit("limit", "The page's pictures have too many pixels in all. Use smaller pictures.")
        return found[0]


def readable(uri: str, warn: Warn) -> str:
    """A `data:` URI of the picture that PlutoPrint can read. Raises Unusable."""
    return _read(uri, warn)[0]


def _read(uri: str, warn: Warn) -> tuple[str, int]:
    """The picture as a `data:` URI, and its number of pixels, if they are decoded to draw it."""
    data = data_of(uri)
    if is_svg(data):
        return drawing(data, warn, most=MOST_SVG_ELEMENTS), 0
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Unusable(say("it has too many pixels"))
            picture.load()
            upright = picture.getexif().get(_ORIENTATION, 1) == 1
            pixels = picture.width * picture.height
            if picture.format in _READ and picture.mode != "CMYK" and upright:
                return "data:" + uri.strip()[5:], pixels
            return data_uri("image/png", as_png(picture)), pixels
    except Image.DecompressionBombError as error:
        raise Unusable(say("it has too many pixels")) from error
    except (UnidentifiedImageError, *_DAMAGE) as error:
        raise Unusable(say("it is damaged or of an unknown format")) from error


def as_png(picture: Image.Image) -> bytes:
    """A picture as browsers display it, upright, without metadata."""
    from PIL import ImageOps

    target = BytesIO()
    upright = ImageOps.exif_transpose(picture)
    upright.convert("RGBA" if upright.has_transparency_data else "RGB").save(target, "PNG", compress_level=1)
    return target.getvalue()


def is_svg(data: bytes) -> bool:
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"<svg") or (head.startswith(b"<") and b"<svg" in data[:4096])


def drawing(data: bytes, warn: Warn, *, most: int | None = None) -> str:
    """A `data:` URI of an SVG with at most `most` elements, references expanded. Raises Unusable."""
    parser = etree.XMLParser(
        remove_comments=True, recover=True, resolve_entities=False, no_network=True, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unusable(say("it is not a valid SVG")) from error
    if root is None or local_name(root) != "svg" or (most is not None and expanded(root) > most):
        raise Unusable(say("it is not a valid SVG"))
    if any(each.level == etree.ErrorLevels.FATAL for each in parser.error_log):
        warn.tally(_TORN, 1, part=str(hash(data)))
    for element in list(root.iter()):
        if not isinstance(element.tag, str):
            continue
        name = local_name(element)
        if name == "script":
            warn("SCRIPT_REMOVED", "<script> in an SVG picture was removed.")
        elif not is_drawn(name):
            warn("CONTENT_DROPPED", say("<{name}> in an SVG picture was left out.", name=name))
        for href in (element.get(each) for each in HREFS):
            if href and name != "a" and not href.startswith("#") and not is_inline(href):
                blocked(href, warn)
                parent = element.getparent()
                if parent is not None:
                    parent.remove(element)
                break
    return data_uri("image/svg+xml", etree.tostring(root))
