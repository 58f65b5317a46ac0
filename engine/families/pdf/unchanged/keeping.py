"""Keep pages looking and reading as before: revert the replacements that changed them, and warn of the rest."""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf

from engine.families.pdf.unchanged.comparing import Found, compare
from engine.families.pdf.unchanged.differences import parts_of
from engine.families.pdf.unchanged.intended import Intended
from engine.families.pdf.unchanged.replaced import Replaced
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_NAMED = 20
_FONTS_KEPT = "Fonts of page {pages} stayed as they were: it would have looked different with smaller ones."
_PICTURES_KEPT = "Pictures of page {pages} stayed as they were: it would have looked different with smaller ones."
_GONE = Kind(
    "TEXT_NOT_SHOWN", "Words in the input are missing from the result's text: {count}{places}.", counts="words"
)
_NEW = Kind("LOOKS_CHANGED", "The result's text has words that are not in the input: {count}{places}.")


@dataclass(frozen=True)
class Work:
    """What a task did to a document: the changes it intends, and those that can be reverted.

    If `intended` is None, the pages of the result are not pages of the input, and are not compared. `save` writes the
    document again after some of `replaced` were reverted. If `optional`, the input may be returned instead.
    """

    intended: Intended | None = field(default_factory=Intended)
    replaced: Replaced | None = None
    save: Callable[[], None] | None = None
    optional: bool = False


def keep(pdf: pikepdf.Pdf, source: Path, target: Path, work: Work, password: str | None, warn: Warn) -> None:
    """Compare the finished `target` with `source`, revert changes to pages beyond what was meant, and warn.

    `pdf` is the document that was changed and written. Raises Unreadable if the result can't be read.
    """
    if work.intended is None:
        return
    if filecmp.cmp(source, target, shallow=False):
        warn.keep_texts(target, (), compared=True)
        return
    found = compare(source, target, password, work.intended)
    if found.compared < found.changed:
        warn.detect(changedPages=found.changed, comparedPages=found.compared)
    if work.replaced is not None and work.save is not None:
        for kept, take_back in (
            (_FONTS_KEPT, work.replaced.take_back_fonts),
            (_PICTURES_KEPT, work.replaced.take_back_pictures),
        ):
            pages = found.wrong
            parts = {part.objgen for number in pages for part in parts_of(pdf.pages[number])}
            if take_back(parts):
                work.save()
                found = compare(source, target, password, work.intended, pages)
                if cured := sorted(set(pages) - set(found.wrong)):
                    warn("SIZE_MISSED", say(kept, pages=_named(cured)))
    if found.wrong and work.optional:
        shutil.copyfile(source, target)
        warn(
            "NOT_SMALLER",
            say("The PDF was left unchanged: page {pages} would have looked different.", pages=_named(found.wrong)),
        )
    elif found.wrong:
        _name(found, warn)
    if found.compared >= found.changed and not found.gone:
        warn.keep_texts(target, (), compared=True)


def _name(found: Found, warn: Warn) -> None:
    if found.pages:
        warn(
            "LOOKS_CHANGED",
            say("Page {pages} looks different from the input. Compare them.", pages=_named(found.pages)),
        )
    for kind, words in ((_GONE, found.gone), (_NEW, found.new)):
        every = [word for each in words.values() for word in each]
        warn.tally(kind, len(every), every)


def _named(pages: Iterable[int]) -> str:
    numbers = [str(each + 1) for each in pages]
    return ", ".join(numbers[:_NAMED]) + (", ..." if len(numbers) > _NAMED else "")
