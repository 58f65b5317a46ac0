"""Takes the addresses of other files out of SVG pictures in documents, which the suite would open as it draws them."""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from lxml import etree

HEAD = 1 << 16
"""How much of a part tells whether it is a picture: the suite looks at 2 KB of it, unpacked."""
_MAX_BYTES = 50_000_000
_GZIP = b"\x1f\x8b"
_PARSER = etree.XMLParser(no_network=True, load_dtd=False, huge_tree=False, resolve_entities="internal")
_BITMAP = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|BM|RIFF|II\*\0|MM\0\*")
_DATA = re.compile(r"data:[\w.+/-]*+(?:;[\w=.-]++)*;base64,([A-Za-z0-9+/\s]*+(?:={1,2}\s*+)?)", re.IGNORECASE)
_BINARY = re.compile(rb"(<(?:[\w.-]+:)?binary-data(?:\s[^>]*+)?>)([^<]*+)")


def within(data: bytes) -> tuple[bytes, int]:
    """A part of a document in which no SVG picture has an address of another file, and how many had.

    The suite tells pictures by their content, whatever their name. One that can't be parsed is emptied.
    """
    text = _unpacked(data) if data.startswith(_GZIP) else data
    if not _may_be_svg(text[:HEAD]):
        return data, 0
    try:
        root = etree.fromstring(text, _PARSER)
    except etree.XMLSyntaxError:
        return b"", 0
    if etree.QName(root).localname != "svg":
        return data, 0
    outside = 0
    for each in root.iter(etree.Element):
        is_link = etree.QName(each).localname == "a"
        for name, address in each.attrib.items():
            if etree.QName(name).localname == "href" and not is_link and not _is_within(address.strip()):
                each.set(name, "")
                outside += 1
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True), outside


def may_have(head: bytes) -> bool:
    """Whether a part that begins with `head` may be an SVG picture, packed or not."""
    return head.startswith(_GZIP) or _may_be_svg(head)


def within_text(data: bytes) -> tuple[bytes, int]:
    """The same for the pictures that a part of OpenDocument holds itself, in Base64."""
    outside = 0

    def cleaned(found: re.Match[bytes]) -> bytes:
        nonlocal outside
        try:
            picture = base64.b64decode(found[2])
        except (binascii.Error, ValueError):
            return found[1]
        inside, count = within(picture)
        outside += count
        return found[0] if inside is picture else found[1] + base64.b64encode(inside)

    # No tag begins behind the last one that ends; each that has no end would be read to the end of the data.
    end = data.find(b"<", data.rfind(b">") + 1)
    whole = len(data) if end < 0 else end
    return _BINARY.sub(cleaned, data[:whole]) + data[whole:], outside


def _may_be_svg(head: bytes) -> bool:
    return b"svg" in head and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(data, _MAX_BYTES)
    except zlib.error:
        return b""


def _is_within(address: str) -> bool:
    """Whether it is an element of the picture, or bytes of another that has no addresses itself."""
    if not address or address.startswith("#"):
        return True
    if found := _DATA.fullmatch(address):
        return _BITMAP.match(base64.b64decode(found[1] + "==")) is not None
    return False
