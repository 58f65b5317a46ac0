"""Read the tags of a written PDF, and compare them with what should be in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged.content import acts
from engine.families.html_pdf.tagged.lettering import Font
from engine.families.html_pdf.tagged.squeezing import squeezed

_UNSEEN = frozenset(("style", "title", "script", "template", "svg"))
_FAR = 3_000
_MOST_SOUGHT = 300
"""Texts that are searched for in the whole tree."""

_Content = tuple[int, int]
"""The number of the object that has a sequence, and that of the sequence in it."""


@dataclass
class Tags:
    """The text of a tree in reading order, and how much is on the pages without being in exactly one element."""

    texts: list[str] = field(default_factory=list)
    stray: int = 0

    @property
    def text(self) -> str:
        return "".join(self.texts)


def read(path: Path) -> Tags:
    """The tags of a document, from the file itself."""
    tags = Tags()
    with pikepdf.open(path) as pdf:
        fonts: dict[tuple[int, int], Font] = {}
        found: dict[_Content, str] = {}
        for page in pdf.pages:
            tags.stray += _read(page.obj.Contents, page.obj.get("/Resources"), page.obj, found, fonts, 0)
        left = dict(found)
        for key in _contents(pdf.Root.StructTreeRoot.K):
            if key in left:
                tags.texts.append(left.pop(key))
            else:
                tags.stray += 1
        tags.stray += len(left)
    return tags


def _read(
    stream: Any, resources: Any, owner: Any, found: dict[_Content, str], fonts: dict[tuple[int, int], Font], depth: int
) -> int:
    """Collect the text of each sequence in a stream; returns how many instructions are in none or in several."""
    stray = 0
    marks: list[str] = []
    for act, _ in acts(stream.read_bytes()):
        if act.kind == "mark":
            marks.append(act.name)
            if act.name:
                found.setdefault((owner.objgen[0], int(act.name)), "")
        elif act.kind == "EMC":
            stray += not marks
            marks = marks[:-1]
        elif act.kind == "text":
            stray += len(marks) != 1
            if marks and marks[-1]:
                font = resources.Font[act.name]
                if font.objgen not in fonts:
                    fonts[font.objgen] = Font(font, {})
                found[(owner.objgen[0], int(marks[-1]))] += fonts[font.objgen].text(act.text)
        elif act.kind == "do":
            form = resources.XObject[act.name]
            if form.get("/Subtype") == "/Form" and not marks and depth < 40:
                stray += _read(form, form.get("/Resources", resources), form, found, fonts, depth + 1)
            else:
                stray += len(marks) != 1
        elif act.kind in ("paint", "shade"):
            stray += len(marks) != 1
    return stray + len(marks)


def _contents(top: Any) -> Iterator[_Content]:
    """The sequences that a tree refers to, in reading order."""
    ahead: list[tuple[Any, Any]] = [(top, None)]
    while ahead:
        each, page = ahead.pop()
        if isinstance(each, int):
            yield page.objgen[0], each
        elif isinstance(each, pikepdf.Array):
            ahead += [(kid, page) for kid in reversed(list(each))]
        elif each.get("/Type") == "/MCR":
            yield (each.Stm if "/Stm" in each else each.Pg).objgen[0], int(each.MCID)
        elif each.get("/Type") != "/OBJR" and "/K" in each:
            ahead.append((each.K, each.get("/Pg", page)))


def misplaced(roots: Sequence[Element], drawn: Set[Element], written: Mapping[str, str], text: str) -> list[str]:
    """The texts of pages that are in a tree's `text`, but not in the order in which they are in the page.

    Only texts of elements that are `drawn` count. `written` has the texts of private characters.
    """
    plain = str.maketrans(dict(written))
    letters = squeezed(text)
    at, sought = 0, 0
    found = []
    for each in _texts(roots, drawn):
        own = squeezed(each.translate(plain))
        begin = letters.find(own, at, at + len(own) + _FAR) if own else at
        if begin >= 0:
            at = begin + len(own)
        elif len(own) > 1 and sought < _MOST_SOUGHT:
            sought += 1
            if own in letters:
                found.append(" ".join(each.split())[:60])
    return found


def _texts(roots: Sequence[Element], drawn: Set[Element]) -> Iterator[str]:
    for root in roots:
        ahead: list[Any] = [root.find("body")]
        while ahead:
            each = ahead.pop()
            if isinstance(each, str):
                yield each
            elif isinstance(each.tag, str) and each.tag not in _UNSEEN:
                for child in reversed(each):
                    ahead += [(child.tail if each in drawn else None) or "", child]
                yield (each.text if each in drawn else None) or ""
