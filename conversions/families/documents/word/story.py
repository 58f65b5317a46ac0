"""Paragraphs and tables of one part of a Word document, in their order, as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from conversions.families.documents.ooxml.package import Element
from conversions.families.documents.word import job as kinds
from conversions.families.documents.word import looks, paragraphs, tabs
from conversions.families.documents.word.alternatives import chosen
from conversions.families.documents.word.fields import Field
from conversions.families.documents.word.inline import Inline
from conversions.families.documents.word.job import DEEPEST, Job
from conversions.families.documents.word.names import MC, W, pt
from conversions.families.documents.word.paragraphs import Paragraph
from conversions.families.documents.word.properties import Properties
from conversions.families.documents.word.tables import Table
from conversions.families.documents.word.tabs import Item

_HEADING = re.compile(r"heading ([1-6])")
_TAGS = re.compile(r"<[^>]*>")
_TALL = re.compile("[\u0590-\u1dff\u2e80-\uffef\U0001f000-\U0003ffff]")
"""Letters of scripts whose fonts ask for higher lines."""
_SHOWN = re.compile(r'"data:[^"]*"')
_WRAPPERS = ("sdt", "sdtContent", "customXml", "ins", "moveTo")
BEFORE_PAGE = "break-before:page"
_FEW_LINES = 2.8
"""Lines, as far as they can be told before they are broken, of a paragraph that stays on one page: of three at most,
none would be alone, and PlutoPrint leaves one alone whatever `orphans` says."""
_NARROW = 0.45
"""How wide a letter is at least, in font sizes, where there are many."""
_MOST_KEPT, _SHORT = 5, 600
_BEFORE_COLUMN = "break-before:column"


@dataclass
class Story:
    """Writes the blocks of one part; what is open at the end of one paragraph is open in the next."""

    job: Job
    part: str
    running: bool = False
    fields: list[Field] = field(default_factory=list)
    depth: int = 0
    breaks: str = ""
    """How the next paragraph begins where a break was asked for."""

    def blocks(
        self,
        parent: Element | Iterable[Element],
        room: float,
        *,
        table: tuple[Properties, Properties] | None = None,
        dark: bool = False,
    ) -> str:
        """The markup of the paragraphs and tables in an element, for a width in points."""
        if self.depth >= DEEPEST:
            self.job.found[kinds.DEEP] += 1
            return ""
        self.depth += 1
        elements = list(unwrapped(parent))
        styles, numbering = self.job.styles, self.job.numbering
        read = [paragraphs.read(each, styles, numbering, table) if each.tag == W + "p" else None for each in elements]
        found: list[str] = []
        together: list[str] = []
        for at, (element, paragraph) in enumerate(zip(elements, read, strict=True)):
            if paragraph is None:
                written = Table(self.job, element, self.blocks).write(element, room)
                if self.breaks:
                    written = f'<div style="{self.breaks}">{written}</div>'
                    self.breaks = ""
                found += [*together, written]
                together = []
                continue
            before = read[at - 1] if at else None
            after = read[at + 1] if at + 1 < len(read) else None
            written = self._write(paragraph, before, after, room, dark)
            if paragraph.block.get("keepNext") and len(together) < _MOST_KEPT and BEFORE_PAGE not in written:
                together.append(written)
            elif together and len(_SHOWN.sub("", written)) < _SHORT and BEFORE_PAGE not in written:
                # A paragraph that can't be parted takes what is kept with it along.
                found.append(f'<div class="keep">{"".join([*together, written])}</div>')
                together = []
            else:
                found += [*together, written]
                together = []
        self.depth -= 1
        return "".join([*found, *together])

    def _write(
        self, paragraph: Paragraph, before: Paragraph | None, after: Paragraph | None, room: float, dark: bool
    ) -> str:
        block = paragraph.block
        if block.get("contextualSpacing"):
            block = dict(block)
            kin = self.job.styles.kin(paragraph.style)
            if before is not None and self.job.styles.kin(before.style) == kin:
                block["before"] = 0.0
            if after is not None and self.job.styles.kin(after.style) == kin:
                block["after"] = 0.0
        if self.job.summed and before is not None:
            block = {**block, "before": block.get("before", 0.0) + self._below(before, paragraph)}
        dark = dark or looks.is_dark(block.get("shd"))
        css = looks.base(paragraph.text, dark=dark)
        inline = Inline(
            self.job, self.part, paragraph.text, css, self.fields, self._boxed, room, running=self.running, dark=dark
        )
        label = self._label(paragraph, inline, dark)
        inline.read(paragraph.element)
        if inline.noted:
            text = paragraph.text | {"size": max(inline.largest, paragraph.text.get("size", 10.0))}
            self.job.below |= dict.fromkeys(inline.noted, looks.below(block, text))
        if inline.items and inline.items[-1].kind == "line":
            inline.items.append(Item("line", "<br>"))  # the last one alone would begin no line
        pieces = _split(inline.items)
        level = self._level(paragraph)
        frame = block.get("borders")
        framed = any(edge != "none" for edge, _ in (frame or {}).values())
        above = framed and before is not None and before.block.get("borders") == frame
        below = framed and after is not None and after.block.get("borders") == frame
        if not any(each.markup for each in pieces[0][1]) and len(pieces) == 1:
            css = looks.base(paragraph.text | paragraph.mark, dark=dark)
        elif 0 < inline.largest < paragraph.text.get("size", 10.0):
            # Lines are as high as what stands in them, not as the paragraph's style would have them.
            css["font-size"] = pt(inline.largest)
        standing = looks.paragraph(block, paragraph.text, above=above, below=below)
        if abs(block.get("line", ("auto", 1.0))[1] - 1) < 0.01 and any(
            _TALL.search(each.markup) for each in inline.items
        ):
            standing.pop("line-height", None)
        name = self.job.looks.name(looks.said(css) | standing)
        found = []
        for at, (broken, items) in enumerate(pieces):
            self.breaks = broken or self.breaks
            if at == len(pieces) - 1 and at and not any(each.markup.strip() for each in items):
                break  # what is after the break is the mark of the paragraph alone
            if len(pieces) > 1 and at == 0 and not any(each.markup for each in items) and not label:
                continue
            markup = (label if at == 0 else "") + tabs.line(items, block, room)
            left = room - block.get("left", 0.0) - block.get("right", 0.0)
            # Not for all of them: PlutoPrint then parts a word wherever it is of two runs.
            long = _longest(markup) * _NARROW * max(inline.largest, 8.0) > left
            lines = sum(each.width for each in items) / max(left, 1.0)
            short = 0.9 < lines < _FEW_LINES and block.get("widowControl") is not False
            whole = self.depth == 1 and (short or "<img" in markup)
            marks = "".join(f" {mark}" for mark, on in (("long", long), ("whole", whole)) if on)
            found.append(self._paragraph(markup, name + marks, level if at == 0 else 0))
        return "".join([*inline.before, *found])

    def _below(self, before: Paragraph, paragraph: Paragraph) -> float:
        """How much the paragraph before leaves blank below itself."""
        styles = self.job.styles
        if before.block.get("contextualSpacing") and styles.kin(before.style) == styles.kin(paragraph.style):
            return 0.0
        return float(before.block.get("after", 0.0))

    def _paragraph(self, markup: str, name: str, level: int) -> str:
        tag = f"h{level}" if level else "p"
        more = ""
        if level:
            text = " ".join(_TAGS.sub("", markup).split())
            if text:
                anchor = f"h{len(self.job.headings) + 1}"
                self.job.headings.append((level, text, anchor))
                more = f' id="{anchor}"'
        style = f' style="{self.breaks}"' if self.breaks else ""
        self.breaks = ""
        return f'<{tag}{more} class="{name}"{style}>{markup or "<br>"}</{tag}>'

    def _level(self, paragraph: Paragraph) -> int:
        if self.running or self.depth > 1:
            return 0
        match = _HEADING.fullmatch(self.job.styles.name(paragraph.style))
        if match:
            return int(match[1])
        outline = paragraph.block.get("outline")
        return outline + 1 if outline is not None and 0 <= outline < 6 else 0

    def _label(self, paragraph: Paragraph, inline: Inline, dark: bool) -> str:
        number = paragraph.block.get("numId")
        if not number:
            return ""
        label = self.job.numbering.next(number, paragraph.block.get("ilvl", 0))
        if label is None or not label.text:
            return ""
        letters = {k: v for k, v in paragraph.mark.items() if k != "u"} | label.letters
        look = paragraph.text | letters
        css = looks.run(look, inline.around, dark=dark)
        inline.largest = max(inline.largest, look.get("size", 10.0))
        hanging = -paragraph.block.get("first", 0.0)
        after = " " if label.follow == "tab" else ""  # for what reads the words and not their places
        if label.follow == "tab":
            wide = tabs.width(label.text, look)
            if hanging <= 0:
                stops = [each for each in paragraph.block.get("tabs", {}) if each > paragraph.block.get("left", 0.0)]
                hanging = min(stops) - paragraph.block.get("left", 0.0) + hanging if stops else 36.0
            css |= {
                "display": "inline-block",
                "text-indent": "0",
                "white-space": "nowrap",
                "min-width": pt(hanging if wide <= hanging else wide + 6),
            }
        elif label.follow == "space":
            return f'<span class="{self.job.looks.name(css, "n")}">{_escaped(label.text)}</span> '
        return f'<span class="{self.job.looks.name(css, "n")}">{_escaped(label.text)}{after}</span>'

    def _boxed(self, element: Element, room: float) -> str:
        """The paragraphs of a box of text, which have nothing to do with what is open around it."""
        held, self.fields, breaks, self.breaks = self.fields, [], self.breaks, ""
        footed, self.job.footed = self.job.footed, False
        found = self.blocks(element, room)
        self.fields, self.breaks, self.job.footed = held, breaks, footed
        return found


def _longest(markup: str) -> int:
    """How many letters its longest word has."""
    return max(map(len, _TAGS.sub("", markup).split()), default=0)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _split(items: list[Item]) -> list[tuple[str, list[Item]]]:
    """The items before and after each break of the page or the column, and which break it was."""
    found: list[tuple[str, list[Item]]] = [("", [])]
    for each in items:
        if each.kind in ("page", "column"):
            found.append((BEFORE_PAGE if each.kind == "page" else _BEFORE_COLUMN, []))
        else:
            found[-1][1].append(each)
    return found


def unwrapped(parent: Element | Iterable[Element]) -> Iterable[Element]:
    """Paragraphs and tables, also in content controls and in what was inserted."""
    for each in parent:
        if each.tag in (W + "p", W + "tbl"):
            yield each
        elif each.tag == MC + "AlternateContent":
            yield from unwrapped(chosen(each))
        elif isinstance(each.tag, str) and each.tag.startswith(W) and each.tag.removeprefix(W) in _WRAPPERS:
            yield from unwrapped(each)
