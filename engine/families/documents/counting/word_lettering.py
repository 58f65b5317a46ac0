"""Read the look of the letters of a Word document (ISO/IEC 29500-1, 17.3.2 and 17.7)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.families.documents.counting.lettering import TOGGLED, Look, Paragraph, inherited
from engine.families.documents.counting.word import BLANK, W, has_styles, main_part, parsed, pruned
from engine.toolkit.census import Census

_ON_OFF = {f"{W}b": "bold", f"{W}i": "italics", f"{W}strike": "strikes", f"{W}dstrike": "strikes"}
_OFF = frozenset({"0", "false", "off"})
_BLACK = frozenset({"auto", "000000", ""})
_NO_FILL = frozenset({"auto", "ffffff", ""})
_TEXT_COLOURS = frozenset({"text1", "dark1", "tx1", "dk1"})
_TEXTS = (f"{W}t", *BLANK, f"{W}noBreakHyphen")
_MOST_ANCESTORS = 50


def count(path: Path) -> Census:
    """Return the census of the words of the body and the notes by the look of their letters."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        names = {each.lower(): each for each in archive.namelist()}
        body = main_part(archive, names)
        folder = body.rpartition("/")[0]
        stylesheet = names.get(f"{folder}/styles.xml".lower()) if has_styles(archive, names, body) else None
        styles = _Styles() if stylesheet is None else _read(parsed(archive, stylesheet))
        _count(pruned(parsed(archive, body)), styles, census)
        for part in ("footnotes", "endnotes"):
            if name := names.get(f"{folder}/{part}.xml".lower()):
                _count(pruned(parsed(archive, name)), styles, census)
    return census


@dataclass
class _Styles:
    defaults: Look = field(default_factory=dict)
    looks: dict[str, Look] = field(default_factory=dict)
    based_on: dict[str, str] = field(default_factory=dict)
    usual: str = ""
    """The default paragraph style."""
    _resolved: dict[str, Look] = field(default_factory=dict)

    def of(self, name: str) -> Look:
        """The look of a style with what it inherits."""
        if name not in self._resolved:
            self._resolved[name] = inherited(self.looks[each] for each in reversed([*self._line(name)]))
        return self._resolved[name]

    def _line(self, name: str) -> Iterator[str]:
        seen = 0
        while name in self.looks and seen < _MOST_ANCESTORS:
            yield name
            name, seen = self.based_on.get(name, ""), seen + 1


def _read(root: Any) -> _Styles:
    styles = _Styles(defaults=_look(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")))
    for each in root.iterfind(f"{W}style"):
        name = each.get(f"{W}styleId", "")
        styles.looks[name] = _look(each.find(f"{W}rPr"))
        styles.based_on[name] = _value(each.find(f"{W}basedOn"))
        if each.get(f"{W}type") == "paragraph" and each.get(f"{W}default") in ("1", "true", "on"):
            styles.usual = name
    return styles


def _value(element: Any) -> str:
    return "" if element is None else str(element.get(f"{W}val", ""))


def _look(properties: Any) -> Look:
    found: dict[str, bool] = {}
    for each in () if properties is None else properties:
        value = _value(each).lower()
        if each.tag in _ON_OFF:
            found[_ON_OFF[each.tag]] = value not in _OFF
        elif each.tag == f"{W}u":
            found["underlines"] = value not in ("none", "")
        elif each.tag == f"{W}vertAlign":
            found["scripts"] = value in ("superscript", "subscript")
        elif each.tag == f"{W}highlight":
            found["highlights"] = value not in ("none", "white", "")
        elif each.tag == f"{W}shd" and not found.get("highlights"):
            found["highlights"] = each.get(f"{W}fill", "").lower() not in _NO_FILL
        elif each.tag == f"{W}color":
            found["inks"] = value not in _BLACK and each.get(f"{W}themeColor") not in _TEXT_COLOURS
    return found


def _count(root: Any, styles: _Styles, census: Census) -> None:
    for paragraph in root.iter(f"{W}p"):
        name = _value(paragraph.find(f"{W}pPr/{W}pStyle"))
        around = styles.of(name if name in styles.looks else styles.usual)
        pieces = Paragraph(census)
        for run in paragraph.iter(f"{W}r"):
            if next(run.iterancestors(f"{W}p")) is not paragraph:  # of a text box, which has its own turn
                continue
            text = "".join(each.text or "" if each.tag == f"{W}t" else " " for each in run.iterchildren(*_TEXTS))
            if text:
                pieces.text(text, _of_run(run.find(f"{W}rPr"), around, styles))
        pieces.end()


def _of_run(properties: Any, around: Look, styles: _Styles) -> Look:
    if properties is None:
        return inherited((styles.defaults, around))
    named = styles.of(_value(properties.find(f"{W}rStyle")))
    toggled = {each: around.get(each, False) != on for each, on in named.items() if each in TOGGLED and on}
    return inherited((styles.defaults, around, named, toggled, _look(properties)))
