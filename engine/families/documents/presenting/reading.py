"""Read safe HTML into blocks, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from engine.families.documents.list_numbers import LETTERED, RENUMBERED
from engine.families.documents.presenting.blocks import (
    Block,
    Break,
    Cell,
    Code,
    Formatting,
    Heading,
    Line,
    Notes,
    Picture,
    Run,
    Table,
    printable,
)
from engine.families.documents.presenting.elements import (
    FLOWING,
    LOOKS,
    SKIPPED,
    embedded,
    integer,
    is_layout_table,
    speaker_notes,
    table_of,
)
from engine.families.documents.presenting.lines import collapsed, lines
from engine.families.documents.presenting.tree import tree_of
from engine.toolkit import office_links
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_CELLS = 100_000
_MAX_SPAN = 1_000
_DEEPEST = 8
"""The maximum paragraph level on a slide, from 0 (ECMA-376, part 1, 21.1.2.2.7)."""

_SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://", "#")

_MOVED = Kind(
    "VALUE_CONVERTED", "Pictures and tables inside table cells were moved or became lines of text: {count}{places}."
)


def read(body: str, warn: Warn) -> list[Block]:
    """The blocks of safe HTML, in order. Raises OverLimit for tables of too many cells."""
    if not body.strip():
        return []
    reader = _Reader(warn, _Counts())
    reader.flow(tree_of(body))
    reader.end()
    warn.tally(_MOVED, reader.counts.moved)
    warn.tally(RENUMBERED, reader.counts.renumbered)
    return reader.blocks


@dataclass
class _Counts:
    cells: int = 0
    moved: int = 0
    renumbered: int = 0


@dataclass(frozen=True)
class _Place:
    """The list and quote nesting of a paragraph."""

    level: int = -1
    quoted: bool = False


_PLAIN = Formatting()


@dataclass
class _Reader:
    warn: Warn
    counts: _Counts
    inner: bool = False
    """Inside a table cell or notes, where headings are lines and nothing starts a slide."""

    blocks: list[Block] = field(default_factory=list)
    _runs: list[Run] = field(default_factory=list)
    _after: list[Picture] = field(default_factory=list)
    _mark: str | int = ""
    _place: _Place = _Place()
    _formatting: Formatting = _PLAIN

    def end(self) -> None:
        """Close the open paragraph."""
        runs = collapsed(self._runs)
        self._runs = []
        if runs:
            place, item = self._place, self._place.level >= 0
            line = Line(
                runs,
                level=min(max(place.level, 0), _DEEPEST),
                mark=self._mark,
                continued=item and self._mark == "",
                quoted=place.quoted,
            )
            self.blocks.append(line)
            self._mark = ""
        self.blocks += self._after
        self._after = []

    def flow(self, element: Any) -> None:
        """Read the children of an element, blocks and text alike."""
        self._append_text(element.text)
        for child in element:
            if isinstance(child.tag, str):
                self._element(child)
            self._append_text(child.tail)

    def _append_text(self, text: str | None) -> None:
        if text:
            self._runs.append(Run(printable(text), self._formatting))

    def _element(self, element: Any) -> None:
        tag = element.tag
        if tag in SKIPPED:
            return
        if tag == "br":
            self._runs.append(Run("\n", self._formatting._replace(link="\n")))
        elif tag == "img":
            self._picture(element)
        elif tag == "input":
            if element.get("type") == "checkbox":
                self._append_text("☑ " if element.get("checked") is not None else "☐ ")
        elif tag in ("ul", "ol"):
            self._list(element)
        elif tag == "table":
            self._table(element)
        elif tag == "pre":
            self.end()
            lines = "".join(element.itertext()).expandtabs(4).rstrip("\n").split("\n")
            self.blocks.append(Code(tuple(printable(each) for each in lines)))
        elif tag == "hr":
            self.end()
            if not self.inner and self._place == _Place():
                self.blocks.append(Break())
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self._heading(element, int(tag[1]))
        elif tag == "a" and (element.get("class") or "").startswith("footnote-back"):
            pass
        elif tag == "a":
            target = (element.get("href") or "").strip()
            target = target if target.lower().startswith(_SCHEMES) and target != "#" else ""
            self._styled(element, {"link": printable(target)})
        elif tag in FLOWING:
            self._group(element, tag)
        else:
            self._styled(element, LOOKS.get(tag, {}))

    def _styled(self, element: Any, formatting: dict[str, Any]) -> None:
        before, self._formatting = self._formatting, self._formatting._replace(**formatting)
        self.flow(element)
        self._formatting = before

    def _group(self, element: Any, tag: str) -> None:
        self.end()
        if not self.inner and (spoken := speaker_notes(element, tag)) is not None:
            reader = _Reader(self.warn, self.counts, inner=True)
            reader.flow(spoken)
            reader.end()
            self.blocks.append(Notes(tuple(lines(reader.blocks))))
            return
        if tag == "section" and "footnotes" in (element.get("class") or "").split():
            self.blocks.append(Break())
        before = self._place
        if tag == "blockquote":
            self._place = replace(before, quoted=True)
        elif tag == "dd":
            self._place = replace(before, level=before.level + 1)
        formatting, self._formatting = self._formatting, self._formatting._replace(**LOOKS.get(tag, {}))
        self.flow(element)
        self.end()
        self._place, self._formatting = before, formatting

    def _heading(self, element: Any, level: int) -> None:
        self.end()
        reader = _Reader(self.warn, self.counts, inner=True)
        reader.flow(element)
        reader.end()
        content = list(lines(reader.blocks))
        runs = tuple(run for line in content for run in (*line.runs, Run(" ", Formatting())))[:-1]
        if not runs:
            self.blocks += reader.blocks
        elif self.inner or self._place != _Place():
            bold = tuple(Run(each.text, each.formatting._replace(bold=True)) for each in runs)
            self.blocks.append(Line(bold, level=min(max(self._place.level, 0), _DEEPEST), mark=self._mark))
            self._mark = ""
        else:
            self.blocks.append(Heading(level, runs, element.get("id") or ""))
        self.blocks += [each for each in reader.blocks if isinstance(each, Picture) and runs]

    def _list(self, element: Any) -> None:
        self.end()
        before, self._place = self._place, replace(self._place, level=self._place.level + 1)
        items = [each for each in element if each.tag == "li"]
        step = -1 if element.get("reversed") is not None else 1
        start = integer(element.get("start"), 1 if step > 0 else len(items))
        if element.tag == "ol" and element.get("type") in LETTERED:
            self.counts.renumbered += len(items)
        for child in element:
            if not isinstance(child.tag, str):
                continue
            if child.tag != "li":  # a list as the direct child of a list
                self._element(child)
                continue
            number = integer(child.get("value"), start)
            self._mark = number if element.tag == "ol" else "•"
            self.flow(child)
            self.end()
            self._mark = ""
            start = number + step
        self.end()
        self._place = before

    def _picture(self, element: Any) -> None:
        source, alt = (element.get("src") or "").strip(), printable((element.get("alt") or "").strip())
        data = embedded(source)
        if data is None:
            if source and not source.startswith("data:"):
                self.warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(source))
                if "//" not in source[:8]:  # addresses with a host are not counted
                    self.warn.account("pictures", 1)
            elif source:
                self.warn("CONTENT_DROPPED", say("A picture can't be shown: {source}.", source=source[:30]))
            link = source if source.lower().startswith(("http://", "https://")) else ""
            text = alt or link
            self._runs.append(Run(printable(text), self._formatting._replace(link=link or self._formatting.link)))
            return
        width = (element.get("width") or "").removesuffix("px")
        given = float(width) if re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,9})?", width) else None
        self._after.append(Picture(data, alt, given))

    def _table(self, element: Any) -> None:
        self.end()
        rows = [each for each in element.iter("tr") if table_of(each) is element]
        cells = [[each for each in row if each.tag in ("td", "th")] for row in rows]
        for caption in element.iterchildren("caption"):
            self._styled(caption, {"bold": True})
            self.end()
        if is_layout_table(element, cells):
            for row in cells:
                for each in row:
                    self.flow(each)
                    self.end()
            return
        read, after = [], []
        for row in cells:
            made = []
            for each in row:
                self.counts.cells += 1
                reader = _Reader(self.warn, self.counts, inner=True)
                reader._formatting = Formatting(bold=each.tag == "th")
                reader.flow(each)
                reader.end()
                pictures = [one for one in reader.blocks if isinstance(one, Picture)]
                self.counts.moved += len(pictures) + sum(isinstance(one, Table) for one in reader.blocks)
                after += pictures
                columns, down = (min(integer(each.get(name), 1), _MAX_SPAN) for name in ("colspan", "rowspan"))
                made.append(Cell(tuple(lines(reader.blocks)), max(columns, 1), max(down, 1)))
            if made:
                read.append(tuple(made))
            if self.counts.cells > MAX_CELLS:
                raise OverLimit(
                    "output",
                    say("The tables have more than {max_cells} cells, too many for slides.", max_cells=MAX_CELLS),
                )
        head = 0
        for row in cells[: len(read)]:
            if not row or any(each.tag != "th" for each in row):
                break
            head += 1
        if any(cell.lines for row in read for cell in row):
            self.blocks.append(Table(tuple(read), min(head, max(len(read) - 1, 0))))
        self.blocks += after
