"""Reading CSV and TSV: rows out of delimited text (RFC 4180)."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from conversions.families.data.table import BATCH, Frames, Row, Table, Widened, check_width, column_name, unique_names
from conversions.families.data.values import Value, number
from conversions.toolkit import encodings
from conversions.toolkit.failures import InvalidOption, Unreadable
from conversions.toolkit.warnings import Kind, Warn

DELIMITERS = (",", ";", "\t", "|")
MAX_FIELD = 1 << 28
_SAMPLE_ROWS = 50
_BLANK = Kind(
    "CONTENT_DROPPED",
    "Blank lines between the rows of one column were left out",
    'A row without a value is written "".',
)
_LEAD = 16
_NAMED = re.compile(r'\ufeff?"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
_INFERRED = re.compile(r"(-?(?:0|[1-9]\d{0,14}))|(-?(?:0|[1-9]\d*)\.\d+)")
_WORDS = {"true": True, "false": False, "TRUE": True, "FALSE": False, "True": True, "False": False}

csv.field_size_limit(MAX_FIELD)


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The one table of a CSV or TSV file; encoding and delimiter are detected unless the options say them.

    Raises Unreadable, with the line, for a quote that is never closed and for text after a closing quote.
    """
    encoding = options.input_encoding
    encoding = encodings.detect(source, warn) if encoding == "auto" else encodings.python_name(encoding)
    try:
        said = _said(source, encoding)
        lead = options.skip_rows + (said is not None)
        delimiter = getattr(options, "input_delimiter", "\t") or said or _delimiter(source, encoding, lead)
    except UnicodeError:
        raise _undecodable(0, encoding) from None
    warn.detect(encoding=encodings.public_name(encoding), delimiter=delimiter)
    return [_Delimited(source, encoding, delimiter, options, warn, lead=lead).table]


class _Delimited:
    """One delimited file; its table can be iterated more than once, and is wider the next time if a row is."""

    def __init__(self, source: Path, encoding: str, delimiter: str, options: Any, warn: Warn, *, lead: int) -> None:
        self.lead = lead
        self.source = source
        self.encoding = encoding
        self.delimiter = delimiter
        self.header = options.header_row
        self.infer = options.types == "infer"
        self.warn = warn
        with closing(self._batches()) as batches:
            first = next((row for batch in batches for row in batch if row), None)
        if first is None and options.skip_rows:
            raise InvalidOption("skipRows", "The file has no more lines than that. Leave out fewer of them.")
        if first is None:
            raise Unreadable("The file has no rows.")
        check_width(len(first))
        self.first = first
        names = unique_names(first, warn) if self.header else [column_name(index) for index in range(len(first))]
        self.given = len(names)
        self.table = Table("Sheet1", names, self.batches, named=self.header, nulls=self.infer)
        if not self.infer and delimiter in DELIMITERS and not lead:
            self.table.frames = Frames(self._frames, source.stat().st_size)

    def _frames(self) -> Iterator[Any]:
        from conversions.families.data.columnar import delimited  # heavy: not for small files

        return delimited.exact(
            self.table,
            delimited.frames(
                self.source,
                encoding=self.encoding,
                delimiter=self.delimiter,
                columns=self.table.columns,
                header=self.header,
            ),
        )

    def _batches(self) -> Generator[list[list[str]], None, None]:
        """All rows of the file from the header on, empty lines among them."""
        with self.source.open(encoding=self.encoding, newline="") as file:
            self._pass_over(file)
            reader = csv.reader(file, delimiter=self.delimiter, strict=True)
            try:
                while batch := list(islice(reader, BATCH)):
                    yield batch
            except csv.Error as error:
                raise _unreadable(error, self._start_of_last_row()) from None
            except UnicodeError:
                raise _undecodable(self.lead + reader.line_num, self.encoding) from None

    def _pass_over(self, file: TextIO) -> None:
        for _ in islice(file, self.lead):
            pass

    def _start_of_last_row(self) -> int:
        """The line on which the row begins that can't be read."""
        start = first = 1 + self.lead
        with self.source.open(encoding=self.encoding, newline="") as file, suppress(csv.Error):
            self._pass_over(file)
            reader = csv.reader(file, delimiter=self.delimiter, strict=True)
            for _ in reader:
                start = reader.line_num + first
        return start

    def batches(self) -> Iterator[list[Row]]:
        columns = self.table.columns
        width = len(columns)
        ragged: Counter[int] = Counter()
        blank = _Blank()
        batches = self._batches()
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
            yield [[_inferred(cell) for cell in row] for row in batch] if self.infer else batch
        if ragged:
            self.warn(
                "ROW_RAGGED",
                f"{ragged.total()} rows have more or fewer cells than the header's {self.given}: "
                + ", ".join(f"{count} with {cells}" for cells, count in sorted(ragged.items())[:8])
                + ".",
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


class _Blank:
    """Counts blank lines, those at the end of the file left aside."""

    def __init__(self) -> None:
        self.lines = 0
        self.waiting = 0

    def see(self, batch: list[list[str]]) -> None:
        for row in batch:
            if not row:
                self.waiting += 1
            elif self.waiting:
                self.lines += self.waiting
                self.waiting = 0


def _undecodable(line: int, encoding: str) -> Unreadable:
    return Unreadable(
        f"After line {line} the file is not valid {encodings.public_name(encoding)}. "
        "Choose the encoding it was saved in."
    )


def _unreadable(error: csv.Error, start: int) -> Unreadable:
    if "unexpected end" in str(error):
        return Unreadable(
            f"A quote that opens in the row of line {start} is never closed. Close it, or double quotes inside a cell.",
            line=start,
        )
    if "expected after" in str(error):
        return Unreadable(
            f"In the row of line {start} text follows a closing quote. Write a quote inside a quoted cell twice.",
            line=start,
        )
    return Unreadable(f"The row of line {start} can't be read: one of its cells is too long.", line=start)


def _said(source: Path, encoding: str) -> str | None:
    """The delimiter that a first line names as Excel does, such as `sep=;`; the line is no row then."""
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        match = _NAMED.match(file.read(_LEAD))
    return match[1] if match else None


def _delimiter(source: Path, encoding: str, lead: int) -> str:
    """The candidate that splits the first rows into the most equal numbers of cells; a comma where none splits."""
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        for _ in islice(file, lead):
            pass
        sample = file.read(encodings.SAMPLE)
        complete = not file.read(1)
    best, best_score = ",", 0.0
    for candidate in DELIMITERS:
        if candidate not in sample:
            continue
        widths: list[int] = []
        try:
            for row in csv.reader(sample.splitlines(keepends=True), delimiter=candidate):
                if row:
                    widths.append(len(row))
                if len(widths) > _SAMPLE_ROWS:
                    break
        except csv.Error:
            continue
        if not complete and 1 < len(widths) <= _SAMPLE_ROWS:
            widths.pop()  # the sample ends inside this row
        if not widths:
            continue
        cells, count = Counter(widths).most_common()[0]
        score = count / len(widths) * (1 - 1 / cells)
        if score > best_score + 0.01:
            best, best_score = candidate, score
    return best


def _inferred(cell: str) -> Value:
    """A number or boolean where the text can mean nothing else and is spelled as one; empty is None.

    Leading zeros, plus signs, exponents, integers of over 15 digits, dates and `NA` stay text.
    """
    match = _INFERRED.fullmatch(cell)
    if match:
        return int(cell) if match[1] else number(cell)
    return _WORDS.get(cell, cell) if cell else None
