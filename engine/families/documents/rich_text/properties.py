"""Convert RTF text and paragraph properties (1.9.1) to WordprocessingML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.families.documents.ooxml.made import add
from engine.families.documents.ooxml.package import Element

Properties: TypeAlias = Mapping[str, Any]
"""Properties by name; replaced rather than changed, so that groups need not copy them."""

PLAIN: Properties = {"fs": 24}
"""The properties after `plain`: text of 12 points."""
BLOCK: Properties = {}

_ON_OFF = {"b": "b", "i": "i", "caps": "caps", "scaps": "smallCaps", "strike": "strike", "striked": "dstrike",
           "v": "vanish", "outl": "outline", "shad": "shadow"}  # fmt: skip
_UNDERLINES = {"ul": "single", "uld": "dotted", "uldb": "double", "ulwave": "wave", "uldash": "dash", "ulth": "thick",
               "uldashd": "dotDash", "uldashdd": "dotDotDash", "ulw": "words", "ulldash": "dashLong",
               "ulhwave": "wave", "ululdbwave": "wave"}  # fmt: skip
_NUMBERS = ("fs", "f", "cf", "highlight", "expndtw", "kerning", "up", "dn")
_ALIGN = {"ql": "left", "qc": "center", "qr": "right", "qj": "both", "qd": "both"}
_BLOCK_NUMBERS = {"li": "left", "ri": "right", "fi": "first", "sb": "before", "sa": "after", "sl": "line",
                  "slmult": "multiple", "ilvl": "ilvl", "itap": "itap", "cbpat": "ground", "outlinelevel": "outline",
                  "lin": "left", "rin": "right", "shading": "share", "cfpat": "front"}  # fmt: skip
_BLOCK_YES = {"keep": "keepLines", "keepn": "keepNext", "pagebb": "pageBreakBefore", "intbl": "table",
              "contextualspace": "contextualSpacing"}  # fmt: skip
_TABS = {"tqr": "right", "tqc": "center", "tqdec": "decimal"}
_LEADERS = {"tldot": "dot", "tlmdot": "middleDot", "tlhyph": "hyphen", "tlul": "underscore", "tlth": "heavy",
            "tleq": "underscore"}  # fmt: skip
_EDGES = {"brdrt": "top", "brdrb": "bottom", "brdrl": "left", "brdrr": "right", "brdrbtw": "between"}
_LINES = {"brdrs": "single", "brdrth": "single", "brdrdb": "double", "brdrdot": "dotted", "brdrdash": "dashed",
          "brdrhair": "single", "brdrdashsm": "dashed", "brdrdashd": "dotDash", "brdrdashdd": "dotDotDash",
          "brdrtriple": "triple", "brdrtnthsg": "thinThickSmallGap", "brdrthtnsg": "thickThinSmallGap",
          "brdrwavy": "wave", "brdremboss": "threeDEmboss", "brdrengrave": "threeDEngrave", "brdroutset": "outset",
          "brdrinset": "inset", "brdrnone": "none", "brdrnil": "none", "brdrtbl": "none"}  # fmt: skip
_MOST_TABS = 100
_FRAME_NUMBERS = {"absw": "w", "absh": "h", "posx": "x", "posy": "y", "posnegx": "x", "posnegy": "y"}
_FRAME_PLACES = {
    "phmrg": ("hAnchor", "margin"), "phpg": ("hAnchor", "page"), "phcol": ("hAnchor", "text"),
    "pvmrg": ("vAnchor", "margin"), "pvpg": ("vAnchor", "page"), "pvpara": ("vAnchor", "text"),
    "posxc": ("xAlign", "center"), "posxl": ("xAlign", "left"), "posxr": ("xAlign", "right"),
    "posxi": ("xAlign", "inside"), "posxo": ("xAlign", "outside"), "posyt": ("yAlign", "top"),
    "posyc": ("yAlign", "center"), "posyb": ("yAlign", "bottom"),
}  # fmt: skip


def with_text_property(properties: Properties, word: str, number: int | None) -> Properties | None:
    """Text properties after a control word; None if the word isn't a text property."""
    if word in _ON_OFF:
        return {**properties, _ON_OFF[word]: number != 0}
    if word in _UNDERLINES:
        return {**properties, "u": "none" if number == 0 else _UNDERLINES[word]}
    if word in _NUMBERS and number is not None:
        return {**properties, word: number}
    if word in ("chcbpat", "cb") and number is not None:
        return {**properties, "ground": number}
    if word == "ulnone":
        return {**properties, "u": "none"}
    if word in ("super", "sub", "nosupersub"):
        shown = {"super": "superscript", "sub": "subscript"}.get(word, "baseline")
        return {**properties, "vertAlign": shown if number != 0 else "baseline"}
    if word in ("revised", "deleted"):
        return {**properties, word: number != 0}
    return None


def with_paragraph_property(properties: Properties, word: str, number: int | None) -> Properties | None:
    """Paragraph properties after a control word; None if the word isn't a paragraph property."""
    if word in _ALIGN:
        return {**properties, "jc": _ALIGN[word]}
    if word in _BLOCK_NUMBERS and number is not None:
        return {**properties, _BLOCK_NUMBERS[word]: number}
    if word in _BLOCK_YES:
        return {**properties, _BLOCK_YES[word]: number != 0}
    if word in ("widctlpar", "nowidctlpar"):
        return {**properties, "widowControl": word == "widctlpar"}
    if word in ("rtlpar", "ltrpar"):
        return {**properties, "bidi": word == "rtlpar"}
    if word in _TABS:
        return {**properties, "kind": _TABS[word]}
    if word in _LEADERS:
        return {**properties, "leader": _LEADERS[word]}
    if word == "tx" and number is not None:
        stop = (number, properties.get("kind", "left"), properties.get("leader", "none"))
        stops = properties.get("tabs", ())
        found = {**properties, "tabs": (*stops, stop)} if len(stops) < _MOST_TABS else dict(properties)
        found.pop("kind", None)
        found.pop("leader", None)
        return found
    return None


def with_frame_property(properties: Properties, word: str, number: int | None) -> Properties | None:
    """Paragraph properties after a word that places its frame; None if the word doesn't."""
    if word in _FRAME_NUMBERS and number is not None:
        own: dict[str, int | str] = {_FRAME_NUMBERS[word]: abs(number) if word == "absh" else number}
    elif word in _FRAME_PLACES:
        name, place = _FRAME_PLACES[word]
        own = {name: place}
    else:
        return None
    return {**properties, "frame": {**properties.get("frame", {}), **own}}


class Edges:
    """The border that words such as `brdrw` currently refer to: of a paragraph, row or cell."""

    def __init__(self) -> None:
        self._now: list[dict[str, int | str]] = []

    def paragraph(self, properties: Properties, word: str) -> Properties | None:
        """Start a paragraph border, if the word is one."""
        if word not in _EDGES and word != "box":
            return None
        sides = ("top", "left", "bottom", "right") if word == "box" else (_EDGES[word],)
        self._now = [{} for _ in sides]
        return {**properties, "borders": {**properties.get("borders", {}), **dict(zip(sides, self._now, strict=True))}}

    def begin(self) -> dict[str, int | str]:
        """Start another border."""
        self._now = [{}]
        return self._now[0]

    def word(self, word: str, number: int | None) -> bool:
        """Handle a word that modifies the current border; return whether it does."""
        if word in _LINES:
            for each in self._now:
                each["val"] = _LINES[word]
                if word == "brdrth":
                    each["thick"] = 2
        elif word in ("brdrw", "brdrcf", "brsp") and number is not None:
            for each in self._now:
                each[word] = number
        else:
            return False
        return True


def edge(properties: Mapping[str, int | str], colours: Sequence[str]) -> dict[str, Any]:
    """A border as WordprocessingML attributes."""
    width = int(properties.get("brdrw", 10)) * int(properties.get("thick", 1))
    return {
        "val": properties.get("val", "none"),
        "sz": max(1, min(round(width / 20 * 8), 96)),
        "color": colour(int(properties.get("brdrcf", 0)), colours) or "auto",
        "space": max(0, min(round(int(properties.get("brsp", 0)) / 20), 31)),
    }


def colour(number: int | None, colours: Sequence[str]) -> str | None:
    """A colour from the table; None for the automatic one."""
    return colours[number] or None if number is not None and 0 <= number < len(colours) else None


def write_run_properties(
    parent: Element, properties: Properties, fonts: Mapping[int, str], colours: Sequence[str]
) -> None:
    """Write text properties to a `w:rPr`."""
    if face := fonts.get(properties.get("f", -1)):
        add(parent, "rFonts", ascii=face)
    for name in _ON_OFF.values():
        if name in properties or name in ("b", "i"):
            add(parent, name, val=int(properties.get(name, False)))
    add(parent, "sz", val=max(2, min(int(properties.get("fs", 24)), 3276)))
    add(parent, "color", val=colour(properties.get("cf"), colours) or "auto")
    if properties.get("u", "none") != "none":
        add(parent, "u", val=properties["u"])
    for name in ("highlight", "ground"):
        if ground := colour(properties.get(name), colours):
            add(parent, "shd", val="clear", fill=ground)
            break
    if properties.get("vertAlign", "baseline") != "baseline":
        add(parent, "vertAlign", val=properties["vertAlign"])
    if properties.get("expndtw"):
        add(parent, "spacing", val=properties["expndtw"])
    if properties.get("kerning"):
        add(parent, "kern", val=properties["kerning"])
    if raised := properties.get("up", 0) - properties.get("dn", 0):
        add(parent, "position", val=raised)


def write_paragraph_properties(parent: Element, properties: Properties, colours: Sequence[str]) -> None:
    """Write paragraph properties to a `w:pPr`."""
    for name in ("keepNext", "keepLines", "pageBreakBefore", "contextualSpacing", "bidi"):
        if properties.get(name):
            add(parent, name)
    if "frame" in properties:
        add(parent, "framePr", **properties["frame"])
    if properties.get("widowControl") is False:
        add(parent, "widowControl", val=0)
    if "numbering" in properties:
        number, depth = properties["numbering"]
        item = add(parent, "numPr")
        add(item, "ilvl", val=depth)
        add(item, "numId", val=number)
    if borders := properties.get("borders"):
        frame = add(parent, "pBdr")
        for side, each in borders.items():
            add(frame, side, **edge(each, colours))
    if (ground := shade(properties, colours)) is not None:
        add(parent, "shd", val="clear", fill=ground)
    if stops := properties.get("tabs"):
        tabs = add(parent, "tabs")
        for place, kind, leader in stops:
            add(tabs, "tab", val=kind, pos=place, leader=leader)
    found: dict[str, int | str] = {"before": properties.get("before", 0), "after": properties.get("after", 0)}
    if height := properties.get("line", 0):
        rule = "auto" if properties.get("multiple") else "exact" if height < 0 else "atLeast"
        found |= {"line": abs(height), "lineRule": rule}
    add(parent, "spacing", **found)
    first = properties.get("first", 0)
    indent = {"left": properties.get("left", 0), "right": properties.get("right", 0)}
    add(parent, "ind", **indent, **{"hanging" if first < 0 else "firstLine": abs(first)})
    if "jc" in properties:
        add(parent, "jc", val=properties["jc"])
    if 0 <= properties.get("outline", 9) < 9:
        add(parent, "outlineLvl", val=properties["outline"])


def shade(properties: Properties, colours: Sequence[str]) -> str | None:
    """The background that `cbpat`, `cfpat` and `shading` (in hundredths of a percent) combine to."""
    back, front = colour(properties.get("ground"), colours), colour(properties.get("front"), colours)
    share = max(0, min(properties.get("share", 0), 10_000)) / 10_000
    if not share:
        return back
    mixed = zip(bytes.fromhex(front or "000000"), bytes.fromhex(back or "ffffff"), strict=True)
    return bytes(round(over * share + under * (1 - share)) for over, under in mixed).hex()
