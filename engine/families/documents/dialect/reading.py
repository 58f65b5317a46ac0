"""Read what most kinds of Markdown have beyond CommonMark and GitHub's tables, for both readers of Markdown alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from pathlib import Path

from engine.families.documents.dialect import blocks, inline_notes, tex, written
from engine.families.documents.dialect.formulas import Formula, Formulas
from engine.toolkit.messages import shortened
from engine.toolkit.warnings import Kind, Warn

READER = "gfm-yaml_metadata_block-tex_math_dollars-tex_math_gfm-alerts"
"""pandoc's reader of a prepared text, without what is marked in it."""
_FILTER = Path(__file__).with_name("dialect.lua")
_FORMULAS = "formulas.json"
_UNREAD = Kind("NOT_UNDERSTOOD", "Formulas that can't be read are shown as written: {count}{places}.")
_LONGEST = 40


class Dialect:
    """A Markdown text prepared for a reader: formulas, definitions and lists of contents are marks in `text`,
    and inline notes are footnotes."""

    def __init__(self, text: str) -> None:
        self._formulas = Formulas(brackets=False)
        # after formulas, in which ^[ is a raised bracket
        self.text = inline_notes.numbered(self._formulas.keep(blocks.rewritten(text)))

    def in_html(self, body: str, warn: Warn, named: Callable[[str], str]) -> str:
        """The safe HTML of `text` with MathML, definitions, callouts, contents and emoji.

        `named` gives headings their ids. Formulas that can't be read are shown as written, with a warning.
        """
        unread: list[str] = []

        def element(formula: Formula) -> str:
            made = tex.mathml(formula.tex, display=formula.display)
            if made is None:
                unread.append(shortened(formula.source, _LONGEST))
                return f"<code>{escape(formula.source, quote=False)}</code>"
            return made

        made = self._formulas.restore(written.contents(named(written.blocks(body))), element)
        warn.tally(_UNREAD, len(unread), unread)
        return made

    def arguments(self, folder: Path) -> tuple[str, ...]:
        """The arguments with which pandoc reads `text`; a file in `folder`, where it runs, has the formulas."""
        if not self._formulas.kept and not any(each in self.text for each in (blocks.TERM, blocks.CONTENTS, "[!")):
            return ()
        kept = [each._asdict() for each in self._formulas.kept]
        (folder / _FORMULAS).write_text(json.dumps({"close": self._formulas.close, "kept": kept}), "utf-8")
        return (f"--lua-filter={_FILTER}",)
