"""Collect the findings of a markup tokenizer into the census of a file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from engine.toolkit.census import Census
from engine.toolkit.word_search import plain

ADDRESS = re.compile(r"\b(?:https?|ftp|mailto|irc)://?[^\s<>\"'\[\]{}|]+", re.IGNORECASE)
_ANYWHERE = {
    "links": re.compile(
        r"\\(?:href|url)\b|#link\(|`__?(?!`)|\[\[(?![Ff]ile:)|\bxref:|link:|<<|\|[^\]\n|]*\]|<(?:link|xref|ulink)\b|\b(?:https?|mailto):"
    ),
    "pictures": re.compile(
        r"data:image/|[\w./-]\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf|pdf|eps)\b", re.IGNORECASE
    ),
    "notes": re.compile(r"footnote\b|\[fn:|<ref\b|\]_"),
}
"""Anything that looks like a link, a picture or a note in any of the languages, for results that a program wrote."""
_LONG = re.compile(r"[^\W\d_]{4,}")
"""The minimum length of words that are looked for: numbers are often lengths, keys and options."""
_SHORT = re.compile(r"(?<=[\s(])[^\W\d_]{1,3}(?=[\s.,;:!?)])")
"""Shorter words between blanks or punctuation: those at a command or a brace are often lengths, keys or parts of words.

Of 249 files in LaTeX, reStructuredText, Org, AsciiDoc and Typst, seven had fewer such words as Markdown; the one that
was compared by eye had lost text.
"""


@dataclass
class Found:
    """The visible text of a source, in pieces, and the number of links, pictures and notes."""

    text: list[str] = field(default_factory=list)
    links: int = 0
    pictures: int = 0
    notes: int = 0
    spellings: list[str] = field(default_factory=list)
    """Further spellings of the text, in which words of another file may be found."""

    def census(self, source: str) -> Census:
        """Return the census; for a result, any text in the source counts as well."""
        census = Census(words=_LONG.findall("\n".join(self.text)), markup=[source, *self.spellings])
        census.short = Counter(word for each in self.text for word in _SHORT.findall(plain(each)))
        for kind, count in (("links", self.links), ("pictures", self.pictures), ("notes", self.notes)):
            if count:
                census.add(kind, count)
        for kind, pattern in _ANYWHERE.items():
            if (count := len(pattern.findall(source)) - census.total(kind)) > 0:
                census.optional[kind] = Counter({"": count})
        return census
