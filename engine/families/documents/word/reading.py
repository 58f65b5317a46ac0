"""Read a Word document as HTML with its layout: a page for each run of sections on equal paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal

from engine.families.documents.ooxml.made import Made
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word import (
    css_classes,
    document_properties,
    field_values,
    hidden_text,
    line_numbers,
    page_borders,
    page_positions,
    running_titles,
)
from engine.families.documents.word import job as kinds
from engine.families.documents.word import vocabulary as word_vocabulary
from engine.families.documents.word.base_style import BASE
from engine.families.documents.word.character_grid import NO_GRID
from engine.families.documents.word.field_values import FieldValues
from engine.families.documents.word.job import Job, Pinned
from engine.families.documents.word.line_numbers import NumberedParagraph
from engine.families.documents.word.names import W, child, integer, on, pt, value
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.page_borders import PageBorders
from engine.families.documents.word.page_numbers import PageNumber, filled
from engine.families.documents.word.running_titles import Titled
from engine.families.documents.word.sections import Paper, Section, sections
from engine.families.documents.word.story import BEFORE_PAGE, Story
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.theme import Theme
from engine.families.html_pdf import formulas
from engine.toolkit import office_links, office_macros, vocabulary
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

_EDGES_ON_MARGINS = 15
"""The version of Word (2013) from which table borders, not their text, align with the body text."""
_NEW_PAGE = ("nextPage", "oddPage", "evenPage")
_AGAINST = {"rl": -90, "lr": 90, "up": 90}
_FEET = re.compile(r'\bid="(f\d+)"')
IDS = re.compile(r'\bid="([^"]*)"')
_CORE = "{http://purl.org/dc/elements/1.1/}"


@dataclass(frozen=True)
class Running:
    """Headers and footers by kind (`first`, `even`, `default`), their position, and the number of pages they count."""

    heads: dict[str, str]
    feet: dict[str, str]
    first_differs: bool
    even_differs: bool
    number_format: str = "decimal"
    borders: PageBorders | None = None


@dataclass
class Sheets:
    """Pages of one paper size: their body as HTML, and their headers and footers."""

    section: Section
    body: str
    running: Running
    width: float = 0.0
    notes: dict[str, str] = field(default_factory=dict)
    """The notes at the foot of its pages, by the id of the element with each reference."""
    below: dict[str, float | None] = field(default_factory=dict)
    later: list[Running] = field(default_factory=list)
    """The headers and footers of sections that go on in these pages."""
    margins: tuple[float, float] | None = None
    """The top and bottom margins, once the heights of its headers and footers are known."""
    lead: float | None = None
    """The room above the text of its only page, in points; None if it has several, or no such room."""
    titles: dict[int, dict[str, str]] = field(default_factory=dict)
    """The texts of paragraphs that the headers and footers show, by the number of the page among these."""
    pinned: dict[int, list[Pinned]] = field(default_factory=dict)
    """What is drawn on a page beside its text, by the number of the page among these."""
    """The descent of each reference's line below its baseline; None if the element is a block."""

    @property
    def texts(self) -> list[str]:
        """The body and its notes."""
        return [self.body, *self.notes.values()]

    def fill(self, find: Callable[[str], PageNumber | None], below: page_positions.Find, end: float) -> None:
        """Write the page numbers and the positions of drawings into its texts; `below` is that of a place.

        The text of each page has an `end`, in points below its upper edge.
        """

        def written(text: str) -> str:
            return page_positions.filled(filled(text, find), below, end)

        self.body = written(self.body)
        self.notes = {mark: written(text) for mark, text in self.notes.items()}


@dataclass
class Read:
    """A document that has been read."""

    sheets: list[Sheets]
    style: str
    title: str | None
    language: str | None
    headings: list[tuple[int, str, str]]
    author: str | None = None
    links: list[str] = field(default_factory=list)
    """The ids that links in the sheets target."""
    notes: frozenset[str] = frozenset()
    """The ids of footnotes."""
    titled: list[Titled] = field(default_factory=list)
    """The paragraphs that headers and footers may show."""
    numbered: list[NumberedParagraph] = field(default_factory=list)
    """The paragraphs whose lines are numbered."""
    number_look: tuple[float, str] = (10.0, "serif")
    """The size and the font of line numbers."""
    pinned: dict[str, Pinned] = field(default_factory=dict)
    """Drawings beside the text, by the id of what is on the same page."""
    fonts: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The fonts that its texts use, with the characters set in each."""
    east_asian_fonts: tuple[str, ...] = ()


def read(package: Package, changes: Literal["accept", "reject", "all"], warn: Warn, *, drawn: bool) -> Read:
    """Read a document and close it, warning of content that can't be shown. Raises Unreadable and OverLimit."""
    with package:
        main = package.main()
        if main is None or main not in package.names:
            raise Unreadable("The file is an archive, but not a Word document.", reason="format")
        job = _job(package, main, changes, drawn)
        root = job.shown(main)
        body = child(root, "body")
        if body is None:
            raise Unreadable("The file is an archive, but not a Word document.", reason="format")
        settings = _part(package, main, "settings")
        job.values = FieldValues(root, document_properties.read(package))
        summed = child(child(settings, "compat"), "doNotUseHTMLParagraphAutoSpacing")
        job.summed = summed is not None and on(summed)
        job.like_word = not isinstance(package, Made)
        job.outdented = not job.like_word or _version(settings) < _EDGES_ON_MARGINS
        for name in ("footnote", "endnote"):
            if number_format := value(child(child(settings, f"{name}Pr"), "numFmt")):
                job.formats[name] = number_format
        made = _sheets(job, body, settings)
        ended = _notes(job, made)
        made[-1].body += as_endnotes(ended)
        if drawn:
            job.found[kinds.NOTE] += sum(each.startswith('<div class="footnote">') for each in ended)
        title, author = _called(package)
        language = _language(package, main)
        result = Read(
            made,
            BASE + (formulas.STYLE if drawn else "") + job.classes.sheet(),
            title,
            language,
            job.headings,
            author,
        )
        ids = {each for sheets in made for each in IDS.findall(sheets.body)}
        linked = [job.anchors[name] for name in sorted(job.linked & job.anchors.keys())]
        result.links = [each for each in linked if each in ids]
        footed = {mark for sheets in made for mark in sheets.notes}
        result.links += job.placed
        result.pinned, result.numbered, result.titled = job.pinned, job.numbered, job.titled
        look = job.styles.text | job.styles.paragraph(job.styles.default("paragraph"))[1]
        result.number_look = look.get("size", 10.0), css_classes.family(look.get("font", css_classes.USUAL_FONT))
        result.links += [f"{letter}{mark[1:]}" for mark in sorted(footed) for letter in "fr"]
        result.notes = frozenset(f"n{mark[1:]}" for mark in footed)
        result.fonts, result.east_asian_fonts = job.fonts, tuple(job.east_asian_fonts)
        job.charts.report(warn)
        hidden_text.report([text for texts in job.hidden.values() for text in texts], warn)
        _comments(job)
        if not isinstance(package, Made):
            vocabulary.report(_unknown(job, root), warn)
        office_macros.report(package.names, warn)
        for name in sorted(package.names):
            for address in office_links.external_addresses(name, package.read(name)) if name.endswith(".rels") else ():
                warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
    field_values.report(job.values.missing, warn)
    unknown = +job.numbering.unknown
    warn.tally(kinds.NUMBERED, len(unknown), (f"{format} × {count}" for format, count in unknown.most_common()))
    warn.tally(kinds.PICTURED, job.numbering.pictured)
    for kind, count in (job.found + (package.found if isinstance(package, Made) else Counter())).items():
        warn.tally(kind, count)
    return result


def _unknown(job: Job, root: Element) -> Counter[str]:
    """The unsupported elements in the document, and in the headers, footers and notes that it refers to."""
    related = [job.package.related(job.part, kind) for kind in ("footnotes", "endnotes")]
    related += [each.target for each in job.package.relations(job.part).values() if each.kind in ("header", "footer")]
    texts = [job.package.xml(each) for each in dict.fromkeys(related) if each in job.package.names]
    return word_vocabulary.unknown((root, *texts), _part(job.package, job.part, "styles"), drawn=job.drawn)


def _version(settings: Element | None) -> int:
    """The Word version whose layout a document requests (ECMA-376, part 1, 17.15.3.4; [MS-DOCX] 2.5.2.5)."""
    for each in settings.iterfind(f"{W}compat/{W}compatSetting") if settings is not None else ():
        if each.get(W + "name") == "compatibilityMode":
            return integer(each.get(W + "val")) or 0
    return 0


def _part(package: Package, main: str, kind: str) -> Element | None:
    name = package.related(main, kind)
    return None if name is None else package.xml(name)


def _job(package: Package, main: str, changes: Literal["accept", "reject", "all"], drawn: bool) -> Job:
    theme = Theme(_part(package, main, "theme"), package.related(main, "theme") or "")
    styles = Styles(_part(package, main, "styles"), theme)
    numbering = Numbering(_part(package, main, "numbering"), theme, _language(package, main) or "")
    return Job(package, main, theme, styles, numbering, changes, drawn)


def _language(package: Package, main: str) -> str | None:
    root = _part(package, main, "styles")
    found = None if root is None else root.find(f"{W}docDefaults//{W}lang")
    language = value(found)
    return language if language and re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", language) else None


def _called(package: Package) -> tuple[str | None, str | None]:
    name = package.related("", "core-properties")
    if name is None:
        return None, None
    root = package.xml(name)
    title, author = (" ".join((root.findtext(f"{_CORE}{each}") or "").split())[:300] for each in ("title", "creator"))
    return title or None, author or None


def _comments(job: Job) -> None:
    name = job.package.related(job.part, "comments")
    if name is None or job.changes == "all":
        return
    if count := len(job.package.xml(name).findall(W + "comment")):
        job.found[kinds.COMMENT] += count


def _sheets(job: Job, body: Element, settings: Element | None) -> list[Sheets]:
    relations = {
        key: each.target
        for key, each in job.package.relations(job.part).items()
        if not each.external and each.target in job.package.names
    }
    differs = child(settings, "evenAndOddHeaders")
    even = differs is not None and on(differs)
    story = Story(job, job.part)
    found: list[Sheets] = []
    stories: dict[tuple[str, Paper], str] = {}

    def running(part: str, section: Section, kind: Literal["head", "foot"]) -> str:
        key = (part, section.paper)
        if key not in stories:
            job.running = kind
            stories[key] = Story(job, part, running=True).blocks(job.shown(part), section.paper.room)
            job.running = ""
        return stories[key]

    usual = job.styles.text | job.styles.paragraph(job.styles.default("paragraph"))[1]
    if job.drawn:
        edges = [each.target for each in job.package.relations(job.part).values() if each.kind in ("header", "footer")]
        job.titles = running_titles.asked(job.package.xml(each) for each in edges if each in job.package.names)
    found_sections = sections(body, relations, usual.get("size", 10.0))
    for section, after in zip(found_sections, [*found_sections[1:], None], strict=True):
        job.footed = job.drawn and section.columns == 1 and not section.direction
        job.pitch, job.grid = section.pitch, section.grid
        job.section += 1
        job.room = None
        job.turned = _AGAINST.get(section.direction, 0) if job.drawn else 0
        job.line_numbering = line_numbers.read(section.lines) if job.drawn else None
        if job.line_numbering is not None and (section.columns > 1 or section.direction):
            job.found[kinds.UNNUMBERED] += 1
            job.line_numbering = None
        job.column, job.paper = (section.paper.left, section.column), section.paper
        markup = story.blocks(section.shown if job.drawn else section.blocks, section.column)
        job.footed, job.pitch, job.grid, job.line_numbering, job.turned = False, 0.0, NO_GRID, None, 0
        if section.uneven:
            job.found[kinds.UNEVEN] += 1
        if section.columns > 1:
            columns = f"column-count:{section.columns};column-gap:{pt(section.gap)}"
            columns += ";column-rule:0.5pt solid #000000" if section.ruled else ""
            # Word levels the columns above a continuous break only.
            levelled = after is not None and after.start not in _NEW_PAGE and _same_paper(section, after)
            columns += "" if levelled or not job.drawn else ";column-fill:auto"
            markup = f'<div class="columns" style="{columns}">{markup}</div>'
        heads = {kind: running(part, section, "head") for kind, part in section.heads.items()}
        feet = {kind: running(part, section, "foot") for kind, part in section.feet.items()}
        borders = page_borders.read(section.edges, section.paper, job.theme)
        now = Running(heads, feet, section.first_differs, even, section.number_format, borders)
        last = found[-1] if found else None
        if job.drawn and section.align and not section.direction:
            ends = [f"y{len(job.placed) + at}" for at in (1, 2)]
            job.placed += ends
            before, after_ = (f'<div id="{each}" style="height:0.1pt"></div>' for each in ends)
            markup = f"{before}{markup}{after_}"
        if last is not None and section.start not in _NEW_PAGE and _same_paper(last.section, section):
            last.body += markup
            last.later.append(now)
            continue
        plain = section.start == "nextPage" and section.number is None and not section.first_differs
        plain &= section.direction == (section if last is None else last.section).direction
        plain &= section.align == "" == (section if last is None else last.section).align
        plain &= section.columns == 1 == (1 if last is None else last.section.columns)
        if last is not None and plain and last.running == now and _same_paper(last.section, section):
            last.body += f'<div style="{BEFORE_PAGE}">{markup}</div>'
            continue
        found.append(Sheets(section, markup, now))
    return found


def _same_paper(one: Section, other: Section) -> bool:
    # A continuous section has the headers of its first page, and their distance from the edge, from the one before.
    return replace(one.paper, head=other.paper.head, foot=other.paper.foot) == other.paper


def _notes(job: Job, made: list[Sheets]) -> list[str]:
    """Assign footnotes to the sheets with their references, and return the others. A note may refer to another."""
    ended = []
    at = 0
    parts: dict[str, tuple[str, dict[str, Element]]] = {}
    feet = {each: sheets for sheets in made for each in _FEET.findall(sheets.body)}
    while at < len(job.notes):
        kind, number = job.notes[at]
        at += 1
        if kind not in parts:
            name = job.package.related(job.part, f"{kind}s")
            root = None if name is None else job.shown(name)
            notes = {} if root is None else {each.get(W + "id") or "": each for each in root.iterfind(W + kind)}
            parts[kind] = (name or job.part, notes)
        name, notes = parts[kind]
        note = notes.get(number)
        if note is None:
            continue
        sheets = feet.get(f"f{at}") if at in job.below else None
        content = Story(job, name, depth=1).blocks(note, (sheets or made[-1]).section.column)
        mark = f'<sup class="note" id="n{at}"><a href="#r{at}">{job.labels[at]}</a></sup> '
        if kind == "comment":
            mark += f"Comment by {escape(note.get(W + 'author') or 'unknown', quote=False)}: "
        opening, closing, rest = content.partition(">")
        if sheets is None:
            ended.append(f'<div class="{kind}">{opening}{closing}{mark}{rest}</div>')
        else:
            hidden = f'<span class="links"><a href="#n{at}"></a></span>'
            sheets.notes[f"f{at}"] = opening + closing + mark + hidden + rest
            sheets.below[f"f{at}"] = job.below[at]
    return ended


def as_endnotes(notes: Iterable[str]) -> str:
    """Notes as endnotes of a text."""
    found = "".join(notes)
    return f'<div class="notes">{found}</div>' if found else ""


def header_kind(running: Running, *, at: int, page: int) -> str:
    """The header and footer kind of the `at`-th page of its section, with the number `page`."""
    if running.first_differs and at == 0:
        return "first"
    return "even" if running.even_differs and page % 2 == 0 else "default"
