"""Take hidden text out of the parts of a Word file that another program draws."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from engine.families.documents.ooxml.package import Package
from engine.families.documents.word import hidden_text
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.theme import Theme
from engine.toolkit.warnings import Warn

_KINDS = frozenset(("header", "footer", "footnotes", "endnotes"))


def without_hidden(source: Path, warn: Warn) -> dict[str, bytes]:
    """The parts of a document that had hidden text, without it; warns of the texts by number.

    Raises Unreadable for parts that are damaged.
    """
    with Package(source) as package:
        main = package.main()
        if main is None:
            return {}
        related = [each.target for each in package.relations(main).values() if each.kind in _KINDS]
        names = [each for each in dict.fromkeys((main, *related)) if each in package.names]
        sheet = package.related(main, "styles")
        marked = {each for each in names if hidden_text.MARK.search(package.read(each))}
        if not marked and (sheet is None or not hidden_text.MARK.search(package.read(sheet))):
            return {}
        styles = Styles(None if sheet is None else package.xml(sheet), Theme(None))
        changed, texts = {}, []
        for name in names:
            if not (styles.hides or name in marked):
                continue
            root = package.xml(name)
            if left := hidden_text.leave_out(root, styles):
                texts += left
                changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    hidden_text.report(texts, warn)
    return changed
