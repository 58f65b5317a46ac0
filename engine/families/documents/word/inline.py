"""The runs of a paragraph as HTML: text, fields, links, notes, tracked changes, pictures, equations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape, unescape

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import css_classes, equations, fields, page_numbers, run_forms, text_widths
from engine.families.documents.word import job as kinds
from engine.families.documents.word.alternatives import choice_of
from engine.families.documents.word.character_grid import NO_GRID, CharacterGrid
from engine.families.documents.word.css_classes import Css
from engine.families.documents.word.drawings import Blocks, Drawing
from engine.families.documents.word.fields import SCHEMES, Field
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import MC, M, R, W, child, pt
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.tabs import Item
from engine.families.html_pdf import formulas
from engine.toolkit import symbols

_CHANGED_IN, _CHANGED_OUT = (W + "ins", W + "moveTo"), (W + "del", W + "moveFrom")
_SPECIAL = {"noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_TAG = re.compile(r"<[^<>]*>")
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MOST_AROUND = 20
"""The fields around a text that are told of it."""
_INSIDE = ("smartTag", "sdt", "sdtContent", "customXml", "dir", "bdo")


@dataclass
class Inline:
    """The content of one paragraph, collected in order; fields may still be open from previous paragraphs."""

    job: Job
    part: str
    text: Properties
    around: Css
    fields: list[Field]
    blocks: Blocks
    room: float
    """The text width between the margins, in points."""
    running: bool = False
    dark: bool = False
    items: list[Item] = field(default_factory=list)
    before: list[tuple[int, str]] = field(default_factory=list)
    """What is above its lines, with the number of page and column breaks before it."""
    broken: int = 0
    """The page and column breaks in `items`."""
    moved: int = 0
    """The boxes of its lines in `before`, as a line can't have blocks."""
    link: str = ""
    mark: str = ""
    largest: float = 0.0
    """The largest text size, in points."""
    font: str = ""
    """The font of text of that size, the one with the highest lines."""
    grid: CharacterGrid = NO_GRID
    level: int = 0
    """The outline level of the paragraph; 0 for text."""
    noted: list[int] = field(default_factory=list)
    """The notes for which space must be reserved at the foot of the page, below their lines."""

    def read(self, parent: Element) -> None:
        for each in parent:
            tag = each.tag
            if tag == W + "r":
                self._run(each)
            elif tag == W + "hyperlink":
                self._hyperlink(each)
            elif tag in _CHANGED_IN or tag in _CHANGED_OUT:
                self._changed(each, out=tag in _CHANGED_OUT)
            elif tag == W + "fldSimple":
                self._simple(each)
            elif tag == W + "bookmarkStart":
                name = each.get(W + "name") or ""
                if name and name != "_GoBack":
                    self._add(f'<a id="{self.job.anchor(name)}"></a>')
            elif tag in (M + "oMath", M + "oMathPara"):
                self._equation(each)
            elif tag == MC + "AlternateContent":
                self.read(choice_of(each))
            elif isinstance(tag, str) and tag.startswith(W) and tag.removeprefix(W) in _INSIDE:
                self.read(each)

    @property
    def _silent(self) -> bool:
        """Whether the current text is a field instruction, or a result that is recomputed."""
        return any(not each.result or each.counted or each.title for each in self.fields)

    def _add(self, markup: str, kind: str = "text", width: float = 0.0) -> None:
        silent = self._silent
        if kind == "text" and self.fields and not markup.startswith(("<a id=", '<span id="')):
            plain = unescape(_TAG.sub("", markup))
            for each in self.fields[-_MOST_AROUND:]:
                each.add(plain or (" \ufffc" if each.result and "<" in markup else ""))
        if silent and (kind != "text" or not markup.startswith("<a id=")):
            return
        if kind == "text" and self.mark:
            markup = f"<{self.mark}>{markup}</{self.mark}>"
        target = self.link or next((each.link for each in reversed(self.fields) if each.link), "")
        if kind == "text" and target and not markup.startswith(("<a id=", '<span id="f')):
            markup = f'<a href="{escape(target)}">{markup}</a>'
        self.items.append(Item(kind, markup, width))
        self.broken += kind in ("page", "column")

    def _run(self, run: Element) -> None:
        formatting = self.job.styles.run(run, self.text)
        if formatting.get("vanish"):
            return
        if self.grid is not NO_GRID:
            text = "".join(each.text or "" for each in run.iterchildren(W + "t"))
            formatting["spacing"] = formatting.get("spacing", 0.0) + self.grid.spacing(text, formatting)
        css = css_classes.run(formatting, self.around, dark=self.dark)
        name = self.job.classes.name(css, "s") if css else ""
        buffer: list[str] = []

        def flush() -> None:
            if buffer:
                self._text("".join(buffer), formatting, name)
                buffer.clear()

        for each in run:
            tag = each.tag
            if tag == W + "t" or (tag == W + "delText" and self.job.changes != "accept"):
                buffer.append(each.text or "")
                continue
            kind = tag.removeprefix(W) if isinstance(tag, str) and tag.startswith(W) else ""
            if kind in _SPECIAL:
                buffer.append(_SPECIAL[kind])
                continue
            if kind == "sym":
                sign, own = symbols.decoded(each.get(W + "char")), each.get(W + "font") or ""
                self.job.found[kinds.SYMBOL] += symbols.lost(sign, own)
                buffer.append(symbols.shown(sign, own))
                continue
            flush()
            if kind in ("tab", "ptab"):
                self._add("", "tab")
            elif kind in ("br", "cr"):
                broken = each.get(W + "type") or ""
                self._add("<br>", {"page": "page", "column": "column"}.get(broken, "line"))
            elif kind == "fldChar":
                self._field(each)
            elif kind == "instrText":
                if self.fields and not self.fields[-1].result:
                    self.fields[-1].instruction += each.text or ""
            elif kind in ("footnoteReference", "endnoteReference"):
                self._note(kind.removesuffix("Reference"), each)
            elif kind in ("drawing", "pict", "object"):
                self._drawing(each, kind)
            elif kind == "ruby":
                self._ruby(each)
            elif kind == "commentReference":
                self._comment(each)
            elif tag == MC + "AlternateContent":
                for inner in choice_of(each):
                    if inner.tag in (W + "drawing", W + "pict"):
                        self._drawing(inner, inner.tag.removeprefix(W))
            elif kind in ("footnoteRef", "endnoteRef"):
                pass  # the number is written with the notes
        flush()

    def _text(self, text: str, formatting: Properties, name: str) -> None:
        if formatting.get("font") and (symbols.is_symbolic(str(formatting["font"])) or symbols.is_private(text)):
            self.job.found[kinds.SYMBOL] += symbols.lost(text, str(formatting["font"]))
            text = symbols.shown(text, str(formatting["font"]))
        markup = escape(text, quote=False) if not run_forms.has_form(formatting) else run_forms.shown(text, formatting)
        if text.strip() and formatting.get("font"):
            self.job.fonts.setdefault(formatting["font"], set()).update(text)
        if formatting.get("eastFont") and _EAST_ASIAN.search(text):
            self.job.east_asian_fonts[formatting["eastFont"]] = None
        self.grow(formatting)
        if name:
            markup = f'<span class="{name}">{markup}</span>'
        self._add(markup, width=text_widths.width(text, formatting) * formatting.get("scale", 1.0))

    def grow(self, formatting: Properties) -> None:
        """Note the size and font of a text."""
        size, high = formatting.get("size", 10.0), css_classes.natural_line(formatting)
        if (size, high) > (self.largest, css_classes.natural_line({"font": self.font}) if self.font else 0.0):
            self.largest, self.font = size, str(formatting.get("font", css_classes.USUAL_FONT))

    def _hyperlink(self, element: Element) -> None:
        anchor = element.get(W + "anchor") or ""
        relation = self.job.package.relations(self.part).get(element.get(R + "id") or "")
        target = ""
        if relation is not None and relation.external and relation.target.lower().startswith(SCHEMES):
            target = relation.target + (f"#{anchor}" if anchor else "")
        elif anchor:
            self.job.linked.add(anchor)
            target = f"#{self.job.anchor(anchor)}"
        held, self.link = self.link, target or self.link
        self.read(element)
        self.link = held

    def _changed(self, element: Element, *, out: bool) -> None:
        changes = self.job.changes
        if changes == "all":
            self.job.found[kinds.SHOWN] += 1
            held, self.mark = self.mark, "del" if out else "ins"
            self.read(element)
            self.mark = held
            return
        kept = (changes == "reject") == out
        kind = (kinds.KEPT if kept else kinds.DELETED) if out else (kinds.ACCEPTED if kept else kinds.INSERTED)
        self.job.found[kind] += 1
        if kept:
            self.read(element)

    def _simple(self, element: Element) -> None:
        held = Field(element.get(W + "instr") or "")
        self.fields.append(held)
        self._begin(held)
        self.read(element)
        self._end(held)

    def _field(self, element: Element) -> None:
        kind = element.get(W + "fldCharType")
        if kind == "begin":
            control = child(element, "ffData")
            if control is not None:
                self.job.found[kinds.CONTROL] += 1
                if shown := fields.shown(control):
                    self._add(escape(shown, quote=False), width=text_widths.width(shown, self.text))
            self.fields.append(Field())
        elif kind == "separate" and self.fields and not self.fields[-1].result:
            self._begin(self.fields[-1])
        elif kind == "end" and self.fields:
            if not self.fields[-1].result:
                self._begin(self.fields[-1])
            self._end(self.fields[-1])

    def _begin(self, field: Field) -> None:
        field.begin(self.job, running=self.running)
        field.start = len(self.items)

    def _end(self, ended: Field) -> None:
        self.fields.pop()
        value = None
        if ended.title is not None:
            ended.counted = ended.title.mark(ended.stored or "")
        elif self.job.values is not None:
            value = self.job.values.of(ended.instruction, ended.stored, level=self.level)
        if value:
            look = self.job.classes.name(css_classes.run(self.text, self.around, dark=self.dark), "s")
            text = escape(value, quote=False)
            shown = f'<span class="{look}">{text}</span>' if look else text
            self._add(shown, width=text_widths.width(value, self.text))
        if ended.numbered and not self._silent:
            self._numbered(ended)
        if ended.counted and not self._silent:
            name = self.job.classes.name(css_classes.run(self.text, self.around, dark=self.dark), "s")
            self._add(f'<span class="{name}">{ended.counted}</span>' if name else ended.counted, width=12.0)
        elif ended.ruby and not self._silent:
            base, reading = (escape(each, quote=False) for each in ended.ruby)
            small = f'<span style="font-size:50%">{reading}</span>' if self.job.drawn else reading
            self._above(base, small, width=text_widths.width(base, self.text))

    def _numbered(self, ended: Field) -> None:
        """Insert a placeholder for a page number in place of the stored one."""
        job, words = self.job, ended.numbered
        name = words[0].upper()
        if name == "PAGEREF":
            job.linked.add(words[1])
            place = job.anchor(words[1])
        elif name == "NUMPAGES":
            place = ""
        else:
            place = f"q{len(job.placed) + 1}"
            job.placed.append(place)
        at = f'<span id="{place}"></span>' if place and name != "PAGEREF" else ""
        result = self.items[ended.start :]
        stored = [number for number, each in enumerate(result) if _TAG.sub("", each.markup).strip()]
        if not stored:
            look = self.job.classes.name(css_classes.run(self.text, self.around, dark=self.dark), "s")
            number = page_numbers.mark(words, place=place)
            self._add(at + (f'<span class="{look}">{number}</span>' if look else number), width=12.0)
        elif len(stored) == 1:
            item = result[stored[0]]
            text = _TAG.sub("", item.markup)
            before, found, after = item.markup.rpartition(text)
            number = page_numbers.mark(words, place=place, stored=text)
            if item.width and any(each.kind == "tab" for each in self.items):
                number = f'<span class="number" style="min-width:{pt(item.width)}">{number}</span>'
            changed = Item(item.kind, at + before + number + after, item.width) if found else item
            self.items[ended.start + stored[0]] = changed

    def _note(self, kind: str, element: Element) -> None:
        number = element.get(W + "id") or ""
        job = self.job
        at = job.numbers.setdefault((kind, number), len(job.notes) + 1)
        if first := at > len(job.notes):
            job.notes.append((kind, number))
            job.labels[at] = "" if _own_mark(element) else job.label(kind)
        self._add(f'<sup class="note" id="r{at}"><a href="#n{at}">{job.labels[at]}</a></sup>', width=6.0)
        if first and kind == "footnote" and job.footed and not self.running and not self._silent:
            if job.rowed is None:
                self.noted.append(at)
                self._add(f'<span id="f{at}"></span>')
            else:
                job.rowed.append(at)

    def _ruby(self, element: Element) -> None:
        found = []
        held = self.items
        for name in ("rubyBase", "rt"):
            self.items = []
            part = child(element, name)
            if part is not None:
                self.read(part)
            found.append(self.items)
        self.items = held
        base, reading = found
        if base or reading:
            width = sum(each.width for each in base)
            self._above("".join(each.markup for each in base), "".join(each.markup for each in reading), width)

    def _above(self, base: str, reading: str, width: float) -> None:
        """Write base text with its reading above."""
        if self.job.drawn:
            markup = f'<span class="ruby"><span>{reading}</span><span>{base}</span></span>'
        else:
            markup = f"<ruby>{base}<rp>(</rp><rt>{reading}</rt><rp>)</rp></ruby>"
        self.items.append(Item("text", markup, width))

    def _comment(self, element: Element) -> None:
        if self.job.changes == "all":
            self._note("comment", element)

    def _drawing(self, element: Element, kind: str) -> None:
        if kind == "object":
            self.job.found[kinds.OBJECT] += 1
        if self._silent:
            return
        found = Drawing(self.job, self.part, self.blocks, self.room).read(element)
        if found.before:
            self.before.append((self.broken, found.before))
        self.moved += found.moved
        if found.inline.startswith("<div"):
            self.before.append((self.broken, found.inline))
            self.moved += 1
        elif found.inline:
            self._add(found.inline, width=found.width)

    def _equation(self, element: Element) -> None:
        for each in element.iter(M + "oMath"):
            formula = equations.mathml(each, block=element.tag == M + "oMathPara")
            self._add(formulas.drawn(formula, boxes=True) if self.job.drawn else formula)


def _own_mark(reference: Element) -> bool:
    """Whether a custom mark follows in place of a number (17.11.7, 17.11.14)."""
    return (reference.get(W + "customMarkFollows") or "0") in ("1", "true", "on")
