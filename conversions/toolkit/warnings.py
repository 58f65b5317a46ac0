"""Warnings: what a conversion had to drop, flatten, block or replace, collected while it works."""

from __future__ import annotations

from dataclasses import dataclass

MAX_WARNINGS = 50
MAX_MESSAGE = 500

CODES: dict[str, str] = {
    "REMOTE_RESOURCE_BLOCKED": "A reference to something outside the file was not loaded.",
    "GLYPH_MISSING": "A character is missing from every available font.",
    "FONT_SUBSTITUTED": "Text is set in another font, as the one it names is not installed.",
    "CSS_UNSUPPORTED": "A style that the layout engine does not implement was ignored.",
    "CONTENT_DROPPED": "A part of the input has no counterpart in the output and was left out.",
    "CONTENT_CLIPPED": "Content was too large for the page and was shrunk or cut.",
    "WIDTH_FITTED": "The page was wider than its paper and was made smaller as a whole.",
    "COLUMNS_SPLIT": "Columns that do not fit the width of the paper are drawn below the others.",
    "DRAWING_RASTERIZED": "A part of a drawing could not stay lines and became pixels.",
    "OPTION_IGNORED": "An option has no effect with the engine that this service uses.",
    "SCRIPT_REMOVED": "Active content was removed.",
    "ALPHA_FLATTENED": "Transparent parts were filled with a background colour.",
    "ANIMATION_DROPPED": "Only the first frame was kept.",
    "COLOR_CONVERTED": "Colours were converted to another colour space or depth.",
    "METADATA_DROPPED": "Metadata was removed because the output can't carry it.",
    "SIZE_REDUCED": "The picture was made smaller because the output format has a limit.",
    "SHEET_SKIPPED": "A sheet of the workbook is not in the output.",
    "FORMULA_VALUE": "A formula was replaced by its last calculated value.",
    "FORMULA_TEXT": "A cell's text begins like a spreadsheet formula.",
    "MERGED_CELLS": "Merged cells became single cells.",
    "DUPLICATE_KEY": "A key occurs more than once in one object; the last value was kept.",
    "COLUMN_COLLISION": "Two different paths give the same column name.",
    "COLUMN_RENAMED": "A column had no name, or a name that was taken, and got another one.",
    "ROW_RAGGED": "A row has more or fewer cells than the header.",
    "VALUE_CONVERTED": "A value was written in another type or spelling because the output has no such type.",
    "TEXT_TRUNCATED": "A text was longer than the output format allows.",
    "ENCODING_REPLACED": "Bytes or characters that can't be represented became U+FFFD.",
    "ENCODING_GUESSED": "The character encoding was guessed.",
    "COMMENTS_DROPPED": "Comments are not in the output.",
    "NO_TEXT": "The document has pages without text, probably scans.",
    "NOT_SMALLER": "The result would not have been smaller, so the input was kept.",
    "MORE_WARNINGS": "There were more warnings than are listed.",
}
"""Every warning code with what it means in general; a warning's own message names the thing and the place."""


@dataclass(frozen=True)
class Warning:
    """One thing that was lost or changed: `code` is one of CODES, `message` names what and where."""

    code: str
    message: str


class Warn:
    """Collects the warnings of one conversion, and the facts that were detected about its input.

    Called as `warn("GLYPH_MISSING", "U+1F600 is drawn as an empty box.")`. The same warning is kept once; beyond
    MAX_WARNINGS the rest is counted. Raises KeyError for a code that is not in CODES.
    """

    def __init__(self) -> None:
        self._seen: dict[Warning, None] = {}
        self._beyond = 0
        self.detected: dict[str, str | int | float | bool] = {}

    def __call__(self, code: str, message: str) -> None:
        CODES[code]
        warning = Warning(code, message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…")
        if warning in self._seen:
            return
        if len(self._seen) < MAX_WARNINGS:
            self._seen[warning] = None
        else:
            self._beyond += 1

    def detect(self, **facts: str | int | float | bool) -> None:
        """Record what was found out about the input, such as `delimiter=";"`: shown as `detected` in the result."""
        self.detected.update(facts)

    @property
    def warnings(self) -> tuple[Warning, ...]:
        if not self._beyond:
            return tuple(self._seen)
        return (*self._seen, Warning("MORE_WARNINGS", f"{self._beyond} more warnings are not listed."))
