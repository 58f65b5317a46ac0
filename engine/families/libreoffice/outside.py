"""Takes the addresses of other files out of presentations, which the suite would open whatever it is told."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from engine.toolkit import archive
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_WEB = re.compile(r"(?:https?:|ftp:|mailto:|#|\Z)", re.IGNORECASE)
_NOWHERE = re.compile(r"(?:file:///[a-z]:)?[^:]+", re.IGNORECASE)
"""Drives of Windows, and names beside the presentation: there is nothing to be read."""
_PARSER = etree.XMLParser(no_network=True, load_dtd=False, huge_tree=False)


def without_addresses(source: Path, warn: Warn) -> Path:
    """A copy of the PowerPoint presentation in `source` in which nothing has the address of another file.

    It is written anew even if nothing had: the suite may read another directory of an archive that has two. Raises
    Unreadable for damaged relationships.

    The suite reads linked objects while it imports them, without asking whether links may be updated, and whatever kind
    of relationship they name. Hyperlinks stay if nothing can be read there.
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
            with parts.open(each) as part, file.open(archive.entry(each.filename), "w") as target:
                if each.filename.lower().endswith(".rels"):
                    data, links = _without(part.read())
                    target.write(data)
                    hyperlinks += links
                else:
                    shutil.copyfileobj(part, target)
    if hyperlinks:
        warn(
            "REMOTE_RESOURCE_BLOCKED",
            say("{outside} references to other files or websites were not loaded.", outside=hyperlinks),
        )
    return copy


def _without(data: bytes) -> tuple[bytes, int]:
    """The relationships without addresses, and how many hyperlinks lost theirs; raises Unreadable."""
    try:
        root = etree.fromstring(data, _PARSER)
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
