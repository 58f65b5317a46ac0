"""Open the content of an OpenDocument package (ISO/IEC 26300, part 2)."""

from __future__ import annotations

from engine.families.documents.odf.names import OFFICE
from engine.families.documents.ooxml.package import Element, Package
from engine.toolkit import office_links, office_macros
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn


def content(
    file: Package, kind: str, warn: Warn, *, no_content: Unreadable, other: Unreadable
) -> tuple[Element, Element]:
    """The root of the content and its body of a kind (`text`, `presentation`); names macros and external addresses.

    Raises `no_content` or `other` for a package of another kind, and Unreadable for a protected one.
    """
    if "content.xml" not in file.names:
        raise no_content
    if "META-INF/manifest.xml" in file.names and b"encryption-data" in file.read("META-INF/manifest.xml"):
        raise Unreadable(
            "The document is protected by a password. Save it without one and try again.", reason="password"
        )
    root = file.xml("content.xml")
    body = root.find(f"{OFFICE}body/{OFFICE}{kind}")
    if body is None:
        raise other
    office_macros.report(file.names, warn)
    for name in ("content.xml", "styles.xml"):
        for address in office_links.external_addresses(name, file.read(name)) if name in file.names else ():
            warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
    return root, body
