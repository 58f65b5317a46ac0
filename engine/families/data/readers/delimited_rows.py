"""The rows of delimited text as Python's csv module reads them, with the place of errors."""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from engine.families.data.table import BATCH, Widened
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn

MAX_FIELD = 1 << 28
_LOOSE = Kind(
    "VALUE_CONVERTED",
    "Rows with text after a closing quote were read the way spreadsheets do, so they may "
    "lack quotes or be split differently: {count}{places}. Double the quotes inside quoted "
    "cells.",
)
_ESCAPED = re.compile(r'\\(["\\]?)')

csv.field_size_limit(MAX_FIELD)


class Rows:
    """The rows of one file after skipping `lead` lines.

    `escaped` means that quotes in cells are escaped by a backslash instead of another quote; `loose` that text follows
    closing quotes. Reading raises Widened when either turns out to be so, and Unreadable, with the line, for an
    unclosed quote.
    """

    def __init__(self, source: Path, encoding: str, delimiter: str, warn: Warn, *, lead: int) -> None:
        self.source = source
        self.encoding = encoding
        self.delimiter = delimiter
        self.lead = lead
        self.warn = warn
        self.escaped = False
        self.loose = False

    def first(self) -> list[str] | None:
        with closing(self.batches()) as batches:
            return next((row for batch in batches for row in batch if row), None)

    def batches(self) -> Generator[list[list[str]], None, None]:
        """All rows of the file from the header on, including empty lines."""
        with self.source.open(encoding=self.encoding, newline="") as file:
            self._pass_over(file)
            if self.loose:
                yield from self._loose_batches(file)
                return
            reader = self._reader(file)
            try:
                while batch := list(islice(reader, BATCH)):
                    yield batch
            except csv.Error as error:
                start = self._start_of_last_row()
                if not self.escaped and "expected after" in str(error) and self._escapes(start, reader.line_num):
                    self.escaped = True
                    self.warn.detect(escape="\\")
                    raise Widened from None
                if not self.escaped and "expected after" in str(error):
                    self.loose = True
                    raise Widened from None
                raise _unreadable(error, start) from None
            except UnicodeError:
                raise undecodable(self.lead + reader.line_num, self.encoding) from None

    def _loose_batches(self, file: TextIO) -> Iterator[list[list[str]]]:
        """As spreadsheets read them: text after a closing quote belongs to the cell, the quote does not."""
        line = self.lead
        taken: list[str] = []
        ended = False

        def lines() -> Iterator[str]:
            nonlocal ended
            for each in file:
                taken.append(each)
                yield each
            ended = True
            taken.append("")
            yield "."  # a separate row, unless a quote is open

        rows: list[list[str]] = []
        places: list[str] = []
        count = 0
        try:
            for row in csv.reader(lines(), delimiter=self.delimiter):
                if ended:
                    break
                if not self._is_strict(taken):
                    count += 1
                    places += [f"line {line + 1}"] if count <= MAX_EXAMPLES else []
                rows.append(row)
                line += len(taken)
                taken.clear()
                if len(rows) == BATCH:
                    self.warn.tally(_LOOSE, count, places)
                    yield rows
                    rows = []
        except csv.Error as error:
            raise _unreadable(error, line + 1) from None
        except UnicodeError:
            raise undecodable(line, self.encoding) from None
        if len(taken) > 1:
            raise _unclosed(line + 1)
        self.warn.tally(_LOOSE, count, places)
        yield rows

    def _is_strict(self, lines: list[str]) -> bool:
        try:
            return next(csv.reader(lines, delimiter=self.delimiter, strict=True), None) is not None
        except csv.Error:
            return False

    def _reader(self, file: TextIO) -> Any:
        if not self.escaped:
            return csv.reader(file, delimiter=self.delimiter, strict=True)
        lines = (_ESCAPED.sub(_only_quotes, line) if "\\" in line else line for line in file)
        return csv.reader(lines, delimiter=self.delimiter, strict=True, escapechar="\\")

    def _escapes(self, start: int, end: int) -> bool:
        """Whether the row that begins on line `start` contains an escaped quote."""
        with self.source.open(encoding=self.encoding, newline="") as file:
            return any('\\"' in line for line in islice(file, start - 1, self.lead + end))

    def _pass_over(self, file: TextIO) -> None:
        try:
            for _ in islice(file, self.lead):
                pass
        except UnicodeError:
            raise undecodable(0, self.encoding) from None

    def _start_of_last_row(self) -> int:
        """The line on which the unreadable row begins."""
        start = first = 1 + self.lead
        with self.source.open(encoding=self.encoding, newline="") as file, suppress(csv.Error):
            self._pass_over(file)
            reader = self._reader(file)
            for _ in reader:
                start = reader.line_num + first
        return start


def _only_quotes(match: re.Match[str]) -> str:
    """An equivalent for the csv module: only backslashes before quotes are escapes."""
    return match[0] if match[1] == '"' else match[0].replace("\\", "\\\\")


def undecodable(line: int, encoding: str) -> Unreadable:
    return Unreadable(
        say(
            "The file is not valid {encoding} after line {line}. Choose the encoding it was saved in.",
            line=line,
            encoding=encodings.public_name(encoding),
        ),
        reason="format",
    )


def _unreadable(error: csv.Error, start: int) -> Unreadable:
    if "unexpected end" in str(error):
        return _unclosed(start)
    if "expected after" in str(error):
        return Unreadable(
            say(
                "In the row on line {start}, text follows a closing quote. Double the quotes inside quoted cells.",
                start=start,
            ),
            line=start,
            reason="damaged",
        )
    return Unreadable(
        say("The row on line {start} can't be read: one of its cells is too long.", start=start),
        line=start,
        reason="limit",
    )


def _unclosed(start: int) -> Unreadable:
    return Unreadable(
        say(
            "A quote that opens in the row on line {start} is never closed. Close it, or double the "
            "quotes inside cells.",
            start=start,
        ),
        line=start,
        reason="damaged",
    )


class Blank:
    """Counts blank lines, except those at the end of the file."""

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
