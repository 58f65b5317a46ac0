"""Flatten documents of objects, lists or single values into table rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from engine.families.data import garbage, row_lists
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.features import Found
from engine.families.data.flat_rows import FlatRows, filled_cells
from engine.families.data.json_input import tokens
from engine.families.data.json_input.blocks import Block
from engine.families.data.json_input.tokens import Tokens
from engine.families.data.readers import spreadsheet_xml
from engine.families.data.table import (
    MAX_CELLS,
    Documents,
    Frames,
    Row,
    Table,
    Widened,
    is_sparse,
)
from engine.toolkit.warnings import Warn

_NESTED = {"list", "struct"}


def tables(documents: Documents, options: Any, warn: Warn, *, find_rows: bool) -> list[Table]:
    """One row for each object of a list; nested objects become columns with dotted names, unless they are kept.

    A list of lists has columns `0`, `1`, ...; a list of single values has the column `value`; one object is one row.
    `options.row_path` names the list of rows; without it, `find_rows` searches for it, or for all lists.
    `options.unwind` names a list in each row whose items become rows. Raises Unreadable for mixed items, with the index
    of the first odd one, and InvalidOption for a path that does not exist.
    """
    if options.row_path:
        lists = [row_lists.RowList("Sheet1", row_lists.at(documents, options.row_path))]
    elif find_rows and not documents.many:
        document = next(documents.batches())[0]
        if hasattr(options, "attribute_prefix") and not options.unwind:  # XML
            sheets = spreadsheet_xml.tables(document, options, documents.found, warn)
            if sheets is not None:
                return sheets
        lists = row_lists.sought(document, options, warn)
    else:
        lists = [row_lists.RowList("Sheet1", documents)]
    return [_table(each, documents.found, options, warn) for each in lists]


def _table(rows_of: row_lists.RowList, found: Found, options: Any, warn: Warn) -> Table:
    rows = rows_of.rows
    if options.unwind:
        rows = row_lists.unwound(rows, options.unwind, options.separator)
    return _Flattened(rows_of.name, rows, found, options, warn).table


class _Flattened(FlatRows):
    """Rows that large files also give by whole columns, as frames and in source form."""

    def __init__(self, name: str, documents: Documents, found: Found, options: Any, warn: Warn) -> None:
        super().__init__(name, documents, found, options, warn)
        self.columns: Any = None
        if documents.blocks and self.kind is dict and self.paths:
            self.table.tokens = partial(self._tokens, documents.blocks)
            if len(self.paths) == len(self.seen):
                self.table.frames = Frames(
                    partial(self._frames, documents.blocks, "frames"),
                    documents.size,
                    spelled=False,
                    in_source_form=partial(self._frames, documents.blocks, "in_source_form"),
                    of_one_kind=self._is_of_one_kind,
                )

    def _frames(self, blocks: Callable[..., Any], form: str) -> Iterator[Any]:
        """Yield rows as frames in this form; batches handle what can't be proven to be the same."""
        from engine.families.data.columnar import json_objects  # large imports
        from engine.families.data.columnar.building import report

        given = [*self.table.columns]
        try:
            self.columns = self.columns or json_objects.Columns(blocks)
            kinds = self.columns.kinds
            opened = self.not_as_it_is and any({each.kind, *each.kinds} & _NESTED for each in kinds.values())
            if not given or list(kinds) != given or opened:
                raise Inexact
            rows = 0
            for frame in getattr(self.columns, form)():
                rows += len(frame if form == "frames" else frame[0])
                if rows * len(given) > MAX_CELLS:
                    raise Inexact
                yield frame
            report(self.columns.narrowing, self.warn)
        except Unlike:
            try:
                self.columns.learn()
            except Inexact:
                self._by_rows()
            self.table.columns = list(self.columns.kinds)
            raise Widened from None
        except Inexact:
            self._by_rows()

    def _is_of_one_kind(self) -> bool:
        return bool(self.columns.of_one_kind)

    def _by_rows(self) -> NoReturn:
        self.table.columns = [self.separator.join(path) for path in self.paths]
        self.table.by_rows()

    def _tokens(self, blocks: Callable[..., Any]) -> Iterator[Tokens | list[Row]]:
        """Yield rows in source form, or as values where that is not proven to be the same."""
        columns = self._columns_of_tokens()
        done = filled = 0
        widened = False

        def split(block: Block) -> Tokens | list[Row]:
            nonlocal columns, widened
            with suppress(Unlike), garbage.gc_disabled():
                if (found := columns.split(block)) is not None:
                    return found
            batch = block.values()
            rows = None if widened else self.rows(batch, done, filled)
            if rows is None:
                widened = True
                self.learn(batch, done)
                columns = self._columns_of_tokens()
            return batch if rows is None else rows

        for each in blocks(split):
            if widened:
                done += each.rows if isinstance(each, Tokens) else len(each)
                continue
            if isinstance(each, Tokens):
                self._fill(each)
                done += each.rows
                filled += each.filled
            else:
                done += len(each)
                filled += filled_cells(each)
            self.check(done)
            if is_sparse(done, len(self.paths), filled):  # perhaps: some nulls were counted twice
                self.table.tokens = None
                raise Widened
            yield each
        if widened:
            raise Widened

    def _columns_of_tokens(self) -> tokens.Columns:
        nulls = self.seen.keys() - self.paths.keys()
        return tokens.Columns(self.paths, nulls, flatten=self.flatten, lists=self.arrays == "json")

    def _fill(self, found: Tokens) -> None:
        """Find out which columns have more than null."""
        for path in [*self.empty] if self.empty else ():
            joined = found.columns[self.paths[path]] if path in self.paths else None
            if joined and joined.strip(b"nul\n"):
                self.empty.discard(path)
