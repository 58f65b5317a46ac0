"""Write a presentation as GitHub Flavored Markdown."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64decode
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Literal, NamedTuple

from engine.families.documents.list_numbers import RENUMBERED
from engine.families.documents.slides import outline
from engine.families.documents.slides.outline import Chapter
from engine.families.documents.slides.shapes import Shape
from engine.families.documents.slides.texts import Paragraph, Run, tags
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_ESCAPED = re.compile(r"([\\`*\[\]<>~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;))")
_BARE = re.compile(r"((?:https?://|www\.)[^\s\\`*\[\]<>$|]+)")
"""A bare URL, which is a link as it is: an escape would become part of it."""
_MARKER = re.compile(r"^(#{1,6}|[-+=]+|>)(?=\s|$)")
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_ADDRESS = re.compile(r"[\s<>()\\]")
_TAG = re.compile(r"(<[^<>]*>)")
_LIST = re.compile(r"(?:-|\d+\.) ")
_BETWEEN = "<!-- -->"
"""Separates two lists that would otherwise merge."""
_SIGNS = {"strong": "**", "em": "*", "s": "~~"}

_ENDINGS = {"jpeg": "jpg", "svg+xml": "svg"}

Placing = Literal["files", "embed", "drop"]


@dataclass
class Pictures:
    """The pictures of a text by `data:` URI, with their references; they are written to `folder` if set."""

    placing: Placing
    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    dropped: int = 0

    def reference(self, uri: str, label: str) -> str:
        """Markdown that shows a picture, or its label."""
        text = _escaped(" ".join(label.split()))
        if self.placing == "drop":
            self.dropped += 1
            return text
        return f"![{text}]({uri if self.placing == 'embed' else self._file(uri)})"

    def _file(self, uri: str) -> str:
        if uri not in self.names:
            kind, _, data = uri.removeprefix("data:image/").partition(";base64,")
            name = f"picture-{len(self.names) + 1}.{_ENDINGS.get(kind, kind)}"
            self.folder.mkdir(exist_ok=True)
            (self.folder / name).write_bytes(b64decode(data))
            self.names[uri] = f"{self.folder.name}/{name}"
        return self.names[uri]


class _Piece(NamedTuple):
    text: str
    marks: tuple[str, ...]
    link: str
    markup: str


def write(
    source: Path, target: Path, warn: Warn, *, hidden: bool, notes: bool, pictures: Pictures, title: str | None
) -> None:
    """Write the slides in order, with pictures if wanted. Raises as `outline.chapters` does."""
    found = outline.chapters(source, warn, hidden=hidden, notes=notes, charts="table")
    slides = ["\n\n".join(_separated(_chapter(each, pictures))) for each in found]
    if title and not (found and found[0].title == title):
        slides.insert(0, f"# {_heading(title)}\n\n{slides.pop(0) if slides else ''}".rstrip())
    lists = [each for chapter in found for shape in chapter.shapes for each in shape.paragraphs if each.text.strip()]
    warn.tally(RENUMBERED, sum(bool(outline.letter_of(each)) for each in lists))
    target.write_text("\n\n---\n\n".join(slides) + "\n", "utf-8", newline="\n")
    if pictures.dropped:
        warn(
            "CONTENT_DROPPED",
            say("{dropped} pictures were left out, but their descriptions were kept.", dropped=pictures.dropped),
        )
        warn.account("pictures", pictures.dropped)


def _separated(blocks: list[str]) -> list[str]:
    made: list[str] = []
    for each in blocks:
        if made and _LIST.match(each) and _LIST.match(made[-1]) and (each[0] == "-") == (made[-1][0] == "-"):
            made.append(_BETWEEN)
        made.append(each)
    return made


def _chapter(chapter: Chapter, pictures: Pictures) -> list[str]:
    blocks = [f"## {_heading(chapter.title)}"]
    for each in chapter.shapes:
        blocks += _shape(each, pictures)
    if chapter.notes:
        lines = "\n\n".join(["**Notes**", *(_paragraph(each) for each in chapter.notes)])
        blocks.append("\n".join(f"> {line}".rstrip() for line in lines.split("\n")))
    return [each for each in blocks if each]


def _shape(shape: Shape, pictures: Pictures) -> list[str]:
    if shape.table:
        spanned = any(cell.columns > 1 or cell.rows > 1 for row in shape.table for cell in row)
        table = outline.table(shape).rstrip("\n") if spanned else _table(shape)
        return [f"**{_heading(shape.chart)}**" if shape.chart else "", table]
    if shape.picture:
        return [pictures.reference(shape.picture, shape.name)]
    return _listed(shape.paragraphs)


def _table(shape: Shape) -> str:
    rows = [
        ["<br>".join(_cell(each) for each in cell.paragraphs if each.text.strip()) for cell in row]
        for row in shape.table
    ]
    width = max(map(len, rows))
    if not shape.headed:
        rows.insert(0, [""] * width)
    head, *rest = (f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows)
    return "\n".join((head, "|" + " --- |" * width, *rest))


def _cell(paragraph: Paragraph) -> str:
    return _inline(paragraph.runs).replace("|", "\\|").replace("\n", "<br>")


def _listed(found: list[Paragraph]) -> list[str]:
    """Paragraphs, those with bullets or numbers as nested lists."""
    blocks: list[str] = []
    lines: list[str] = []
    opened: list[tuple[int, str, int, int]] = []
    """The level, kind, content indent and number of each open list."""

    def flush() -> None:
        if lines:
            blocks.append("\n".join(lines))
            lines.clear()

    for each in found:
        if not each.text.strip():
            continue
        kind = outline.kind_of(each)
        while opened and outline.ends_before(opened[-1][:2], each):
            opened.pop()
        if not kind:
            flush()
            blocks.append(_paragraph(each))
            continue
        if opened and opened[-1][0] == each.level:
            number = opened.pop()[3] + 1
        else:
            number = each.formatting.get("start", 1) if kind == "ol" else 1
            if not opened:
                flush()
        at = opened[-1][2] if opened else 0
        marker = "- " if kind == "ul" else f"{number}. ".ljust(4)
        inner = at + len(marker)
        opened.append((each.level, kind, inner, number))
        lines.append(" " * at + marker + _paragraph(each).replace("\n", "\n" + " " * inner))
    flush()
    return _separated(blocks)


def _paragraph(paragraph: Paragraph) -> str:
    lines = (_at_start(each.strip()) for each in _inline(paragraph.runs).split("\n"))
    return "\\\n".join(lines)


def _heading(text: str) -> str:
    return re.sub(r"#(?=#*$)", r"\\#", _at_start(_escaped(text)))


def _escaped(text: str) -> str:
    pieces = _BARE.split(text)
    pieces[::2] = (_ESCAPED.sub(r"\\\1", each) for each in pieces[::2])
    return "".join(pieces)


def _at_start(text: str) -> str:
    return _NUMBER.sub(r"\1\\\2", _MARKER.sub(r"\\\1", text))


def _inline(runs: list[Run]) -> str:
    """Runs as Markdown with a newline for each break, trimmed."""
    pieces = _pieces(runs)
    parts: list[str] = []
    before, marked = " ", False
    for at, each in enumerate(pieces):
        core = each.text.strip()
        if not core:
            parts.append(each.text)
            before, marked = " ", False
            continue
        start = each.text[: len(each.text) - len(each.text.lstrip())]
        end = each.text[len(each.text.rstrip()) :]
        after = pieces[at + 1].text[:1] if at + 1 < len(pieces) and not end else " "
        ahead = " " if start else before
        text = _escaped(core) if not each.markup else _formula(each.markup)
        if each.link:
            address = _ADDRESS.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), each.link)
            text = f"[{_marked(text, core, each.marks, ' ', ' ')}]({address})"
        else:
            # Adjacent marks would merge.
            text = _marked(text, core, each.marks, ahead if start or not marked else "*", after)
        parts += [start, text, end]
        before, marked = (core[-1], bool(each.marks)) if not end else (" ", False)
    return "".join(parts).strip()


def _pieces(runs: list[Run]) -> list[_Piece]:
    made: list[_Piece] = []
    for run in runs:
        text = re.sub(r"[^\S\n]+", " ", run.text)
        marks = tags(run) if text.strip() and not run.markup else ()
        if made and not run.markup and not made[-1].markup and (marks, run.link) == made[-1][1:3]:
            made[-1] = made[-1]._replace(text=made[-1].text + text)
        elif text:
            made.append(_Piece(text, marks, run.link, run.markup))
    return made


def _marked(text: str, core: str, marks: tuple[str, ...], before: str, after: str) -> str:
    """Text with emphasis marks: tags if asterisks would not be recognised (CommonMark 0.31, 6.2)."""
    if not marks:
        return text
    reads = _flanks(core[0], before) and _flanks(core[-1], after) and (len(marks) == 1 or "s" not in marks)
    for tag in reversed(marks):
        sign = _SIGNS.get(tag, "") if reads else ""
        text = f"{sign}{text}{sign}" if sign else f"<{tag}>{text}</{tag}>"
    return text


def _flanks(inside: str, outside: str) -> bool:
    if outside == "*":
        return False
    return inside.isalnum() or outside.isspace() or unicodedata.category(outside)[0] in "PS"


def _formula(markup: str) -> str:
    return "".join(each if each.startswith("<") else _escaped(unescape(each)) for each in _TAG.split(markup))
