"""Parse DocBook, FictionBook and OPML without external entities, and rewrite them for pandoc."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from lxml import etree

from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.office_links import blocked
from engine.toolkit.warnings import Warn

_INCLUDE = "{http://www.w3.org/2001/XInclude}include"
_DECLARED = re.compile(
    rb"<!ENTITY\s+([A-Za-z_][\w.-]{0,200})\s+(?:(?:SYSTEM|PUBLIC\s+[\"'][^\"']{0,500}[\"'])\s+[\"']([^\"']{0,500}))?"
)
_REFERENCE = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&([A-Za-z_][\w.-]{0,200});", re.DOTALL)
_PREDEFINED = {b"amp", b"lt", b"gt", b"quot", b"apos"}
_DEEPEST = 200


def parse(data: bytes, warn: Warn) -> Any:
    """The root of an XML document; references to other files are removed and reported.

    Raises Unreadable, with the place, for XML that is not well-formed, nested too deep or an entity bomb.
    """
    data = _settled(data, warn)
    parser = etree.XMLParser(
        resolve_entities="internal", no_network=True, load_dtd=False, huge_tree=False, remove_comments=True,
        remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise Unreadable(
            say("The file is not well-formed XML: {msg}.", msg=(error.msg or "damaged").split(", line")[0]),
            line=max(line, 1),
            column=max(column, 1),
            reason="damaged",
        ) from error
    except (ValueError, LookupError) as error:
        raise Unreadable("The file is not readable XML.", reason="format") from error
    _without_includes(root, warn)
    return root


def _settled(data: bytes, warn: Warn) -> bytes:
    """`data` with HTML's named characters expanded, and without entities that are external or undeclared."""
    if b"&" not in data:
        return data
    declared = {found[1]: found[2] for found in _DECLARED.finditer(data)}

    def settle(found: re.Match[bytes]) -> bytes:
        name = found[1]
        if name is None or name in _PREDEFINED or (name in declared and declared[name] is None):
            return found[0]
        if name in declared:
            warn("REMOTE_RESOURCE_BLOCKED", blocked(declared[name].decode("utf-8", "replace")))
            return b""
        characters = html5.get(f"{name.decode('ascii', 'replace')};")
        if characters is None:
            shown = name.decode("utf-8", "replace")[:100]
            warn(
                "CONTENT_DROPPED",
                say("The entity &{shown}; is not declared in the file and was left out.", shown=shown),
            )
            return b""
        return "".join(f"&#{ord(each)};" for each in characters).encode()

    return _REFERENCE.sub(settle, data)


def _without_includes(root: Any, warn: Warn) -> None:
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _DEEPEST:
            raise Unreadable(
                say("The elements are nested more than {deepest} levels deep.", deepest=_DEEPEST),
                line=element.sourceline,
                reason="limit",
            )
    for include in list(root.iter(_INCLUDE)):
        warn("REMOTE_RESOURCE_BLOCKED", blocked(str(include.get("href") or "")[:200]))
        if include is not root:
            _replace(include, "")


def _replace(node: Any, text: str) -> None:
    """Replace a node by `text`, keeping its tail."""
    parent, before, text = node.getparent(), node.getprevious(), text + (node.tail or "")
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    parent.remove(node)


def serialized(root: Any) -> bytes:
    """The document without its DOCTYPE and entity declarations."""
    made: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True, with_tail=False)
    return made
