"""Interpret the instructions of Word fields (ECMA-376, part 1, 17.16)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.documents import ruby
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import job as kinds
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import W, child, integer, on, value

PAGE, PAGES, SECTION_PAGES = "\x01", "\x02", "\x03"
"""Placeholders for the number of the page, of all pages and of the section's pages; XML has no such characters."""
_COUNTED = {"PAGE": PAGE, "NUMPAGES": PAGES, "SECTIONPAGES": SECTION_PAGES}
SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")
"""URL schemes that links may have."""


@dataclass
class Field:
    """An open field: its instruction, until its result starts."""

    instruction: str = ""
    result: bool = False
    counted: str = ""
    link: str = ""
    ruby: tuple[str, str] | None = None
    """The base text and its reading, if the instruction is only a ruby."""

    def begin(self, job: Job, *, running: bool) -> None:
        """Start the result by evaluating the instruction; `running` is whether page numbers are computed here."""
        self.result = True
        words = self.instruction.split()
        name = words[0].upper() if words else ""
        if running and name in _COUNTED:
            self.counted = _COUNTED[name]
        elif name == "EQ":
            self.ruby = ruby.parse_field(self.instruction)
            if self.ruby is None:
                job.found[kinds.FIELD] += 1
        elif name == "HYPERLINK" and len(words) > 1:
            self._linked(job, words[1:])
        elif name in ("PAGEREF", "REF") and len(words) > 1 and "\\h" in words:
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
