"""What control words of RTF (1.9.1) say of text and paragraphs, and the same in WordprocessingML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from conversions.families.documents.ooxml.made import add
from conversions.families.documents.ooxml.package import Element

Said: TypeAlias = Mapping[str, Any]
"""Properties by name; never changed, only replaced, so that groups need not copy them."""

LETTERS: Said = {"fs": 24}
"""What `plain` leaves: text of 12 points."""
BLOCK: Said = {}

_ON_OFF = {"b": "b", "i": "i", "caps": "caps", "scaps": "smallCaps", "strike": "strike", "striked": "dstrike",
           "v": "vanish", "outl": "outline"}  # fmt: skip
_UNDERLINES = {"ul": "single", "uld": "dotted", "uldb": "double", "ulwave": "wave", "uldash": "dash", "ulth": "thick",
               "uldashd": "dotDash", "uldashdd": "dotDotDash", "ulw": "words", "ulldash": "dashLong",
               "ulhwave": "wave", "ululdbwave": "wave"}  # fmt: skip
_NUMBERS = ("fs", "f", "cf", "highlight", "expndtw", "up", "dn")
_ALIGN = {"ql": "left", "qc": "center", "qr": "right", "qj": "both", "qd": "both"}
_BLOCK_NUMBERS = {"li": "left", "ri": "right", "fi": "first", "sb": "before", "sa": "after", "sl": "line",
                  "slmult": "multiple", "itap": "itap", "cbpat": "ground", "outlinelevel": "outline",
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


def with_letters(said: Said, word: str, number: int | None) -> Said | None:
    """Properties of text after a control word; None where the word is none of text."""
    if word in _ON_OFF:
        return {**said, _ON_OFF[word]: number != 0}
    if word in _UNDERLINES:
        return {**said, "u": "none" if number == 0 else _UNDERLINES[word]}
    if word in _NUMBERS and number is not None:
        return {**said, word: number}
    if word in ("chcbpat", "cb") and number is not None:
        return {**said, "ground": number}
    if word == "ulnone":
        return {**said, "u": "none"}
    if word in ("super", "sub", "nosupersub"):
        shown = {"super": "superscript", "sub": "subscript"}.get(word, "baseline")
        return {**said, "vertAlign": shown if number != 0 else "baseline"}
    if word in ("revised", "deleted"):
        return {**said, word: number != 0}
    return None


def with_block(said: Said, word: str, number: int | None) -> Said | None:
    """Properties of a paragraph after a control word; None where the word is none of paragraphs."""
    if word in _ALIGN:
        return {**said, "jc": _ALIGN[word]}
    if word in _BLOCK_NUMBERS and number is not None:
        return {**said, _BLOCK_NUMBERS[word]: number}
    if word in _BLOCK_YES:
        return {**said, _BLOCK_YES[word]: number != 0}
    if word in ("widctlpar", "nowidctlpar"):
        return {**said, "widowControl": word == "widctlpar"}
    if word in ("rtlpar", "ltrpar"):
        return {**said, "bidi": word == "rtlpar"}
    if word in _TABS:
        return {**said, "kind": _TABS[word]}
    if word in _LEADERS:
        return {**said, "leader": _LEADERS[word]}
    if word == "tx" and number is not None:
        stop = (number, said.get("kind", "left"), said.get("leader", "none"))
        stops = said.get("tabs", ())
        found = {**said, "tabs": (*stops, stop)} if len(stops) < _MOST_TABS else dict(said)
        found.pop("kind", None)
        found.pop("leader", None)
        return found
    return None


class Edges:
    """The border that words such as `brdrw` speak of, whichever it is: of a paragraph, a row, a cell."""

    def __init__(self) -> None:
        self._now: list[dict[str, int | str]] = []

    def paragraph(self, said: Said, word: str) -> Said | None:
        """Begin an edge of a paragraph, if the word does."""
        if word not in _EDGES and word != "box":
            return None
        sides = ("top", "left", "bottom", "right") if word == "box" else (_EDGES[word],)
        self._now = [{} for _ in sides]
        return {**said, "borders": {**said.get("borders", {}), **dict(zip(sides, self._now, strict=True))}}

    def begin(self) -> dict[str, int | str]:
        """Begin an edge of something else."""
        self._now = [{}]
        return self._now[0]

    def word(self, word: str, number: int | None) -> bool:
        """Follow a word that speaks of the edge; whether it does."""
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


def edge(said: Mapping[str, int | str], colours: Sequence[str]) -> dict[str, Any]:
    """One edge as attributes of WordprocessingML."""
    width = int(said.get("brdrw", 10)) * int(said.get("thick", 1))
    return {
        "val": said.get("val", "none"),
        "sz": max(1, min(round(width / 20 * 8), 96)),
        "color": colour(int(said.get("brdrcf", 0)), colours) or "auto",
        "space": max(0, min(round(int(said.get("brsp", 0)) / 20), 31)),
    }


def colour(number: int | None, colours: Sequence[str]) -> str | None:
    """A colour of the table; None for the one that is automatic."""
    return colours[number] or None if number is not None and 0 <= number < len(colours) else None


def write_letters(parent: Element, said: Said, fonts: Mapping[int, str], colours: Sequence[str]) -> None:
    """Write properties of text to a `w:rPr`."""
    if face := fonts.get(said.get("f", -1)):
        add(parent, "rFonts", ascii=face)
    for name in _ON_OFF.values():
        if name in said or name in ("b", "i"):
            add(parent, name, val=int(said.get(name, False)))
    add(parent, "sz", val=max(2, min(int(said.get("fs", 24)), 3276)))
    add(parent, "color", val=colour(said.get("cf"), colours) or "auto")
    if said.get("u", "none") != "none":
        add(parent, "u", val=said["u"])
    for name in ("highlight", "ground"):
        if ground := colour(said.get(name), colours):
            add(parent, "shd", val="clear", fill=ground)
            break
    if said.get("vertAlign", "baseline") != "baseline":
        add(parent, "vertAlign", val=said["vertAlign"])
    if said.get("expndtw"):
        add(parent, "spacing", val=said["expndtw"])
    if raised := said.get("up", 0) - said.get("dn", 0):
        add(parent, "position", val=raised)


def write_block(parent: Element, said: Said, colours: Sequence[str]) -> None:
    """Write properties of a paragraph to a `w:pPr`."""
    for name in ("keepNext", "keepLines", "pageBreakBefore", "contextualSpacing", "bidi"):
        if said.get(name):
            add(parent, name)
    if said.get("widowControl") is False:
        add(parent, "widowControl", val=0)
    if borders := said.get("borders"):
        frame = add(parent, "pBdr")
        for side, each in borders.items():
            add(frame, side, **edge(each, colours))
    if (ground := shade(said, colours)) is not None:
        add(parent, "shd", val="clear", fill=ground)
    if stops := said.get("tabs"):
        tabs = add(parent, "tabs")
        for place, kind, leader in stops:
            add(tabs, "tab", val=kind, pos=place, leader=leader)
    found: dict[str, int | str] = {"before": said.get("before", 0), "after": said.get("after", 0)}
    if height := said.get("line", 0):
        rule = "auto" if said.get("multiple") else "exact" if height < 0 else "atLeast"
        found |= {"line": abs(height), "lineRule": rule}
    add(parent, "spacing", **found)
    first = said.get("first", 0)
    indent = {"left": said.get("left", 0), "right": said.get("right", 0)}
    add(parent, "ind", **indent, **{"hanging" if first < 0 else "firstLine": abs(first)})
    if "jc" in said:
        add(parent, "jc", val=said["jc"])
    if 0 <= said.get("outline", 9) < 9:
        add(parent, "outlineLvl", val=said["outline"])


def shade(said: Said, colours: Sequence[str]) -> str | None:
    """The background that `cbpat`, `cfpat` and `shading` (in hundredths of a percent) make together."""
    back, front = colour(said.get("ground"), colours), colour(said.get("front"), colours)
    share = max(0, min(said.get("share", 0), 10_000)) / 10_000
    if not share:
        return back
    mixed = zip(bytes.fromhex(front or "000000"), bytes.fromhex(back or "ffffff"), strict=True)
    return bytes(round(over * share + under * (1 - share)) for over, under in mixed).hex()
