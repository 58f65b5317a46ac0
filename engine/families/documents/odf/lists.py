"""Convert OpenDocument lists (ISO/IEC 26300, part 3, 16.30) to Word numberings."""

from __future__ import annotations

from copy import deepcopy

from engine.families.documents.odf import properties
from engine.families.documents.odf.names import FO, LOEXT, OFFICE, STYLE, TEXT, XML, count, twips
from engine.families.documents.odf.styles import Scope, properties_of
from engine.families.documents.ooxml.made import W, add, element
from engine.families.documents.ooxml.package import Element

_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none"}
LEVELS = 9


class Lists:
    """The numberings of a document; each list that restarts has its own."""

    def __init__(self) -> None:
        self.written = element("numbering")
        self._plans: dict[tuple[str, str], int] = {}
        self._starts: dict[int, list[int]] = {}
        self._lefts: dict[int, list[int | None]] = {}
        self._used: set[int] = set()
        self._overridden: dict[tuple[int, int, int], int] = {}
        self._left_of: dict[tuple[int, int], int | None] = {}
        self._numbers = 0
        self._last: dict[int, int] = {}
        self._named: dict[str, int] = {}
        self._plan_of: dict[int, int] = {}
        self._tails: list[Element] = []

    def outline(self, scope: Scope, styles: Element | None) -> dict[int, int]:
        """The numbering of headings: the levels that have one, and its id."""
        found = None if styles is None else styles.find(f"{OFFICE}styles/{TEXT}outline-style")
        if found is None:
            return {}
        levels = [count(each.get(TEXT + "level"), most=10) for each in found if each.get(STYLE + "num-format")]
        if not levels:
            return {}
        number = self._number(self._plan(scope, ("", "outline"), found))
        return dict.fromkeys(levels, number)

    def begin(self, scope: Scope, mark: str, name: str, style: Element | None, list: Element) -> int:
        """The id of a new list's numbering; a list that continues another shares its numbering."""
        plan = self._plan(scope, (mark, name), style)
        after = list.get(TEXT + "continue-list")
        if after is not None and after in self._named:
            number = self._named[after]
        elif list.get(TEXT + "continue-numbering") == "true" and plan in self._last:
            number = self._last[plan]
        else:
            number = self._number(plan, again=plan in self._last)
        self._last[plan] = number
        if id := list.get(XML + "id"):
            self._named[id] = number
        return number

    def restarted(self, number: int, level: int, start: int) -> int:
        """The id of a numbering for a list whose next item has an explicit number."""
        plan = self._plan_of[number]
        again = self._number(plan)
        over = add(self._tails[-1], "lvlOverride", ilvl=level)
        add(over, "startOverride", val=start)
        self._last[plan] = again
        return again

    def overridden(self, scope: Scope, number: int, level: int, mark: str, name: str, style: Element) -> int:
        """The id of a numbering that counts on, with another style for one level."""
        plan = self._plan(scope, (mark, name), style)
        key = (number, plan, level)
        if key not in self._overridden:
            again = self._overridden[key] = self._number(self._plan_of[number])
            over = add(self._tails[-1], "lvlOverride", ilvl=level)
            start = self._start(number, level)
            if start is not None:  # the item may be the first of its list, and the next counts on
                over.append(start)
            found = next((each for each in self.written[plan] if each.get(W + "ilvl") == str(level)), None)
            if found is not None:
                over.append(deepcopy(found))
            self._left_of[again, level] = self._lefts[plan][level]
        return self._overridden[key]

    def _start(self, number: int, level: int) -> Element | None:
        """The number that a list restarts with, if none of its items was written."""
        if number in self._used:
            return None
        overs = (each for each in self._tails[number - 1] if each.get(W + "ilvl") == str(level))
        return next((start for each in overs if (start := each.find(W + "startOverride")) is not None), None)

    def use(self, number: int) -> None:
        """Note that an item of this numbering was written."""
        self._used.add(number)

    def left(self, number: int, level: int) -> int | None:
        """The text indent of an item, in twips; None if the list does not set one."""
        if (number, level) in self._left_of:
            return self._left_of[number, level]
        return self._lefts[self._plan_of[number]][level]

    def close(self) -> None:
        """Append the numberings after their definitions, as the schema requires."""
        self.written.extend(self._tails)

    def _number(self, plan: int, *, again: bool = False) -> int:
        self._numbers += 1
        made = element("num", numId=self._numbers)
        add(made, "abstractNumId", val=plan)
        if again:
            for level, start in enumerate(self._starts[plan]):
                add(add(made, "lvlOverride", ilvl=level), "startOverride", val=start)
        self._tails.append(made)
        self._plan_of[self._numbers] = plan
        return self._numbers

    def _plan(self, scope: Scope, key: tuple[str, str], style: Element | None) -> int:
        if key in self._plans:
            return self._plans[key]
        number = self._plans[key] = len(self._plans)
        plan = add(self.written, "abstractNum", abstractNumId=number)
        starts = [1] * LEVELS
        lefts: list[int | None] = [None] * LEVELS
        for each in () if style is None else style:
            level = count(each.get(TEXT + "level"), most=20) - 1
            if level < LEVELS:
                starts[level] = count(each.get(TEXT + "start-value"), most=32_000)
                lefts[level] = _level(plan, each, level, scope)
        self._starts[number] = starts
        self._lefts[number] = lefts
        return number


def _level(plan: Element, style: Element, level: int, scope: Scope) -> int | None:
    """Write one level, and return its text indent in twips."""
    made = add(plan, "lvl", ilvl=level)
    add(made, "start", val=count(style.get(TEXT + "start-value"), most=32_000))
    kind = style.tag.removeprefix(TEXT)
    before, after = style.get(STYLE + "num-prefix") or "", style.get(STYLE + "num-suffix") or ""
    if kind == "list-level-style-bullet":
        add(made, "numFmt", val="bullet")
        add(made, "lvlText", val=style.get(TEXT + "bullet-char") or "•")
    elif kind == "list-level-style-image":
        add(made, "numFmt", val="bullet")
        add(made, "lvlText", val="•")
        add(made, "lvlPicBulletId", val=0)
    else:
        format = style.get(STYLE + "num-format") or ""
        add(made, "numFmt", val=_FORMATS.get(format, "decimal"))
        shown = min(count(style.get(TEXT + "display-levels"), most=LEVELS), level + 1)
        places = ".".join(f"%{each + 1}" for each in range(level - shown + 1, level + 1))
        spelled = before + places + after if format else before + after
        pattern = style.get(LOEXT + "num-list-format")
        add(made, "lvlText", val=_pattern(pattern) if pattern and format else spelled)
    left = _placed(made, style)
    run_properties = add(made, "rPr")
    named = style.get(TEXT + "style-name")
    if named and (found := scope.run((named,), 12.0)) is not None:
        run_properties.extend(deepcopy(list(found)))
    properties.write_run(run_properties, properties_of(style, "text"), scope.common.fonts, size=None)
    return left


def _pattern(text: str) -> str:
    """LibreOffice's `%1%.%2%.` as Word's `%1.%2.`."""
    found, at = "", 0
    while at < len(text):
        if text[at] == "%" and text[at + 1 : at + 2].isdecimal():
            found += text[at : at + 2]
            at += 3 if text[at + 2 : at + 3] == "%" else 2
        else:
            found += text[at]
            at += 1
    return found[:80]


def _placed(made: Element, style: Element) -> int | None:
    level = style.find(STYLE + "list-level-properties")
    if level is None:
        return None
    label = level.find(STYLE + "list-level-label-alignment")
    follow = "tab"
    block = element("pPr")
    if level.get(TEXT + "list-level-position-and-space-mode") == "label-alignment" and label is not None:
        follow = {"space": "space", "nothing": "nothing"}.get(label.get(TEXT + "label-followed-by") or "", "tab")
        left, first = (twips(label.get(FO + key)) or 0 for key in ("margin-left", "text-indent"))
        stop = twips(label.get(TEXT + "list-tab-stop-position"))
        if stop is not None:
            add(add(block, "tabs"), "tab", val="left", pos=stop)
    else:
        wide, gap = (twips(level.get(TEXT + key)) or 0 for key in ("min-label-width", "min-label-distance"))
        left = (twips(level.get(TEXT + "space-before")) or 0) + wide
        first = -max(wide, gap)
    add(made, "suff", val=follow)
    add(block, "ind", left=left, **{"hanging" if first < 0 else "firstLine": abs(first)})
    made.append(block)
    return left
