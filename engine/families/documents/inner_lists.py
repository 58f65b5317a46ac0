"""Give the inner lists of an OpenDocument text that pandoc wrote styles of their own (ODF 1.3, part 3, 16.30).

pandoc gives the numbers of an inner list to the next free level of the list around it. That is the level at which the
list stands for the first list of each depth only: the others get numbers of another list, or none.
"""

from __future__ import annotations

import copy
import zipfile
from pathlib import Path

from lxml import etree

from engine.families.documents.odf.names import FO, STYLE, TEXT
from engine.families.documents.ooxml.package import Element

_CONTENT = "content.xml"
_LEVEL, _NAME, _STYLE_NAME = f"{TEXT}level", f"{STYLE}name", f"{TEXT}style-name"


def number(path: Path) -> None:
    """Give each inner list its numbers, in place; a text without inner lists stays as it is."""
    with zipfile.ZipFile(path) as file:
        parts = [(each, file.read(each)) for each in file.infolist()]
    content = next(data for entry, data in parts if entry.filename == _CONTENT)
    root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
    if not _number(root):
        return
    made = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, data in parts:
            file.writestr(entry, made if entry.filename == _CONTENT else data)


def _number(root: Element) -> bool:
    styles = {str(each.get(_NAME)): _levels(each) for each in root.iter(f"{TEXT}list-style")}
    parents = {str(each.get(_NAME)): each.getparent() for each in root.iter(f"{TEXT}list-style")}
    used: dict[str, int] = {}
    begun, changed = "", 0
    for each in root.iter(f"{TEXT}list"):
        name = str(each.get(_STYLE_NAME, ""))
        if name:
            begun = name
            used.setdefault(name, len(styles.get(name, {})) if _is_bulleted(styles.get(name, {})) else 1)
            level = 1
        elif begun:
            used[begun] += 1
            level = used[begun]
        depth = sum(1 for _ in each.iterancestors(f"{TEXT}list")) + 1
        given = styles.get(begun, {}).get(level)
        if given is None or depth == 1 or _is_bulleted({level: given}):
            continue
        changed += 1
        own = f"Inner{changed}"
        style = etree.SubElement(parents[begun], f"{TEXT}list-style", {_NAME: own})
        numbers = copy.deepcopy(given)
        numbers.set(_LEVEL, str(depth))
        _indent(numbers, depth)
        style.append(numbers)
        each.set(_STYLE_NAME, own)
    return bool(changed)


def _levels(style: Element) -> dict[int, Element]:
    return {int(each.get(_LEVEL, "0")): each for each in style}


def _is_bulleted(levels: dict[int, Element]) -> bool:
    return any(each.tag == f"{TEXT}list-level-style-bullet" for each in levels.values())


def _indent(numbers: Element, depth: int) -> None:
    """Indent a list as pandoc does at this depth, not at the level that it comes from."""
    place = f"{(depth + 1) / 4}in"
    for each in numbers.iter(f"{STYLE}list-level-label-alignment"):
        each.set(f"{FO}margin-left", place)
        each.set(f"{TEXT}list-tab-stop-position", place)
