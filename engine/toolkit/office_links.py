"""External references in office files, none of which is ever loaded."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from engine.toolkit import plain_xml
from engine.toolkit.messages import say

_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_EXTERNAL = re.compile(rb"""TargetMode\s*=\s*["']External["']""")
_TYPE = re.compile(rb"""\bType\s*=\s*["'][^"']*/([A-Za-z]+)["']""")
_TARGET = re.compile(rb"""\bTarget\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NOT_LOADED = (b"hyperlink", b"attachedTemplate")
"""Links of readers, and the template that a document was made from, which has none of its content."""
_ODF = re.compile(
    rb"""<(?:draw:(?:image|object|object-ole|plugin|floating-frame)|table:(?:table-source|cell-range-source)"""
    rb"""|text:section-source)\b[^>]*xlink:href=["']((?:[a-zA-Z][a-zA-Z0-9+.-]*:|//|\.\./)[^"'>]*)"""
)


def external_addresses(name: str, data: bytes) -> Iterator[str]:
    """The external addresses in the part `name` that a viewer would load by itself.

    In Office Open XML these are relationships with an external target (ECMA-376, part 2, section 6.5), in OpenDocument
    links of pictures, objects and sections (part 3, section 19.890). Links that a reader may click and the template of
    a document are not included. Raises Unreadable for relationships that readers may understand in several ways.
    """
    if name.lower().endswith(".rels"):
        for each in _RELATION.findall(plain_xml.plain(data)):
            kind, target = _TYPE.search(each), _TARGET.search(each)
            if _EXTERNAL.search(each) and (kind is None or kind[1] not in _NOT_LOADED):
                yield _text((target[1] or target[2] or b"") if target else b"")
    elif name.endswith(("content.xml", "styles.xml")):
        yield from map(_text, _ODF.findall(data))


def blocked(address: str) -> str:
    """The REMOTE_RESOURCE_BLOCKED message for one address."""
    return say("“{address}” is not part of the file and was not loaded.", address=address[:200])


def _text(address: bytes) -> str:
    return html.unescape(address.decode("utf-8", "replace"))
