"""Read CSV and TSV (RFC 4180) as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from engine.families.data.delimited.block import Block, blocks, without_header
from engine.families.data.delimited.cutting import Cuts, cut
from engine.families.data.doubts import Columns
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.inference import Kind, Spelling
from engine.families.data.inference import typed as typed_rows
from engine.families.data.readers.delimited_rows import Blank, Rows, undecodable
from engine.families.data.readers.delimiters import (
    DELIMITERS,
    comment_lines,
    delimiter_of,
    named_delimiter,
    title_lines,
)
from engine.families.data.schema import NULLS, Type
from engine.families.data.table import (
    Blocks,
    Frames,
    Row,
    Table,
    Widened,
    check_width,
    column_name,
    settled,
    unique_names,
)
from engine.toolkit import encodings, warnings
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say, shortened
from engine.toolkit.warnings import MAX_EXAMPLES, Warn

_BLOCK = 1 << 23
"""Bytes per data frame."""
_BLANK = warnings.Kind(
    "CONTENT_DROPPED",
    'Blank lines between rows of a single column were left out: {count}{places}. Write "" for a row without a value.',
)

_COMMENTS = warnings.Kind("COMMENTS_DROPPED", "Comment lines before the header were left out: {count}{places}.")
_TITLES = warnings.Kind("CONTENT_DROPPED", "Title lines before the header were left out: {count}{places}.")
_QUOTED = 40


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of a CSV or TSV file; encoding and delimiter are detected unless given as options.

    Quotes inside a cell are doubled or escaped by a backslash; text after a closing quote is read with a warning.
    Raises Unreadable, with the line, for an unclosed quote.
    """
    encoding = options.input_encoding
    encoding = encodings.detect(source, warn) if encoding == "auto" else encodings.python_name(encoding)
    try:
        named = named_delimiter(source, encoding)
        lead = options.skip_rows + (named is not None)
        if options.header_row and not options.skip_rows:
            comments = comment_lines(source, encoding, lead, getattr(options, "input_delimiter", "\t") or named)
            warn.tally(_COMMENTS, len(comments), (f"“{shortened(each, _QUOTED)}”" for each in comments[:MAX_EXAMPLES]))
            lead += len(comments)
        delimiter = getattr(options, "input_delimiter", "\t") or named or delimiter_of(source, encoding, lead)
        if options.header_row and not options.skip_rows:
            titles = title_lines(source, encoding, lead, delimiter)
            told = [text for each in titles if (text := each.strip(f"{delimiter} "))]
            warn.tally(_TITLES, len(told), (f"“{shortened(each, _QUOTED)}”" for each in told[:MAX_EXAMPLES]))
            lead += len(titles)
    except UnicodeError:
        raise undecodable(0, encoding) from None
    warn.detect(encoding=encodings.public_name(encoding), delimiter=delimiter)
    return [_Delimited(source, encoding, delimiter, options, warn, lead=lead).table]


_TYPES: dict[Kind, Type] = {
    "integer": Type("integer"),
    "long": Type("integer"),
    "number": Type("number"),
    "not a number": Type("text"),
    "boolean": Type("boolean"),
    "date": Type("date"),
    "moment": Type("timestamp"),
    "instant": Type("instant"),
    "time": Type("time"),
    "text": Type("text"),
}


class _Delimited:
    """One delimited file; its table can be iterated repeatedly, and is wider the next time if a row is."""

    def __init__(self, source: Path, encoding: str, delimiter: str, options: Any, warn: Warn, *, lead: int) -> None:
        self.rows = Rows(source, encoding, delimiter, warn, lead=lead)
        self.header = options.header_row
        validated = encoding == "utf-8" and options.input_encoding == "auto"
        self.sound = validated or not encoding.startswith("utf-8")  # recoded text is UTF-8
        """Whether everything cut so far is known to be UTF-8."""
        self.infer = options.types == "infer"
        self.spelling = Spelling(options) if self.infer else None
        self.kinds: list[Kind | None] | None = None
        self.warn = warn
        first = settled(self.rows.first)
        if first is None and options.skip_rows:
            raise InvalidOption("skipRows", "The file has fewer lines than that. Skip fewer.")
        if first is None:
            raise Unreadable("The file has no rows.", reason="empty")
        check_width(len(first))
        self.first = first
        names = unique_names(first, warn) if self.header else [column_name(index) for index in range(len(first))]
        self.given = len(names)
        self.table = Table("Sheet1", names, self.batches, named=self.header, nulls=self.infer)
        if self.spelling is not None:
            self.table.schema = self._schema
        usual = self.spelling is None or self.spelling.usual
        if usual and delimiter in DELIMITERS and not (lead or self.rows.escaped or self.rows.loose):
            infer = partial(self._inferred, self.spelling) if self.spelling else None
            self.table.frames = Frames(
                partial(infer, "typed") if infer else self._frames,
                source.stat().st_size,
                spelled=not self.infer,
                blocks=Blocks(self._blocks, delimiter.encode()),
                in_source_form=partial(infer, "in_source_form") if infer else None,
            )

    def _blocks(self, size: int) -> Iterator[Block]:
        delimiter, width = self.rows.delimiter.encode(), len(self.table.columns)
        try:
            yield from blocks(self._cut(size), delimiter=delimiter, width=width, sound=self.sound)
        except Inexact:
            self.table.by_rows()

    def _cut(self, size: int, *, hopeful: bool = False) -> Cuts:
        """The text of all rows but the header, in blocks of about `size` bytes. Raises Inexact."""
        rows = self.rows
        texts = cut(rows.source, rows.encoding, header=self.header, size=size, hopeful=hopeful)
        return without_header(texts, rows.delimiter.encode(), len(self.table.columns)) if self.header else texts

    def _frames(self) -> Iterator[Any]:
        from engine.families.data.columnar import delimited  # too large an import for small files

        try:
            for frame in delimited.frames(self._cut(_BLOCK, hopeful=True), self._reader()):
                frame.columns = self.table.columns
                yield frame
        except Inexact:
            self.table.by_rows()

    def _inferred(self, spelling: Spelling, form: str) -> Iterator[Any]:
        """Yield frames with inferred column types; if the first rows mislead, the table starts again."""
        from engine.families.data.columnar import inferring

        found = inferring.Columns(partial(self._cut, _BLOCK, hopeful=True), self._reader(), spelling, self.kinds)
        try:
            yield from getattr(found, form)(self.table.columns, self.warn)
        except Inexact:
            self.kinds = None  # found by rows, with what keeps columns from having one
            self.table.by_rows()
        except Unlike:
            self.kinds = found.kinds
            raise Widened from None

    def _reader(self) -> Any:
        from engine.families.data.columnar import delimited

        return delimited.Reader(delimiter=self.rows.delimiter.encode(), width=len(self.table.columns), nulls=self.infer)

    def batches(self) -> Iterator[list[Row]]:
        if self.spelling is None:
            return self._texts()
        kinds, spelling = self._kinds(self.spelling), self.spelling
        return self._typed(kinds, spelling)

    def _typed(self, kinds: list[Kind | None], spelling: Spelling) -> Iterator[list[Row]]:
        """Yield typed rows; what means nothing is counted in all of them, even if only the first are taken."""
        nulls = 0
        texts = self._texts()
        try:
            for batch in texts:
                nulls += spelling.count_nothing(batch, kinds)
                yield typed_rows(batch, kinds, spelling)
        finally:  # enough rows may have been found
            self.warn.tally(NULLS, nulls + sum(spelling.count_nothing(batch, kinds) for batch in texts))

    def _kinds(self, spelling: Spelling) -> list[Kind | None]:
        """The types of all columns, from a first pass over all rows."""
        width = len(self.table.columns)
        if self.kinds is None or len(self.kinds) != width:
            columns = Columns(width, spelling)
            for batch in self._texts():
                columns.see(batch)
            self.kinds = columns.kinds
            columns.doubts.report(self.table.columns, self.kinds, self.warn)
        return self.kinds

    def _schema(self) -> list[Type | None]:
        """The inferred column types; unknown for columns without cells."""
        return [_TYPES[kind] if kind else None for kind in self.kinds or [None] * len(self.table.columns)]

    def _texts(self) -> Iterator[list[Row]]:
        columns = self.table.columns
        width = len(columns)
        ragged: Counter[int] = Counter()
        blank = Blank()
        batches = self.rows.batches()
        header = self.header
        for batch in batches:
            if header:
                first = next((at for at, row in enumerate(batch) if row), None)
                if first is None:
                    continue
                del batch[: first + 1]
                header = False
            if width == 1:
                blank.see(batch)
            if not set(map(len, batch)) <= {width}:
                batch = self._even(batch, width, ragged, batches)
            yield batch
        if ragged:
            self.warn(
                "ROW_RAGGED",
                say(
                    "Rows with more or fewer cells than the header's {given}: {ragged} ({found}).",
                    ragged=ragged.total(),
                    given=self.given,
                    found=", ".join(f"{count} with {cells}" for cells, count in sorted(ragged.items())[:8]),
                ),
            )

        if blank.lines:
            self.warn.tally(_BLANK, blank.lines)

    def _even(
        self, batch: list[list[str]], width: int, ragged: Counter[int], rest: Iterator[list[list[str]]]
    ) -> list[list[str]]:
        batch = [row for row in batch if row]
        widest = max(map(len, batch), default=0)
        if widest > width:
            widest = max(widest, max((len(row) for later in rest for row in later), default=0))
            check_width(widest)
            given = self.first if self.header else self.table.columns
            self.table.columns = unique_names([*given, *("" for _ in range(widest - len(given)))], self.warn)
            raise Widened
        ragged.update(len(row) for row in batch if len(row) != self.given)
        return [row if len(row) == width else row + [""] * (width - len(row)) for row in batch]
