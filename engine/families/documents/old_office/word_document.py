"""A Word document of 97 to 2003 ([MS-DOC]) as one of Office Open XML, with its text, pictures and styles."""

from __future__ import annotations

from pathlib import Path

from engine.families.documents.old_office import compound, word_95, word_formatting, word_lists
from engine.families.documents.old_office.sprms import read
from engine.families.documents.old_office.word_file import WordFile
from engine.families.documents.old_office.word_story import Stories
from engine.families.documents.old_office.word_styles import Styles, fonts
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.ooxml.packing import Parts, linked
from engine.toolkit import office_objects
from engine.toolkit.formats import DOC
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_STYLES, _SECTIONS, _HEADERS, _FONTS, _LISTS, _OVERRIDES = 1, 6, 11, 15, 73, 74
_COMMENTS, _SETTINGS, _OWN_PAGES = 4, 31, 0x01
_MAIN = "word/document.xml"
_RUNNING = (
    ("header", "even"), ("header", "default"), ("footer", "even"), ("footer", "default"), ("header", "first"),
    ("footer", "first"),
)  # fmt: skip
"""The stories of each section, behind six separators of notes ([MS-DOC], 2.3.5)."""
_SEPARATORS = 6
_NOT_INSIDE = 0x1010
_MOST_SECTIONS = 5_000
_BOXES = Kind("CONTENT_DROPPED", "Text boxes that are not on any page were left out: {count}{places}.")


def to_docx(source: Path, target: Path, warn: Warn) -> None:
    """Write a document as docx; of Word 6 and 95 its text.

    Raises Unreadable for a file that is damaged, protected, older or of another kind.
    """
    parts = Parts()
    with compound.opened(source, DOC, warn) as found:
        if word_95.is_one(found):
            word_95.write(found, parts, warn)
            parts.core(*found.names_of_itself())
            parts.write(target)
            return
        file = WordFile(found)
        names = fonts(file.part(_FONTS))
        styles = Styles(file.part(_STYLES), names)
        stories = Stories(file, styles, names, parts)
        _write(file, stories, parts)
        parts.put("word/styles.xml", styles.written(), "wordprocessingml.styles")
        parts.relate(_MAIN, "styles", "word/styles.xml")
        lists = word_lists.written(file.rest(_LISTS), file.part(_OVERRIDES), names)
        if lists is not None:
            parts.put("word/numbering.xml", lists, "wordprocessingml.numbering")
            parts.relate(_MAIN, "numbering", "word/numbering.xml")
        parts.core(*found.names_of_itself())
        for kind, count in stories.found.items():
            warn.tally(kind, count)
        warn.tally(_BOXES, stories.unshown())
        warn.tally(office_objects.PREVIEWED, _objects(found))
        if comments := len(file.positions(_COMMENTS, 30)[1]):
            warn("COMMENTS_DROPPED", say("{comments} comments were left out.", comments=comments))
    parts.write(target)


def _objects(file: compound.Compound) -> int:
    """The number of embedded objects, without links to others and controls ([MS-DOC], 2.9.163)."""
    pool = {each.split("/")[1] for each in file.names if each.startswith("objectpool/")}
    states = (file.stream(f"ObjectPool/{each}/\x03ObjInfo")[:2] for each in pool)
    return sum(not int.from_bytes(state, "little") & _NOT_INSIDE for state in states)


def _write(file: WordFile, stories: Stories, parts: Parts) -> None:
    begin, end = file.story("text")
    sections = _sections(file)
    _running(file, stories, parts, list(sections.values()))
    body = element("body")
    last = max(sections, default=0)
    body.extend(stories.read(begin, end, _MAIN, {at: each for at, each in sections.items() if at != last}))
    body.append(sections[last] if sections else word_formatting.section({}))
    main = element("document")
    main.append(body)
    parts.put(_MAIN, main, "wordprocessingml.document.main")
    parts.relate("", "officeDocument", _MAIN)
    for kind, notes in stories.notes.items():
        if not notes.numbers:
            continue
        name = f"word/{kind}s.xml"
        made = element(f"{kind}s")
        for number, (first, behind) in enumerate(zip(notes.texts, notes.texts[1:], strict=False), start=1):
            if number > len(notes.numbers) or first > behind:
                break
            note = add(made, kind, id=number)
            note.extend(stories.read(notes.begin + first, min(notes.begin + behind, notes.end), name))
        parts.put(name, made, f"wordprocessingml.{kind}s")
        parts.relate(_MAIN, f"{kind}s", name)
    settings = element("settings")
    if file.part(_SETTINGS)[:1] and file.part(_SETTINGS)[0] & _OWN_PAGES:
        add(settings, "evenAndOddHeaders")
    parts.put("word/settings.xml", settings, "wordprocessingml.settings")
    parts.relate(_MAIN, "settings", "word/settings.xml")


def _sections(file: WordFile) -> dict[int, Element]:
    """The properties of each section by the position at which it ends."""
    places, entries = file.positions(_SECTIONS, 12)
    found = {}
    for end, entry in list(zip(places[1:], entries, strict=False))[:_MOST_SECTIONS]:
        at = int.from_bytes(entry[2:6], "little")
        size = int.from_bytes(file.stream[at : at + 2], "little")
        found[end] = word_formatting.section(dict(read(file.stream[at + 2 : at + 2 + size])))
    return found


def _running(file: WordFile, stories: Stories, parts: Parts, sections: list[Element]) -> None:
    """Write headers and footers; a section without one has that of the section before it."""
    begin, end = file.story("headers")
    data = file.part(_HEADERS)
    places = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data) - 3, 4)]
    last = 0
    for number, section in enumerate(sections):
        for at, (kind, pages) in enumerate(_RUNNING, start=_SEPARATORS + 6 * number):
            if at + 1 >= len(places) or not last <= places[at] < places[at + 1] or begin + places[at + 1] > end + 1:
                continue
            last = places[at + 1]
            name = f"word/{kind}{number}{pages}.xml"
            made = element("hdr" if kind == "header" else "ftr")
            # The last paragraph of a story only guards its end.
            made.extend(stories.read(begin + places[at], min(begin + places[at + 1] - 1, end), name))
            parts.put(name, made, f"wordprocessingml.{kind}")
            reference = element(f"{kind}Reference", type=pages)
            linked(reference, parts.relate(_MAIN, kind, name))
            section.insert(0, reference)
