"""Takes the addresses of other files out of documents, which the suite would open whatever it is told."""

from __future__ import annotations

import html
import re
import shutil
import zipfile
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from engine.toolkit import archive, plain_xml
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import ODG, ODP, ODS, ODT, PPTX, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_WEB = re.compile(r"(?:https?:|ftp:|mailto:|#|\Z)", re.IGNORECASE)
_NOWHERE = re.compile(r"(?:file:///[a-z]:)?[^:]+", re.IGNORECASE)
"""Drives of Windows, and names beside the presentation: there is nothing to be read."""
_PARSER = etree.XMLParser(no_network=True, load_dtd=False, huge_tree=False)


_TAG = re.compile(rb"""<([^\s<>/!?"'=]++)((?>\s++[^\s<>/"'=]++\s*+=\s*+(?>"[^"<]*+"|'[^'<]*+'))++)\s*+/?+>""")
_HREF = re.compile(rb"""((?<=[\s:])href\s*=\s*)(?:"([^"]*)"|'([^']*)')""")
_LOADED = frozenset(
    {
        b"applet", b"audio", b"background-image", b"fill-image", b"floating-frame", b"font-face-uri", b"image",
        b"list-level-style-image", b"object", b"object-ole", b"plugin", b"section-source", b"sound", b"video",
    }
)  # fmt: skip
"""The elements of OpenDocument whose address is of something that is shown, by their local names."""
_DOCTYPE = re.compile(rb"<!DOCTYPE\s[^\[<>]*>")
"""One without declarations of its own, which OpenOffice.org 2 wrote."""


def without_addresses(source: Path, format: Format, warn: Warn) -> Path:
    """A copy of the archive in `source` in which nothing that is shown has the address of another file.

    It is written anew even if nothing had: the suite may read another directory of an archive that has two. Raises
    Unreadable for damaged relationships, and for OpenDocument with entities.

    The suite reads linked objects of presentations while it imports them, without asking whether links may be updated,
    and whatever kind of relationship they name. Hyperlinks stay if nothing can be read there.
    """
    hyperlinks = 0
    copy = source.with_name(f"inside{source.suffix}")
    with (
        zipfile.ZipFile(source) as parts,
        zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
    ):
        for each in parts.infolist():
            if each.is_dir():
                continue
            new = archive.entry(each.filename, stored=each.filename == "mimetype")
            with parts.open(each) as part, file.open(new, "w") as target:
                if format is PPTX and each.filename.lower().endswith(".rels"):
                    data, links = _without(part.read())
                    target.write(data)
                    hyperlinks += links
                elif format in (ODT, ODS, ODP, ODG) and each.filename.endswith(("content.xml", "styles.xml")):
                    target.write(_within(part.read()))
                else:
                    shutil.copyfileobj(part, target)
    if hyperlinks:
        warn(
            "REMOTE_RESOURCE_BLOCKED",
            say("{outside} references to other files or websites were not loaded.", outside=hyperlinks),
        )
    return copy


def _within(data: bytes) -> bytes:
    """A part of OpenDocument in which nothing that is shown lies in another file; raises Unreadable."""
    return _TAG.sub(_blanked, plain_xml.plain(_DOCTYPE.sub(b"", data, count=1)))


def _blanked(tag: re.Match[bytes]) -> bytes:
    if tag[1].rpartition(b":")[2] not in _LOADED or b"href" not in tag[2]:
        return tag[0]
    return _HREF.sub(lambda found: found[0] if _is_within(found[2] or found[3] or b"") else found[1] + b'""', tag[0])


def _is_within(address: bytes) -> bool:
    """Whether it is a part of the file, or of a website, which nothing in the sandbox can reach."""
    target = unquote(html.unescape(address.decode("utf-8", "replace"))).strip()
    if _WEB.match(target) or target.startswith("data:"):
        return True
    return ":" not in target and target[0] not in "/\\" and ".." not in re.split(r"[/\\]", target)


def _without(data: bytes) -> tuple[bytes, int]:
    """The relationships without addresses, and how many hyperlinks lost theirs; raises Unreadable."""
    try:
        root = etree.fromstring(plain_xml.plain(data), _PARSER)
    except etree.XMLSyntaxError as error:  # the suite reads what comes before the fault
        raise Unreadable("The document is damaged.", reason="damaged") from error
    links = 0
    for each in root.iter("{*}Relationship"):
        if each.get("TargetMode", "").strip().lower() != "external":
            continue
        is_link = each.get("Type", "").endswith("/hyperlink")
        if not is_link or not _is_unreadable(each.get("Target", "")):
            each.set("Target", "")
            links += is_link
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True), links


def _is_unreadable(target: str) -> bool:
    address = unquote(target).strip()
    if _WEB.match(address):
        return True
    return _NOWHERE.fullmatch(address) is not None and address[0] not in "/\\" and ".." not in address
