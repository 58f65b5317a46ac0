"""The effective properties of a Word paragraph, from styles and numbering."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import properties
from engine.families.documents.word.names import child
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.styles import Styles, merged


@dataclass
class Paragraph:
    """A paragraph with its paragraph properties, its text properties, and those of its end mark."""

    element: Element
    style: str
    block: Properties
    text: Properties
    mark: Properties


def read(
    element: Element, styles: Styles, numbering: Numbering, table: tuple[Properties, Properties] | None = None
) -> Paragraph:
    """The effective properties of a paragraph; `table` holds those set by the table around it."""
    own = child(element, "pPr")
    direct = properties.paragraph(own, styles.theme)
    style = direct.pop("style", "") or styles.default("paragraph")
    styled_block, styled_text = styles.paragraph(style)
    block = merged(styles.block, table[0]) if table else styles.block
    block = merged(block, styled_block)
    text = styles.text | table[1] if table else styles.text
    if table and style == styles.default("paragraph"):
        # The default style supplies what the table's style does not (17.7.2).
        text = styles.text | styled_text | table[1]
        block = merged(merged(styles.block, styled_block), table[0])
    else:
        text = text | styled_text
    number = direct.get("numId", block.get("numId"))
    if number:
        level = direct.get("ilvl", numbering.level_of(number, style))
        level = block.get("ilvl", 0) if level is None else level
        found = numbering.level(number, level)
        if found is not None:
            block = merged(block, {k: v for k, v in found.block.items() if k in ("left", "right", "first", "tabs")})
            if "numId" not in direct:
                block = merged(block, {k: v for k, v in styled_block.items() if k in ("left", "right", "first")})
        block["ilvl"] = level
    block = merged(block, direct)
    mark = properties.run(child(own, "rPr"), styles.theme)
    mark.pop("style", None)
    return Paragraph(element, style, block, text, mark)
