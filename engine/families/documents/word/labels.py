"""The labels of paragraphs in lists as HTML: their place, look, and the room after them (ECMA-376, part 1, 17.9)."""

from __future__ import annotations

from html import escape

from engine.families.documents.word import css_classes, tabs, text_widths
from engine.families.documents.word.inline import Inline
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import pt
from engine.families.documents.word.paragraphs import Paragraph

_HUNG = {"right": 1.0, "end": 1.0, "center": 0.5}
"""The share of a label that hangs over its position (17.9.7)."""


def markup(job: Job, paragraph: Paragraph, inline: Inline, *, dark: bool) -> str:
    """The label of a paragraph, if it has one; a tab after it is room up to the next stop."""
    number = paragraph.block.get("numId")
    if not number:
        return ""
    language = (paragraph.text | paragraph.mark).get("lang", "")
    label = job.numbering.next(number, paragraph.block.get("ilvl", 0), language)
    if label is None or not label.text:
        return ""
    mark = {k: v for k, v in paragraph.mark.items() if k != "u"} | label.run
    formatting = paragraph.text | mark
    css = css_classes.run(formatting, inline.around, dark=dark)
    inline.grow(formatting)
    hanging = -paragraph.block.get("first", 0.0)
    text = escape(label.text, quote=False)
    mark_up = "span data-label" if job.drawn else "span"
    after = " " if label.follow == "tab" else ""  # for readers of the text order rather than of positions
    # Of a label, what is before its position hangs beyond it.
    wide = text_widths.width(label.text, formatting)
    hung = wide * _HUNG.get(label.justified, 0.0)
    if hung:
        css |= {"margin-left": pt(-hung), "display": "inline-block", "text-indent": "0"}
    if label.follow == "tab":
        if hanging <= 0:
            stops = [each for each in paragraph.block.get("tabs", {}) if each > paragraph.block.get("left", 0.0)]
            hanging = min(stops) - paragraph.block.get("left", 0.0) + hanging if stops else 36.0
        if wide - hung > hanging:
            begins = paragraph.block.get("left", 0.0) - hanging
            hanging = tabs.next_stop(paragraph.block, begins + wide - hung) - begins
        css |= {
            "display": "inline-block",
            "text-indent": "0",
            "white-space": "nowrap",
            "min-width": pt(hanging + hung),
        }
    elif label.follow == "space":
        return f'<{mark_up} class="{job.classes.name(css, "n")}">{text}</span> '
    return f'<{mark_up} class="{job.classes.name(css, "n")}">{text}{after}</span>'
