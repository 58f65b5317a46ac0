"""The paragraphs and tables of one Word part as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import (
    character_grid,
    css_classes,
    floating_tables,
    frames,
    labels,
    paragraphs,
    tabs,
)
from engine.families.documents.word import job as kinds
from engine.families.documents.word.alternatives import choice_of
from engine.families.documents.word.character_grid import NO_GRID
from engine.families.documents.word.drawings import Drawing
from engine.families.documents.word.fields import Field
from engine.families.documents.word.inline import Inline
from engine.families.documents.word.job import DEEPEST, Job
from engine.families.documents.word.line_numbers import NumberedParagraph
from engine.families.documents.word.names import MC, W, child, pt
from engine.families.documents.word.paragraphs import Paragraph
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.running_titles import Titled
from engine.families.documents.word.tables import Table
from engine.families.documents.word.tabs import Item

_HEADING = re.compile(r"heading ([1-6])")
_TAGS = re.compile(r"<[^<>]*>")
_TALL = re.compile("[\u0590-\u1dff\u2e80-\uffef\U0001f000-\U0003ffff]")
"""Characters of scripts whose fonts need higher lines."""
_SHOWN = re.compile(r'"data:[^"]*"')
_WRAPPERS = ("sdt", "sdtContent", "customXml", "ins", "moveTo")
BEFORE_PAGE = "break-before:page"
_FEW_LINES = 2.8
"""The estimated lines of a paragraph that is kept on one page.

Of three lines at most, none should be alone, and PlutoPrint leaves one alone whatever `orphans` is.
"""
_NARROW = 0.45
"""The minimum average character width in long text, in font sizes."""
_MOST_KEPT, _SHORT = 5, 600
_LINE = 1.2
"""The height of a line in sizes of its letters."""
_SPARE = 2.0
"""Points by which an initial is less high than its lines, as those are rounded."""
_GAP = 1.5
"""Points between an initial and its text."""
_NO_BREAK = "break-before:auto"
_LOOSE = re.compile(r'class="(anchor|behind)">')
"""What is as high as the line below it, so that both are on one page."""
_BEFORE_COLUMN = "break-before:column"


@dataclass
class Story:
    """Writes the blocks of one part; fields open at the end of a paragraph stay open in the next."""

    job: Job
    part: str
    running: bool = False
    fields: list[Field] = field(default_factory=list)
    depth: int = 0
    breaks: str = ""
    """The break before the next paragraph, if one was requested."""
    framed: bool = False
    """Whether the current paragraphs are those of a frame."""

    def blocks(
        self,
        parent: Element | Iterable[Element],
        room: float,
        *,
        table: tuple[Properties, Properties] | None = None,
        dark: bool = False,
    ) -> str:
        """The markup of an element's paragraphs and tables, for a width in points."""
        if self.depth >= DEEPEST:
            self.job.found[kinds.DEEP] += 1
            return ""
        self.depth += 1
        elements = list(unwrapped(parent))
        styles, numbering = self.job.styles, self.job.numbering
        read = [paragraphs.read(each, styles, numbering, table) if each.tag == W + "p" else None for each in elements]
        found: list[str] = []
        together: list[str] = []
        framed = 0
        for at, (element, paragraph) in enumerate(zip(elements, read, strict=True)):
            if paragraph is None:
                breaks, self.breaks = self.breaks, ""
                table_ = Table(self.job, element, self.blocks).write(element, room)
                self.breaks = breaks
                written = floating_tables.placed(self.job, self.part, element, table_, room, self._boxed)
                found += [*together, self._after_break(written)]
                together = []
                continue
            if at < framed:
                continue
            # In a cell it is the place of its table.
            if not self.framed and table is None and (frame := paragraph.block.get("frame")):
                framed = next((n for n in range(at, len(read)) if not _has_frame(read[n], frame)), len(read))
                inside = [each for each in read[at:framed] if each is not None]
                found += [*together, self._after_break(self._in_frame(inside, room))]
                together = []
                continue
            before = read[at - 1] if at else None
            after = read[at + 1] if at + 1 < len(read) else None
            written = self._write(paragraph, before, after, room, dark)
            if _is_kept(paragraph, after) and len(together) < _MOST_KEPT and BEFORE_PAGE not in written:
                together.append(written)
            elif together and len(_SHOWN.sub("", written)) < _SHORT and BEFORE_PAGE not in written:
                # Content kept with an unbreakable paragraph moves with it.
                found.append(f'<div class="keep">{"".join([*together, written])}</div>')
                together = []
            else:
                found += [*together, written]
                together = []
        self.depth -= 1
        return "".join([*found, *together])

    def _after_break(self, markup: str) -> str:
        """What is between paragraphs, after the break that was requested."""
        breaks, self.breaks = self.breaks, ""
        return f'<div style="{breaks}">{markup}</div>' if breaks else markup

    def _in_frame(self, inside: list[Paragraph], room: float) -> str:
        """Paragraphs that share a frame, at its place."""
        self.job.floated += 1
        if self.job.floated > frames.MOST:
            self.job.found[kinds.PLACED] += 1
            self.framed = True
            content = self._boxed([each.element for each in inside], room)
            self.framed = False
            return content
        place = frames.of_frame(inside[0].block)
        wide = min(place.wide or frames.natural_width(inside, room), self.job.paper.width)
        self.framed = True
        content = self._boxed([each.element for each in inside], wide)
        self.framed = False
        box = frames.boxed(content, place, wide)
        high = place.high
        if place.needs_height and not place.exact:
            high = max(frames.height(self.job, box, wide, len(inside)), high)
        return Drawing(self.job, self.part, self._boxed, room).anchored(frames.anchor(place, wide, high), box, wide)

    def _write(
        self, paragraph: Paragraph, before: Paragraph | None, after: Paragraph | None, room: float, dark: bool
    ) -> str:
        grid = self.job.grid if paragraph.block.get("snapToGrid", True) else NO_GRID
        block = character_grid.lengths(paragraph.block, lambda: self._first_size(paragraph), self.job.pitch, grid)
        block = {**block, "keepNext": _is_kept(paragraph, after)}
        if block.get("contextualSpacing"):
            kin = self.job.styles.kin(paragraph.style)
            if before is not None and self.job.styles.kin(before.style) == kin:
                block["before"] = 0.0
            if after is not None and self.job.styles.kin(after.style) == kin:
                block["after"] = 0.0
        for name, beside in (("before", before), ("after", after)):
            # Automatic spacing is that of HTML, which has none between the items of a list (17.3.1.33).
            if block.get(f"{name}Auto") and beside is not None and _are_items(paragraph, beside):
                block[name] = 0.0
        if self.job.summed and before is not None:
            block = {**block, "before": block.get("before", 0.0) + self._below(before, paragraph)}
        dropped = _room_beside(after) * block["drop"] - _SPARE if after is not None and block.get("drop") else 0.0
        if dropped:
            block = {**block, "line": ("exact", dropped), "before": 0.0, "after": 0.0}
        dark = dark or css_classes.is_dark(block.get("shd"))
        css = css_classes.base(paragraph.text, dark=dark)
        inline = Inline(
            self.job, self.part, paragraph.text, css, self.fields, self._boxed, room, running=self.running, dark=dark
        )
        inline.grid, inline.level = grid, self._level(paragraph)
        label = labels.markup(self.job, paragraph, inline, dark=dark)
        self.job.begins = before is None and self.depth == 1 and not self.running
        inline.read(paragraph.element)
        if any(each.markup.strip() for each in inline.items):
            self.job.found[kinds.MOVED] += inline.moved
        if inline.noted:
            text = paragraph.text | {"size": max(inline.largest, paragraph.text.get("size", 10.0))}
            self.job.below |= dict.fromkeys(inline.noted, css_classes.descent(block, text))
        if inline.items and inline.items[-1].kind == "line":
            inline.items.append(Item("line", "<br>"))  # the last one alone would not start a line
        pieces = _split(inline.items)
        level = self._level(paragraph)
        frame = block.get("borders")
        framed = any(edge != "none" for edge, _ in (frame or {}).values())
        above = framed and before is not None and before.block.get("borders") == frame
        below = framed and after is not None and after.block.get("borders") == frame
        if not any(each.markup for each in pieces[0][1]) and len(pieces) == 1:
            css = css_classes.base(paragraph.text | paragraph.mark, dark=dark)
        elif 0 < inline.largest < paragraph.text.get("size", 10.0):
            # Line height follows the line's content, not the paragraph's style.
            css["font-size"] = pt(inline.largest)
        pitch = self.job.pitch if self.depth == 1 and block.get("snapToGrid", True) else 0.0
        font = inline.font or (paragraph.text | paragraph.mark).get("font", css_classes.USUAL_FONT)
        largest = paragraph.text | {"size": inline.largest or paragraph.text.get("size", 10.0), "font": font}
        standing = css_classes.paragraph(block, largest, above=above, below=below, pitch=pitch)
        if (
            not pitch
            and abs(block.get("line", ("auto", 1.0))[1] - 1) < 0.01
            and any(_TALL.search(each.markup) for each in inline.items)
        ):
            standing.pop("line-height", None)
        name = self.job.classes.name(css_classes.non_default(css) | standing)
        item = f' role="listitem" aria-level="{block.get("ilvl", 0) + 1}"' if label and self.job.drawn else ""
        ahead = [""] * len(pieces)
        for at, placed in inline.before:
            ahead[at] += placed
        found = []
        self.job.since_room += 1
        if block.get("pageBreakBefore") or any(broken == BEFORE_PAGE for broken, _ in pieces):
            self.job.room = None
        for at, (broken, items) in enumerate(pieces):
            self.breaks = broken or self.breaks
            if ahead[at]:
                tall = block.get("before", 0.0) * (at == 0) + _LINE * largest["size"]
                found.append(self._ahead(ahead[at], tall, begins=at == 0 and bool(block.get("pageBreakBefore"))))
            if at == len(pieces) - 1 and at and not any(each.markup.strip() for each in items):
                break  # only the paragraph mark follows the break
            empty = len(pieces) > 1 and at == 0 and not any(each.markup for each in items) and not label
            # A break that follows another one, or begins a section, has an empty page before it.
            if empty and not self.breaks and not (before is None and self.depth == 1):
                continue
            markup = (label if at == 0 else "") + tabs.lines(items, block, room, largest["size"])
            left = room - block.get("left", 0.0) - block.get("right", 0.0)
            # Only where needed: PlutoPrint would break a word between any two runs.
            long = _longest(markup) * _NARROW * max(inline.largest, 8.0) > left
            lines = sum(each.width for each in items) / max(left, 1.0)
            short = 0.9 < lines < _FEW_LINES and block.get("widowControl") is not False
            whole = self.depth == 1 and (short or "<img" in markup)
            marks = "".join(f" {mark}" for mark, on in (("long", long), ("whole", whole)) if on)
            markup = self._numbered(markup, block, largest, pitch)
            if at == 0 and self.job.titles:
                markup = self._titled(markup, paragraph)
            found.append(self._paragraph(markup, name + marks, level if at == 0 else 0, item if at == 0 else ""))
        written = "".join(found)
        style = f"float:left;height:{pt(dropped)};"
        if block.get("outside"):
            style += f"margin-left:-{pt(sum(each.width for each in inline.items) + _GAP)};margin-right:{pt(_GAP)}"
        else:
            style += f"margin-right:{pt(_GAP)}"
        return f'<div style="{style}">{written}</div>' if dropped else written

    def _numbered(self, markup: str, block: Properties, text: Properties, pitch: float) -> str:
        """The lines of a paragraph with marks at both ends, if they are numbered."""
        job = self.job
        if job.line_numbering is None or self.depth > 1 or self.running or block.get("suppressLineNumbers"):
            return markup
        at = len(job.numbered) + 1
        begins, ends = f"k{at}", f"l{at}"
        job.placed += (begins, ends)
        line = css_classes.high_line(block, text, pitch)
        job.numbered.append(NumberedParagraph(begins, ends, line, job.line_numbering, job.section, job.paper))
        return f'<span id="{begins}"></span>{markup or "<br>"}<span id="{ends}"></span>'

    def _first_size(self, paragraph: Paragraph) -> float:
        """The size of the first letters of a paragraph, in points."""
        run = next((each for each in paragraph.element.iter(W + "r") if child(each, "t") is not None), None)
        text = paragraph.text | paragraph.mark if run is None else self.job.styles.run(run, paragraph.text)
        return float(text.get("size", 10.0))

    def _titled(self, markup: str, paragraph: Paragraph) -> str:
        """A paragraph with a mark at its start, if headers or footers show its text."""
        job = self.job
        style, text = job.styles.name(paragraph.style), _TAGS.sub("", markup).strip()
        if self.running or style not in job.titles or not text:
            return markup
        place = f"s{len(job.titled) + 1}"
        job.placed.append(place)
        job.titled.append(Titled(place, style, text))
        return f'<span id="{place}"></span>{markup}'

    def _below(self, before: Paragraph, paragraph: Paragraph) -> float:
        """The space below the previous paragraph."""
        styles = self.job.styles
        if before.block.get("contextualSpacing") and styles.kin(before.style) == styles.kin(paragraph.style):
            return 0.0
        return float(before.block.get("after", 0.0))

    def _paragraph(self, markup: str, name: str, level: int, item: str) -> str:
        tag = f"h{level}" if level else "p"
        more = "" if level else item
        if level:
            text = " ".join(_TAGS.sub("", markup).split())
            if text:
                anchor = f"h{len(self.job.headings) + 1}"
                self.job.headings.append((level, text, anchor))
                more = f' id="{anchor}"'
        style = f' style="{self.breaks}"' if self.breaks else ""
        self.breaks = ""
        return f'<{tag}{more} class="{name}"{style}>{markup or "<br>"}</{tag}>'

    def _ahead(self, markup: str, tall: float, *, begins: bool) -> str:
        """What is above the lines of a paragraph that `begins` a page or not, on the page of the first one.

        The first line takes `tall` points.
        """
        length = pt(tall)
        markup = _LOOSE.sub(rf'class="\1" style="height:{length};margin-bottom:-{length}">', markup)
        if not self.breaks and not begins:
            return markup
        breaks, self.breaks = self.breaks or BEFORE_PAGE, _NO_BREAK if begins else ""
        return f'<div style="{breaks}">{markup}</div>'

    def _level(self, paragraph: Paragraph) -> int:
        if self.running or self.depth > 1:
            return 0
        match = _HEADING.fullmatch(self.job.styles.name(paragraph.style))
        if match:
            return int(match[1])
        outline = paragraph.block.get("outline")
        return outline + 1 if outline is not None and 0 <= outline < 6 else 0

    def _boxed(self, element: Element | Iterable[Element], room: float) -> str:
        """The paragraphs of a text box, independent of the state around it."""
        held, self.fields, breaks, self.breaks = self.fields, [], self.breaks, ""
        footed, self.job.footed = self.job.footed, False
        begins = self.job.begins
        found = self.blocks(element, room)
        self.job.begins = begins
        self.fields, self.breaks, self.job.footed = held, breaks, footed
        return found


def _are_items(paragraph: Paragraph, beside: Paragraph) -> bool:
    """Whether two paragraphs are items of one list."""
    number = paragraph.block.get("numId")
    return bool(number) and number == beside.block.get("numId")


def _has_frame(paragraph: Paragraph | None, frame: object) -> bool:
    return paragraph is not None and paragraph.block.get("frame") == frame


def _is_kept(paragraph: Paragraph, after: Paragraph | None) -> bool:
    """Whether a paragraph stays on the page of the next one, which may begin a page of its own."""
    return bool(paragraph.block.get("keepNext")) and not (after is not None and after.block.get("pageBreakBefore"))


def _room_beside(paragraph: Paragraph) -> float:
    """The line height of a paragraph, in points."""
    rule, height = paragraph.block.get("line", ("auto", 1.0))
    return float(
        height * css_classes.natural_line(paragraph.text) * paragraph.text.get("size", 10.0)
        if rule == "auto"
        else height
    )


def _longest(markup: str) -> int:
    """The length of its longest word."""
    return max(map(len, _TAGS.sub("", markup).split()), default=0)


def _split(items: list[Item]) -> list[tuple[str, list[Item]]]:
    """The items before and after each page or column break, and the kind of break."""
    found: list[tuple[str, list[Item]]] = [("", [])]
    for each in items:
        if each.kind in ("page", "column"):
            found.append((BEFORE_PAGE if each.kind == "page" else _BEFORE_COLUMN, []))
        else:
            found[-1][1].append(each)
    return found


def unwrapped(parent: Element | Iterable[Element]) -> Iterable[Element]:
    """Paragraphs and tables, including those in content controls and insertions."""
    for each in parent:
        if each.tag in (W + "p", W + "tbl"):
            yield each
        elif each.tag == MC + "AlternateContent":
            yield from unwrapped(choice_of(each))
        elif isinstance(each.tag, str) and each.tag.startswith(W) and each.tag.removeprefix(W) in _WRAPPERS:
            yield from unwrapped(each)
