"""Convert the content of one OpenDocument paragraph to WordprocessingML runs."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.families.documents.odf.job import Job
from engine.families.documents.odf.names import DC, DRAW, OFFICE, TEXT, XLINK, count
from engine.families.documents.odf.styles import Scope, link_style
from engine.families.documents.ooxml.made import add
from engine.families.documents.ooxml.package import Element

_SPACES = re.compile(r"[ \t\r\n]+")
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")
_COUNTED = {"page-number": " PAGE ", "page-count": " NUMPAGES "}
_REFERENCES = ("bookmark-ref", "reference-ref", "sequence-ref")
_MOST_SPACES = 1_000
_SKIPPED = ("soft-page-break", "note-citation", "tracked-changes", "alphabetical-index-mark", "toc-mark",
            "user-index-mark", "script")  # fmt: skip


Boxes = Callable[[Element, "Text"], None]
"""Writes a picture, text box or shape within the text."""
Notes = Callable[[str, Element], str]
"""Writes the paragraphs of a note or comment, and returns its id."""


class Text:
    """One paragraph being built; `target` is where runs are added: a link or change inside the paragraph."""

    def __init__(
        self, job: Job, scope: Scope, part: str, paragraph: Element, style: str, *, boxes: Boxes, notes: Notes
    ) -> None:
        self.job = job
        self.scope = scope
        self.part = part
        self.target = paragraph
        self._size = scope.size(style)
        self._boxes = boxes
        self._notes = notes
        self._blank = True

    def read(self, parent: Element, spans: tuple[str, ...] = ()) -> None:
        """Read the text and children of an element, in nested spans with these styles."""
        self._append_text(parent.text, spans)
        for each in parent:
            if isinstance(each.tag, str):
                self._read(each, spans)
            self._append_text(each.tail, spans)

    def one(self, each: Element) -> None:
        """Read one element that precedes the text."""
        self._read(each, ())

    def _append_text(self, text: str | None, spans: tuple[str, ...]) -> None:
        if not text:
            return
        text = _SPACES.sub(" ", text)
        if self._blank and text[0] == " ":
            text = text[1:]
        if text:
            self._blank = text[-1] == " "
            add(self.run(spans), "t").text = text

    def run(self, spans: tuple[str, ...] = ()) -> Element:
        """A new run in nested spans with these styles."""
        run = add(self._place(), "r")
        run_properties = self.scope.run(spans, self._size) if spans else None
        if run_properties is not None:
            run.append(run_properties)
        return run

    def _place(self) -> Element:
        if not self.job.open:
            return self.target
        last = self.target[-1] if len(self.target) else None
        id = self.job.open[-1]
        if last is not None and last.tag.endswith("}ins") and last.get("region") == id:
            return last
        place = add(self.target, "ins")
        place.set("region", id)
        return place

    def _read(self, each: Element, spans: tuple[str, ...]) -> None:
        tag = each.tag
        if tag == OFFICE + "annotation":
            run = self.run(spans)
            add(run, "commentReference", id=self._notes("comment", each))
            return
        if tag.startswith(DRAW):
            if tag == DRAW + "a":
                self._link(each, spans)
            else:
                self._boxes(each, self)
                self._blank = False
            return
        kind = tag.removeprefix(TEXT) if tag.startswith(TEXT) else ""
        if kind == "span":
            name = each.get(TEXT + "style-name")
            self.read(each, (*spans, name) if name else spans)
        elif kind == "s":
            self._blank = False
            add(self.run(spans), "t").text = " " * count(each.get(TEXT + "c"), most=_MOST_SPACES)
        elif kind == "tab":
            self._blank = True
            add(self.run(spans), "tab")
        elif kind == "line-break":
            self._blank = True
            add(self.run(spans), "br")
        elif kind == "a":
            self._link(each, spans)
        elif kind in ("bookmark", "bookmark-start", "reference-mark", "reference-mark-start"):
            add(self.target, "bookmarkStart", name=each.get(TEXT + "name") or "")
        elif kind == "note":
            body = each.find(TEXT + "note-body")
            note = "endnote" if each.get(TEXT + "note-class") == "endnote" else "footnote"
            self._blank = False
            if body is not None:
                add(self.run(spans), f"{note}Reference", id=self._notes(note, body))
        elif kind == "ruby":
            self._ruby(each, spans)
        elif kind in _COUNTED:
            self._counted(each, kind, spans)
        elif kind in _REFERENCES:
            self._inside(add(self.target, "hyperlink", anchor=each.get(TEXT + "ref-name") or ""), each, spans)
        elif kind in ("change", "change-start", "change-end"):
            self._change(each, kind, spans)
        elif kind not in _SKIPPED and not tag.startswith((OFFICE, DC)):
            self.read(each, spans)

    def _ruby(self, each: Element, spans: tuple[str, ...]) -> None:
        made = add(self.run(spans), "ruby")
        for name, part in (("rt", "ruby-text"), ("rubyBase", "ruby-base")):
            found = each.find(TEXT + part)
            if found is not None:
                self._blank = False
                style = found.get(TEXT + "style-name")
                self._inside(add(made, name), found, (*spans, style) if style else spans)

    def _inside(self, place: Element, each: Element, spans: tuple[str, ...]) -> None:
        held, self.target = self.target, place
        self.read(each, spans)
        self.target = held

    def _link(self, each: Element, spans: tuple[str, ...]) -> None:
        address = each.get(XLINK + "href") or ""
        name = link_style(each) if each.tag == TEXT + "a" else None
        place = add(self.target, "hyperlink")
        if address.lower().startswith(_SCHEMES):
            place.set(_R + "id", self.job.made.relate(self.part, "hyperlink", address, external=True))
        elif address.startswith("#"):
            place.set(place.tag.replace("hyperlink", "anchor"), address[1:].partition("|")[0])
        self._inside(place, each, (*spans, name) if name else spans)

    def _counted(self, each: Element, kind: str, spans: tuple[str, ...]) -> None:
        field = add(self.target, "fldSimple", instr=_COUNTED[kind])
        held, self.target = self.target, field
        opened, self.job.open = self.job.open, []
        add(self.run(spans), "t").text = "".join(each.itertext())
        self.target, self.job.open = held, opened
        self._blank = False

    def _change(self, each: Element, kind: str, spans: tuple[str, ...]) -> None:
        id = each.get(TEXT + "change-id") or ""
        region = self.job.regions.get(id)
        if region is None:
            return
        if kind == "change-end":
            if id in self.job.open:
                self.job.open.remove(id)
        elif region.tag == TEXT + "insertion":
            if kind == "change-start" and len(self.job.open) < 100:
                self.job.open.append(id)
        elif region.tag == TEXT + "deletion" and kind == "change":
            place = add(self.target, "del")
            opened, self.job.open = self.job.open, []
            del self.job.regions[id]  # deleted text is all in one place
            for at, paragraph in enumerate(region.iter(TEXT + "p", TEXT + "h")):
                if at:
                    add(add(place, "r"), "br")
                self._inside(place, paragraph, spans)
            self.job.open = opened


def part_of(kind: str) -> str:
    """The part for notes of a kind."""
    return f"{kind}s"
