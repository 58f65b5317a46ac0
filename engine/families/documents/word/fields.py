"""Interpret the instructions of Word fields (ECMA-376, part 1, 17.16)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from html import escape

from lxml import etree

from engine.families.documents import ruby
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import job as kinds
from engine.families.documents.word import page_numbers, running_titles
from engine.families.documents.word.field_values import FieldValues
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import W, child, integer, on, value
from engine.families.documents.word.running_titles import Title
from engine.toolkit import symbols

SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")
"""URL schemes that links may have."""
_BUTTONS = frozenset(("MACROBUTTON", "GOTOBUTTON"))
_LONGEST, _STORED = 10_000, 200
_MOST_AROUND = 20
"""The fields around a text that are told of it."""


@dataclass
class Field:
    """An open field: its instruction, until its result starts."""

    instruction: str = ""
    result: bool = False
    counted: str = ""
    link: str = ""
    ruby: tuple[str, str] | None = None
    """The base text and its reading, if the instruction is only a ruby."""
    numbered: tuple[str, ...] = ()
    """The words of the instruction, if the result is a page number, which is known only after layout."""
    title: Title | None = None
    """The paragraph of the page whose text it shows in a header or footer."""
    start: int = 0
    """The number of items in its paragraph before the result."""
    stored: str | None = None
    """The beginning of the text of its stored result; None without one."""

    def add(self, text: str) -> None:
        """Note a piece of its stored result, or of its instruction before that, which fields within may write."""
        if not self.result:
            self.instruction += text[:_LONGEST]
        elif text.strip():
            self.stored = ((self.stored or "") + text)[:_STORED]

    def begin(self, job: Job, *, running: bool) -> None:
        """Start the result by evaluating the instruction; `running` is whether page numbers are computed here."""
        self.result = True
        words = self.instruction.split()
        name = words[0].upper() if words else ""
        if running and name in page_numbers.COUNTED and name != "PAGEREF":
            self.counted = page_numbers.mark(words)
        elif running and job.drawn and name == "STYLEREF":
            self.title = running_titles.asked_by(self.instruction)
        elif job.drawn and name in page_numbers.COUNTED and len(words) > (name == "PAGEREF"):
            self.numbered = tuple(words)
        elif name == "SYMBOL" or name in _BUTTONS:
            self.counted = escape(written(self.instruction), quote=False)
        elif name == "EQ":
            self.ruby = ruby.parse_field(self.instruction)
            if self.ruby is None:
                job.found[kinds.FIELD] += 1
        elif name == "HYPERLINK" and len(words) > 1:
            self._linked(job, words[1:])
        if name in ("PAGEREF", "REF") and len(words) > 1 and "\\h" in words:
            job.linked.add(words[1])
            self.link = f"#{job.anchor(words[1])}"

    def _linked(self, job: Job, words: list[str]) -> None:
        local = "\\l" in words
        quoted = next((each.strip('"\u201c\u201d') for each in words if not each.startswith("\\")), "")
        if local and quoted:
            job.linked.add(quoted)
            self.link = f"#{job.anchor(quoted)}"
        elif quoted.lower().startswith(SCHEMES):
            self.link = quoted


def shown(control: Element) -> str:
    """Return the text of a form field that is not in the document: a check box, or the selected entry (17.16.7)."""
    if (box := child(control, "checkBox")) is not None:
        state = next((each for each in (child(box, "checked"), child(box, "default")) if each is not None), None)
        return "\u2612" if state is not None and on(state) else "\u2610"
    if (choice := child(control, "ddList")) is not None:
        entries = [value(each) or "" for each in choice.iterfind(W + "listEntry")]
        chosen = integer(value(child(choice, "result")) or value(child(choice, "default"))) or 0
        return entries[chosen] if 0 <= chosen < len(entries) else ""
    return ""


def written(instruction: str) -> str:
    """Return the text that a field shows by its instruction alone: a symbol, or the text of a button (17.16.5)."""
    words = instruction.split(None, 2)
    name = words[0].upper() if words else ""
    if name == "SYMBOL":
        return _symbol(instruction)
    return " ".join(words[2].split()) if name in _BUTTONS and len(words) > 2 else ""


def _symbol(instruction: str) -> str:
    """Return the character that a SYMBOL field shows (17.16.5.63); empty if its code is invalid."""
    words = [each.strip('"\u201c\u201d') for each in instruction.split()][1:]
    if not words:
        return ""
    digits = words[0][2:] if words[0][:2].lower() == "0x" else words[0]
    try:
        code = int(digits, 16 if digits is not words[0] else 10)
    except ValueError:
        return ""
    at = next((number for number, each in enumerate(words) if each.lower() == "\\f"), len(words))
    font = " ".join(words[at + 1 :]).partition("\\")[0].strip()
    if symbols.is_symbolic(font) or code > 0xFF:
        return symbols.coded(f"{code:x}" if 0 < code <= 0x10FFFF else "", font)
    return bytes((code,)).decode("cp1252", "ignore") if code >= 0x20 else ""


@dataclass
class _Open:
    """A field of a part that is written: its first run, and whether its result has started."""

    run: Element
    field: Field


def write_results(root: Element, values: FieldValues) -> int:
    """Insert the computed text of fields without a stored result; return the number of form fields."""
    forms = 0
    opened: list[_Open] = []
    for run in list(root.iter(W + "r", W + "fldSimple")):
        if run.tag == W + "fldSimple":
            instruction = run.get(W + "instr") or ""
            stored = next((each.text or "" for each in run.iter(W + "t")), None)
            if text := _value(instruction, stored, values):
                run.append(_written(text, None))
            continue
        for each in run:
            kind = each.get(W + "fldCharType") if each.tag == W + "fldChar" else None
            if kind == "begin":
                control = child(each, "ffData")
                forms += control is not None
                if control is not None and (text := shown(control)):
                    run.addprevious(_written(text, run))
                opened.append(_Open(run, Field()))
            elif each.tag in (W + "instrText", W + "t") and opened:
                for outer in opened[-_MOST_AROUND:] if each.tag == W + "t" else opened[-1:]:
                    outer.field.add(each.text or "")
            elif kind == "separate" and opened:
                opened[-1].field.result = True
            elif kind == "end" and opened:
                begun = opened.pop()
                if text := _value(begun.field.instruction, begun.field.stored, values):
                    begun.run.addprevious(_written(text, begun.run))
                    for outer in opened[-_MOST_AROUND:]:
                        outer.field.add(text)
    return forms


def _value(instruction: str, stored: str | None, values: FieldValues) -> str | None:
    return (None if stored is not None else written(instruction)) or values.of(instruction, stored)


def _written(text: str, like: Element | None) -> Element:
    """A run with a text and the properties of another."""
    made = etree.Element(W + "r")
    if (look := child(like, "rPr")) is not None:
        made.append(deepcopy(look))
    etree.SubElement(made, W + "t").text = text
    return made
