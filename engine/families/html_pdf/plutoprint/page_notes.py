"""Move footnotes of a page (`float: footnote`, CSS GCPM 3, 2) to its end, as PlutoPrint prints them within the text."""

from __future__ import annotations

import copy
import re

from engine.families.html_pdf.css import ignored
from engine.families.html_pdf.plutoprint.bare_copies import within
from engine.families.html_pdf.plutoprint.declared import of_page, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

AT_END = Kind("VALUE_CONVERTED", "Footnotes were moved to the end of the text: {count}{places}.")
_ASKED = re.compile(r"float\s*:\s*footnote\b")
_NAMES = ("float", "display")
_MOST = 2_000
"""Notes that are moved: each is 1 ms of layout, with a link to and from it."""
_MOST_AROUND = 10_000
"""Elements that are copied around notes; those of further notes are not."""
_LINK = "color:inherit;text-decoration:none"
_RULE = "border-top:1px solid;width:33%;margin:1em 0 .5em"


def move(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Leave a number in the place of each note, and put the notes after the text, with their numbers.

    Those that are too many stay in their lines, and their style is named.
    """
    if not any(_ASKED.search(each) for each in sheets):
        return
    said = of_page(page, sheets, _NAMES, media=media)
    body = page.root.find("body")
    found = [each for each in page.root.iter() if _is_note(each, said)]
    if not found:
        return
    notes = found[:_MOST]
    warn.tally(ignored.KIND, len(found) - len(notes), ("float: footnote",), part="footnotes")
    body.append(body.makeelement("div", style=_RULE))
    targets = {(each.get("href") or "").removeprefix("#") for each in page.root.iter("a")}
    left = _MOST_AROUND
    for number, note in enumerate(notes, 1):
        around = [each for each in note.iterancestors() if each.tag not in ("body", "head", "html")]
        left -= len(around)
        warn.leave_out(_joined(note))
        moved = copy.deepcopy(note)
        moved.tail = None
        _begin(moved, f"{number}. ", f"fc-note-{number}", f"fc-call-{number}")
        call = note.makeelement("sup")
        _begin(call, str(number), f"fc-call-{number}", f"fc-note-{number}")
        call.tail = note.tail
        note.getparent().replace(note, call)
        add_style(moved, "display:block")
        body.append(within(moved, around if left > 0 else (), nameless=targets))
    page.names.update(("a", "div", "sup"))
    page.characters.update("0123456789.")
    page.styled[:] = [each for each in page.root.iter() if each.get("style")]
    warn.tally(AT_END, len(notes))


def _is_note(element: Element, said: dict[Element, dict[str, str]]) -> bool:
    if word_of(said, element, "float") != "footnote" or word_of(said, element, "display") == "none":
        return False
    return not any(up.tag == "svg" or word_of(said, up, "float") == "footnote" for up in element.iterancestors())


def _joined(note: Element) -> list[str]:
    """The words of the text that have the number of a note at their end, and those that the note was a part of."""
    previous = note.getprevious()
    before = (note.getparent().text if previous is None else previous.tail) or ""
    first = "" if before[-1:].isspace() else "".join(before.split()[-1:])
    after = note.tail or ""
    last = "" if after[:1].isspace() else "".join(after.split()[:1])
    words = f"{first}{''.join(note.itertext())}{last}".split()
    return [each for each in (first, *words[:1], *words[-1:]) if each and (first or last)]


def _begin(element: Element, number: str, name: str, other: str) -> None:
    """Let an element begin with its number, which is a link to the number of the `other`."""
    link = element.makeelement("a", id=name, href=f"#{other}", style=_LINK)
    link.text, link.tail, element.text = number, element.text, None
    element.insert(0, link)
