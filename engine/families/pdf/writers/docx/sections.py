"""Word sections: page size, margins, headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from engine.families.pdf.page.document import Document
from engine.families.pdf.page.lines import Line
from engine.families.pdf.writers.docx.package import HEAD, NAMESPACES, Relations
from engine.families.pdf.writers.docx.runs import running_xml

Margins = tuple[float, float, float, float]
"""Left, top, right and bottom, in points."""

_LEAST = 18.0
_MOST = 144.0
_TWIPS = 20


def margins_of(document: Document) -> Margins:
    """Margins with the text width of most pages."""
    edges: list[list[float]] = [[], [], [], []]
    for page in document.pages:
        boxes = [
            (each.x0, each.base - each.size, each.x1, each.base) if isinstance(each, Line) else each.box
            for column in page.columns
            for each in column
            if not (isinstance(each, Line) and each.turn)
        ]
        if boxes:
            edges[0].append(min(box[0] for box in boxes))
            edges[1].append(min(box[1] for box in boxes))
            edges[2].append(page.width - max(box[2] for box in boxes))
            edges[3].append(page.height - max(box[3] for box in boxes))
    left, top, right, bottom = (
        min(max(sorted(each)[len(each) // 4], _LEAST), _MOST) if each else 72.0 for each in edges
    )
    return left, top, right, min(bottom, 72.0)


def section_xml(size: tuple[float, float], margins: Margins, ends: str) -> str:
    """The section properties, with the references `ends` to its headers and footers."""
    width, height = size
    left, top, right, bottom = margins
    orient = ' w:orient="landscape"' if width > height else ""
    return (
        f'<w:sectPr>{ends}<w:pgSz w:w="{_length(width)}" w:h="{_length(height)}"{orient}/>'
        f'<w:pgMar w:top="{_length(top)}" w:right="{_length(right)}" w:bottom="{_length(bottom)}" '
        f'w:left="{_length(left)}" w:header="{_length(min(top, 36) / 2)}" w:footer="{_length(min(bottom, 36) / 2)}" '
        'w:gutter="0"/></w:sectPr>'
    )


def _length(points: float) -> int:
    return min(max(0, round(points * _TWIPS)), 31_680)


def heads_and_feet(document: Document, relations: Relations) -> tuple[dict[str, str], str, bool, int]:
    """The header and footer parts, references to them, whether even pages differ, and how many lines are lost."""
    parts: dict[str, str] = {}
    ends = ""
    twofold = False
    lost = 0
    chosen: list[tuple[str, str, int, list[Line]]] = []
    for kind, found in (("header", document.heads), ("footer", document.feet)):
        by_side: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for number, lines in found.items():
            by_side[number % 2 == 1][_pattern(lines)] += 1
        best = {side: counts.most_common(1)[0][0] if counts else None for side, counts in by_side.items()}
        differ = best[True] != best[False] and None not in best.values()
        twofold = twofold or differ
        for side in (False, True) if differ else (False,):
            pattern = best[side] if best[side] is not None else best[True]
            first = next((n for n, lines in found.items() if _pattern(lines) == pattern), None)
            if first is not None:
                chosen.append((kind, "even" if side else "default", first, found[first]))
        kept = {pattern for pattern in best.values() if pattern is not None} if differ else {best[False] or best[True]}
        lost += sum(len(lines) for lines in found.values() if _pattern(lines) not in kept)
    sides = {(kind, side) for kind, side, _, _ in chosen}
    for kind, _, number, lines in list(chosen):
        if twofold and (kind, "even") not in sides:
            chosen.append((kind, "even", number, lines))
            sides.add((kind, "even"))
    for at, (kind, which, number, lines) in enumerate(chosen, 1):
        name = f"{kind}{at}.xml"
        tag = "hdr" if kind == "header" else "ftr"
        text = running_xml(lines, number + 1, Relations(), kind.title())
        parts[name] = f"{HEAD}<w:{tag} {NAMESPACES}>{text}</w:{tag}>"
        ends += f'<w:{kind}Reference w:type="{which}" r:id="{relations.id(kind, name)}"/>'
    return parts, ends, twofold, lost


def repeated(document: Document) -> Iterator[str]:
    """The lines of headers and footers after the first page that has them, which Word repeats by itself."""
    for found in (document.heads, document.feet):
        seen: set[str] = set()
        for line in (each for lines in found.values() for each in lines):
            if (pattern := _pattern([line])) in seen:
                yield line.text.strip()
            seen.add(pattern)


def _pattern(lines: list[Line]) -> str:
    """The text of lines apart from their numbers."""
    return "\n".join(re.sub(r"\d+", "#", line.text.strip()) for line in lines)
