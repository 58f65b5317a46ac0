"""A Word document as HTML as it looks: one page of HTML for each row of sections on the same paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from conversions.families.documents.markup import drawn_formulas
from conversions.families.documents.ooxml.made import Made
from conversions.families.documents.ooxml.package import Element, Package
from conversions.families.documents.word import job as kinds
from conversions.families.documents.word.fields import PAGE, PAGES, SECTION_PAGES
from conversions.families.documents.word.job import Job
from conversions.families.documents.word.names import W, child, integer, on, pt, value
from conversions.families.documents.word.numbering import Numbering
from conversions.families.documents.word.sections import Section, sections
from conversions.families.documents.word.story import BEFORE_PAGE, Story
from conversions.families.documents.word.styles import Styles
from conversions.families.documents.word.theme import Theme
from conversions.toolkit import office_links
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

_EDGES_ON_MARGINS = 15
"""The version of Word (2013) from which on the edges of tables, not their texts, are in line with the text."""
_NEW_PAGE = ("nextPage", "oddPage", "evenPage")
_FEET = re.compile(r'\bid="(f\d+)"')
IDS = re.compile(r'\bid="([^"]*)"')
_CORE = "{http://purl.org/dc/elements/1.1/}"

BASE = """\
html,body{margin:0;padding:0}
body{orphans:2;widows:2;line-height:normal;color:#000000;font-size:10pt;font-family:serif}
p,h1,h2,h3,h4,h5,h6{margin:0;font-weight:normal;font-size:inherit;white-space:pre-wrap}
.long{overflow-wrap:break-word}
table{border-spacing:0}td{vertical-align:top;padding:0}
a{color:inherit;text-decoration:none}sup.note{font-size:0.65em;line-height:0;vertical-align:super;font-weight:normal}
.cell,.gap{display:inline-block;white-space:nowrap;text-indent:0}.cell{text-align:left}
.box,.crop,.group{display:inline-block;box-sizing:border-box}.box,.group{position:relative}.box{text-indent:0}
.crop{overflow:hidden}.crop img{display:block}
.anchor{position:relative;height:0}.at{position:absolute}
.notes{margin-top:12pt;border-top:0.5pt solid #000000;padding-top:4pt}.notes p{margin:0}
ins{text-decoration:underline}del{text-decoration:line-through}
.ruby{display:inline-block;text-align:center;text-indent:0;line-height:1}.ruby>span{display:block}
.links{display:none}.keep,.whole{break-inside:avoid}.next{break-before:page}
"""


@dataclass(frozen=True)
class Running:
    """Heads and feet by kind (`first`, `even`, `default`), where they stand, and how many pages they take part in."""

    heads: dict[str, str]
    feet: dict[str, str]
    first_differs: bool
    even_differs: bool


@dataclass
class Sheets:
    """Pages on one paper: their body as HTML, and what runs along their heads and feet."""

    section: Section
    body: str
    running: Running
    width: float = 0.0
    notes: dict[str, str] = field(default_factory=dict)
    """Notes at the feet of its pages by the id of the element behind each reference."""
    below: dict[str, float | None] = field(default_factory=dict)
    """How far the line of each of them reaches below its baseline; None where that element is a block."""


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
    """Ids that links lead to in the sheets."""
    notes: frozenset[str] = frozenset()
    """Ids of the notes at the feet of pages."""


def read(package: Package, changes: Literal["accept", "reject", "all"], warn: Warn, *, drawn: bool) -> Read:
    """Read a document and close it; what can't be shown is told by `warn`. Raises Unreadable and OverLimit."""
    with package:
        main = package.main()
        if main is None or main not in package.names:
            raise Unreadable("The file is an archive, but not a Word document.")
        root = package.xml(main)
        body = child(root, "body")
        if body is None:
            raise Unreadable("The file is an archive, but not a Word document.")
        job = _job(package, main, changes, drawn)
        settings = _part(package, main, "settings")
        summed = child(child(settings, "compat"), "doNotUseHTMLParagraphAutoSpacing")
        job.summed = summed is not None and on(summed)
        job.like_word = not isinstance(package, Made)
        job.outdented = not job.like_word or _version(settings) < _EDGES_ON_MARGINS
        for name in ("footnote", "endnote"):
            if said := value(child(child(settings, f"{name}Pr"), "numFmt")):
                job.formats[name] = said
        made = _sheets(job, body, settings)
        ended = _notes(job, made)
        made[-1].body += at_end(ended)
        if drawn:
            job.found[kinds.NOTE] += sum(each.startswith('<div class="footnote">') for each in ended)
        title, author = _called(package)
        language = _language(package, main)
        result = Read(
            made,
            BASE + (drawn_formulas.STYLE if drawn else "") + job.looks.sheet(),
            title,
            language,
            job.headings,
            author,
        )
        ids = {each for sheets in made for each in IDS.findall(sheets.body)}
        linked = [job.anchors[name] for name in sorted(job.linked & job.anchors.keys())]
        result.links = [each for each in linked if each in ids]
        footed = {mark for sheets in made for mark in sheets.notes}
        result.links += [f"{letter}{mark[1:]}" for mark in sorted(footed) for letter in "fr"]
        result.notes = frozenset(f"n{mark[1:]}" for mark in footed)
        _comments(job)
        for name in sorted(package.names):
            for address in office_links.outside(name, package.read(name)) if name.endswith(".rels") else ():
                warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
    for kind, count in (job.found + (package.found if isinstance(package, Made) else Counter())).items():
        warn.tally(kind, count)
    return result


def _version(settings: Element | None) -> int:
    """The version of Word whose layout a document asks for (ECMA-376, part 1, 17.15.3.4; [MS-DOCX] 2.5.2.5)."""
    for each in settings.iterfind(f"{W}compat/{W}compatSetting") if settings is not None else ():
        if each.get(W + "name") == "compatibilityMode":
            return integer(each.get(W + "val")) or 0
    return 0


def _part(package: Package, main: str, kind: str) -> Element | None:
    name = package.related(main, kind)
    return None if name is None else package.xml(name)


def _job(package: Package, main: str, changes: Literal["accept", "reject", "all"], drawn: bool) -> Job:
    theme = Theme(_part(package, main, "theme"))
    styles = Styles(_part(package, main, "styles"), theme)
    return Job(package, main, theme, styles, Numbering(_part(package, main, "numbering"), theme), changes, drawn)


def _language(package: Package, main: str) -> str | None:
    root = _part(package, main, "styles")
    found = None if root is None else root.find(f"{W}docDefaults//{W}lang")
    said = value(found)
    return said if said and re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", said) else None


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
    stories: dict[tuple[str, float], str] = {}

    def running(part: str, section: Section) -> str:
        key = (part, section.paper.room)
        if key not in stories:
            stories[key] = Story(job, part, running=True).blocks(job.package.xml(part), section.paper.room)
        return stories[key]

    for section in sections(body, relations):
        job.footed = job.drawn and section.columns == 1
        markup = story.blocks(section.blocks, section.column)
        job.footed = False
        if section.uneven:
            job.found[kinds.UNEVEN] += 1
        if section.columns > 1:
            said = f"column-count:{section.columns};column-gap:{pt(section.gap)}"
            said += ";column-rule:0.5pt solid #000000" if section.ruled else ""
            said += "" if section.start == "continuous" else ";column-fill:auto"
            markup = f'<div class="columns" style="{said}">{markup}</div>'
        heads = {kind: running(part, section) for kind, part in section.heads.items()}
        feet = {kind: running(part, section) for kind, part in section.feet.items()}
        now = Running(heads, feet, section.first_differs, even)
        last = found[-1] if found else None
        if last is not None and section.start not in _NEW_PAGE and _same_paper(last.section, section):
            last.body += markup
            continue
        plain = section.start == "nextPage" and section.number is None and not section.first_differs
        plain &= section.columns == 1 == (1 if last is None else last.section.columns)
        if last is not None and plain and last.running == now and _same_paper(last.section, section):
            last.body += f'<div style="{BEFORE_PAGE}">{markup}</div>'
            continue
        found.append(Sheets(section, markup, now))
    return found


def _same_paper(one: Section, other: Section) -> bool:
    return one.paper == other.paper


def _notes(job: Job, made: list[Sheets]) -> list[str]:
    """Give the notes to the sheets at whose feet they stand; the others are returned. A note may refer to another."""
    ended = []
    at = 0
    parts: dict[str, tuple[str, dict[str, Element]]] = {}
    feet = {each: sheets for sheets in made for each in _FEET.findall(sheets.body)}
    while at < len(job.notes):
        kind, number = job.notes[at]
        at += 1
        if kind not in parts:
            name = job.package.related(job.part, f"{kind}s")
            root = None if name is None else job.package.xml(name)
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


def at_end(notes: Iterable[str]) -> str:
    """Notes as they stand at the end of a text."""
    found = "".join(notes)
    return f'<div class="notes">{found}</div>' if found else ""


def numbered(markup: str, *, page: int, pages: int, section_pages: int) -> str:
    """A head or foot with the numbers of one page."""
    for mark, number in ((PAGE, page), (PAGES, pages), (SECTION_PAGES, section_pages)):
        markup = markup.replace(mark, str(number))
    return markup


def kind_of(running: Running, *, at: int, page: int) -> str:
    """Which head and foot a page has: it is the `at`-th of its row, and has the number `page`."""
    if running.first_differs and at == 0:
        return "first"
    return "even" if running.even_differs and page % 2 == 0 else "default"
