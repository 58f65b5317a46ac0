"""Take pages apart from the rest of their PDF while they are copied, so that copies bring no more than they keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import pikepdf
from pikepdf import Name

from engine.families.pdf.tasks import leads, unused_resources
from engine.families.pdf.tasks.entry_changes import Changes


class Apart:
    """A PDF that pages are copied from, some at a time.

    A copied page brings all that it leads to: of a form, the outermost field and with it all pages' fields, for each
    page again.
    """

    def __init__(self, pdf: pikepdf.Pdf, pages: Sequence[pikepdf.Page]) -> None:
        self._pdf = pdf
        self._pages = pages
        self._lists = leads.Lists()

    @contextmanager
    def only(self, numbers: Iterable[int]) -> Iterator[None]:
        """Until it ends, the pages with these numbers lead to no field, comment or resource of the others."""
        taken = sorted(set(numbers))
        if len(taken) == len(self._pages):
            yield
            return
        pages = [self._pages[number] for number in taken]
        changes = Changes()
        try:
            for page in pages:
                if Name.PieceInfo in page.obj:
                    changes.drop(page.obj, "/PieceInfo")
            leads.cut(pages, leads.kept_on(pages), changes, self._lists)
            unused_resources.remove(self._pdf, pages, changes)
            yield
        finally:
            changes.take_back()
