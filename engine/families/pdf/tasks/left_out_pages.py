"""Cut from copied pages what belongs to the pages that were left out of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pikepdf
from pikepdf import Name

from engine.families.pdf.tasks import leads, unused_resources
from engine.families.pdf.tasks.entry_changes import Changes
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_TO_WRITE = frozenset({"/ColorSpace", "/Encoding", "/Font", "/ProcSet"})
"""What values of fields are written with (ISO 32000-1, 12.7.3.3); other resources may show anything."""


def cut(pdf: pikepdf.Pdf, source: Sequence[pikepdf.Page], taken: Iterable[int], warn: Warn) -> None:
    """Keep nothing but what the pages of `pdf`, those of the pages `source` with the numbers in `taken`, show and do.

    A copied widget brings its field, which brings the fields and widgets around it on other pages with their values;
    resources, threads, structure elements and signatures also lead to other pages. A field keeps those of its widgets
    that are on these pages, and its value.
    """
    numbers = set(taken)
    if len(numbers) == len(source):
        return
    changes, pages = Changes(), list(pdf.pages)
    kept = leads.kept_on(pages)
    leads.cut(pages, kept, changes, leads.Lists(), own={page.obj.objgen for page in pages})
    for page in pages:  # a drawing program keeps all of its pages in that of one
        if Name.PieceInfo in page.obj:
            del page.obj[Name.PieceInfo]
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary):
        for name in (Name.Fields, Name.CO):
            if isinstance(fields := form.get(name), pikepdf.Array):
                own = [each for each in fields if isinstance(each, pikepdf.Dictionary) and each.objgen in kept]
                form[name] = pikepdf.Array(own)
        if isinstance(resources := form.get(Name.DR), pikepdf.Dictionary):
            kinds = {kind: value for kind, value in resources.items() if kind in _TO_WRITE}
            form[Name.DR] = pikepdf.Dictionary(kinds)
    unused_resources.remove(pdf, pages, changes)
    if any(Name.PieceInfo in source[number].obj for number in numbers):
        warn("METADATA_DROPPED", say("Private data of other programs was removed: {named}.", named="metadata of pages"))
