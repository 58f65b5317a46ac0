"""Takes the addresses of other files out of documents, which the suite would open whatever it is told."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from engine.families.documents.word import shown_parts
from engine.families.libreoffice import svg
from engine.toolkit import archive, office_links, plain_xml
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import DOCX, ODG, ODP, ODS, ODT, PPTX, XLSM, XLSX, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_WEB = re.compile(r"(?:https?:|ftp:|mailto:|#|\Z)", re.IGNORECASE)
_NOWHERE = re.compile(r"(?:file:///[a-z]:)?[^:]+", re.IGNORECASE)
"""Drives of Windows, and names beside the presentation: there is nothing to be read."""
_TEMPLATE, _WORKBOOK = "attachedTemplate", "externalLinkPath"
_KEPT = frozenset({"hyperlink", _WORKBOOK})
"""Kinds of relationships whose addresses stay: a formula without that of its workbook would lose its value."""
_PARSER = etree.XMLParser(no_network=True, load_dtd=False, huge_tree=False)

_DOCTYPE = re.compile(rb"<!DOCTYPE\s[^\[<>]*>")
"""One without declarations of its own, which OpenOffice.org 2 wrote."""


def without_addresses(source: Path, format: Format, warn: Warn) -> Path:
    """A copy of the archive in `source` in which nothing that is shown has the address of another file, or is hidden.

    It is written anew even if nothing had: the suite may read another directory of an archive that has two. Raises
    Unreadable for damaged relationships, and for OpenDocument with entities.

    The suite reads linked objects and pictures while it imports them, without asking whether links may be updated, and
    whatever kind of relationship they name. Hyperlinks stay if nothing can be read there.
    """
    outside = 0
    shown = shown_parts.without_hidden(source, warn) if format is DOCX else {}
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
                if each.filename in shown:
                    data, found = shown[each.filename], 0
                elif format in (DOCX, XLSX, XLSM, PPTX) and each.filename.lower().endswith(".rels"):
                    data, found = _without(part.read())
                elif format in (ODT, ODS, ODP, ODG) and office_links.has_addresses(each.filename):
                    plain = plain_xml.plain(_DOCTYPE.sub(b"", part.read(), count=1))
                    data, addresses = office_links.without_external(plain)
                    data, pictures = svg.within_text(data)
                    found = len(addresses) + pictures
                else:
                    head = part.read(svg.HEAD)
                    if not svg.may_have(head):
                        target.write(head)
                        shutil.copyfileobj(part, target)
                        continue
                    data, found = svg.within(head + part.read())
                target.write(data)
                outside += found
    if outside:
        warn(
            "REMOTE_RESOURCE_BLOCKED",
            say("{outside} references to other files or websites were not loaded.", outside=outside),
        )
    return copy


def _without(data: bytes) -> tuple[bytes, int]:
    """The relationships without addresses, and how many were not loaded or lost; raises Unreadable."""
    try:
        root = etree.fromstring(plain_xml.plain(data), _PARSER)
    except etree.XMLSyntaxError as error:  # the suite reads what comes before the fault
        raise Unreadable("The document is damaged.", reason="damaged") from error
    outside = 0
    for each in root.iter("{*}Relationship"):
        if each.get("TargetMode", "").strip().lower() != "external":
            continue
        kind, target = each.get("Type", "").rpartition("/")[2], each.get("Target", "")
        kept = kind in _KEPT and _is_unreadable(target)
        if not kept:
            each.set("Target", "")
        outside += kind == _WORKBOOK or not (kept or kind == _TEMPLATE)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True), outside


def _is_unreadable(target: str) -> bool:
    address = unquote(target).strip()
    if _WEB.match(address):
        return True
    return _NOWHERE.fullmatch(address) is not None and address[0] not in "/\\" and ".." not in address
