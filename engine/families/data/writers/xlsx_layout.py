"""Columns, notes and links of an xlsx sheet (ECMA-376, part 1, 18)."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from engine.families.data import cell_references as places
from engine.families.data.sheet_layout import Layout
from engine.families.data.writers.cells import FORBIDDEN
from engine.families.data.writers.xlsx_frame import HEAD, MAIN, OFFICE, PACKAGE

_MAX_ADDRESS = 2_079
_USUAL_WIDTH = 8.43
_CUSTOM = ' customWidth="1"'
HIDDEN = ' hidden="1"'


def columns(layout: Layout) -> str:
    """Return the markup of columns that have a custom width or are hidden."""
    runs: list[tuple[int, int, float | None, bool]] = []
    for at in sorted({*layout.widths, *layout.hidden_columns}):
        width, hidden = layout.widths.get(at), at in layout.hidden_columns
        if runs and runs[-1][1:] == (at - 1, width, hidden):
            runs[-1] = (runs[-1][0], at, width, hidden)
        else:
            runs.append((at, at, width, hidden))
    found = "".join(
        f'<col min="{first + 1}" max="{last + 1}" width="{round(width or _USUAL_WIDTH, 4)}"'
        f"{_CUSTOM if width else ''}{HIDDEN if hidden else ''}/>"
        for first, last, width, hidden in runs
    )
    return f"<cols>{found}</cols>" if found else ""


def after_cells(layout: Layout) -> str:
    """Return the markup after the merged cells: links, and the reference to the drawing of notes."""
    found = "".join(
        f'<hyperlink ref="{places.cell(*place)}" {_target(address, at)}/>'
        for at, (place, address) in enumerate(sorted(layout.links.items()), 1)
    )
    links = f"<hyperlinks>{found}</hyperlinks>" if found else ""
    return links + ('<legacyDrawing r:id="rIdDrawn"/>' if layout.notes else "")


def _target(address: str, at: int) -> str:
    if address.startswith("#"):
        return f'location="{_text(address[1:])}"'
    return f'r:id="rId{at}"'


def parts(layout: Layout, number: int) -> Iterator[tuple[str, str]]:
    """The parts that belong to the sheet of this number."""
    external = [
        f'<Relationship Id="rId{at}" Type="{OFFICE}/hyperlink" Target="{_text(address[:_MAX_ADDRESS])}"'
        ' TargetMode="External"/>'
        for at, (_, address) in enumerate(sorted(layout.links.items()), 1)
        if not address.startswith("#")
    ]
    if layout.notes:
        external += [
            f'<Relationship Id="rIdDrawn" Type="{OFFICE}/vmlDrawing" Target="../drawings/vmlDrawing{number}.vml"/>',
            f'<Relationship Id="rIdNotes" Type="{OFFICE}/comments" Target="../comments{number}.xml"/>',
        ]
        yield f"xl/comments{number}.xml", HEAD + _comments(layout)
        yield f"xl/drawings/vmlDrawing{number}.vml", _drawing(layout)
    if external:
        yield (
            f"xl/worksheets/_rels/sheet{number}.xml.rels",
            f'{HEAD}<Relationships xmlns="{PACKAGE}relationships">{"".join(external)}</Relationships>',
        )


def _comments(layout: Layout) -> str:
    found = "".join(
        f'<comment ref="{places.cell(*place)}" authorId="0"><text><t xml:space="preserve">{_text(note)}</t></text>'
        "</comment>"
        for place, note in sorted(layout.notes.items())
    )
    return f'<comments xmlns="{MAIN}"><authors><author/></authors><commentList>{found}</commentList></comments>'


def _drawing(layout: Layout) -> str:
    """The boxes of the notes; without them, spreadsheets report a damaged file (section 14.2 of part 4)."""
    shapes = "".join(
        f'<v:shape id="_x0000_s{1025 + at}" type="#_x0000_t202" fillcolor="#ffffe1"'
        ' style="position:absolute;width:108pt;height:59pt;visibility:hidden">'
        f'<x:ClientData ObjectType="Note"><x:Anchor>{column + 1}, 15, {row}, 2, {column + 3}, 31, {row + 4}, 1'
        f"</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row><x:Column>{column}</x:Column></x:ClientData></v:shape>"
        for at, (row, column) in enumerate(sorted(layout.notes))
    )
    return (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
        ' xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202" coordsize="21600,21600"'
        f' o:spt="202" path="m,l,21600r21600,l21600,xe"/>{shapes}</xml>'
    )


def _text(value: str) -> str:
    return escape(FORBIDDEN.sub("", value), quote=True)
