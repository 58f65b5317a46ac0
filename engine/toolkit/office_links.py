"""External references in office files, none of which is ever loaded."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from engine.toolkit import plain_xml
from engine.toolkit.messages import say

_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^<>]*>")
_EXTERNAL = re.compile(rb"""TargetMode\s*=\s*["']External["']""")
_TYPE = re.compile(rb"""\bType\s*=\s*["'][^"']*/([A-Za-z]+)["']""")
_TARGET = re.compile(rb"""\bTarget\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NOT_LOADED = (b"hyperlink", b"attachedTemplate")
"""Links of readers, and the template that a document was made from, which has none of its content."""

_TAG = re.compile(rb"""<([^\s<>/!?"'=]++)((?>\s++[^\s<>/"'=]++\s*+=\s*+(?>"[^"<]*+"|'[^'<]*+'))++)\s*+/?+>""")
_ADDRESS = re.compile(rb"""((?<=[\s:])(?:href|src|image-data)\s*=\s*)(?:"([^"]*)"|'([^']*)')""")
"""What OpenDocument loads: pictures of buttons have `form:image-data`, instances of XForms `src` (part 3, 19)."""
_LINKS = frozenset(
    {
        b"a", b"area-circle", b"area-polygon", b"area-rectangle", b"button", b"chart", b"event-listener", b"form",
        b"template",
    }
)  # fmt: skip
"""The elements of OpenDocument whose address is for readers to follow, by their local names. That of a chart is of the
document that it lies in, and a template has none of the content."""
_PACKAGE = ("vnd.sun.star.package:", "data:")
"""How the address of a part starts in old files, and one that is itself the content."""


def external_addresses(name: str, data: bytes) -> Iterator[str]:
    """The external addresses in the part `name` that a viewer would load by itself.

    In Office Open XML these are relationships with an external target (ECMA-376, part 2, section 6.5), in OpenDocument
    all addresses that are not of a part of the file (part 3, section 19.890). Links that a reader may click and the
    template of a document are not included. Raises Unreadable for relationships that readers may understand in several
    ways.
    """
    if name.lower().endswith(".rels"):
        for each in _RELATION.findall(plain_xml.plain(data)):
            kind, target = _TYPE.search(each), _TARGET.search(each)
            if _EXTERNAL.search(each) and (kind is None or kind[1] not in _NOT_LOADED):
                yield _text((target[1] or target[2] or b"") if target else b"")
    elif has_addresses(name):
        yield from without_external(data)[1]


def has_addresses(name: str) -> bool:
    """Whether it is a part of OpenDocument with addresses, in the file itself or in a document in it."""
    return name.endswith(("content.xml", "styles.xml", "meta.xml"))


def without_external(data: bytes) -> tuple[bytes, list[str]]:
    """A part of OpenDocument, in plain XML, with its external addresses emptied; and these addresses."""
    found: list[str] = []

    def looked_at(tag: re.Match[bytes]) -> bytes:
        is_link = tag[1].rpartition(b":")[2] in _LINKS

        def emptied(address: re.Match[bytes]) -> bytes:
            text = _text(address[2] or address[3] or b"")
            if _is_part(text) or (is_link and address[1].startswith(b"href")):
                return address[0]
            found.append(text)
            return address[1] + b'""'

        return _ADDRESS.sub(emptied, tag[0])

    return _TAG.sub(looked_at, data), found


def _is_part(address: str) -> bool:
    target = unquote(address).strip()
    if not target or target.startswith("#"):
        return True
    if target.lower().startswith(_PACKAGE):
        target = target.partition(":")[2] if target[0] in "vV" else "data"
    return ":" not in target and target[:1] not in ("/", "\\") and ".." not in re.split(r"[/\\]", target)


def blocked(address: str) -> str:
    """The REMOTE_RESOURCE_BLOCKED message for one address."""
    return say("“{address}” is not part of the file and was not loaded.", address=address[:200])


def _text(address: bytes) -> str:
    return html.unescape(address.decode("utf-8", "replace"))
