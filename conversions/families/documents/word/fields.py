"""Fields of a Word document (ECMA-376, part 1, 17.16): what their instructions say of their results."""

from __future__ import annotations

from dataclasses import dataclass

from conversions.families.documents import ruby
from conversions.families.documents.word import job as kinds
from conversions.families.documents.word.job import Job

PAGE, PAGES, SECTION_PAGES = "\x01", "\x02", "\x03"
"""What stands for the number of the page, of all pages and of the section's pages; XML has no such characters."""
_COUNTED = {"PAGE": PAGE, "NUMPAGES": PAGES, "SECTIONPAGES": SECTION_PAGES}
SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")
"""Addresses that a link may lead to."""


@dataclass
class Field:
    """A field that is open: its instruction until its result begins."""

    instruction: str = ""
    result: bool = False
    counted: str = ""
    link: str = ""
    ruby: tuple[str, str] | None = None
    """Words and their reading, where that is all that the instruction says."""

    def begin(self, job: Job, *, running: bool) -> None:
        """The result begins: what the instruction says; `running` is whether pages are counted here."""
        self.result = True
        words = self.instruction.split()
        name = words[0].upper() if words else ""
        if running and name in _COUNTED:
            self.counted = _COUNTED[name]
        elif name == "EQ":
            self.ruby = ruby.of_field(self.instruction)
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
