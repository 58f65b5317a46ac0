"""Warnings: what a conversion had to drop, flatten, block or replace, collected while it works."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from conversions.toolkit.progress import Progress, Tell, Unit

MAX_WARNINGS = 50
MAX_MESSAGE = 500
MAX_EXAMPLES = 5

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
    "NAME_CHANGED": "A file name was not safe everywhere, or taken, and was changed.",
    "STYLE_DROPPED": "A look or a place of text has no counterpart in the output and was left out.",
    "SCRIPT_REMOVED": "Active content was removed.",
    "ALPHA_FLATTENED": "Transparent parts were filled with a background colour.",
    "ANIMATION_DROPPED": "Only the first frame was kept.",
    "COLOR_CONVERTED": "Colours were converted to another colour space or depth.",
    "METADATA_DROPPED": "Metadata was removed because the output can't carry it.",
    "SIZE_REDUCED": "The picture was made smaller because the output format has a limit.",
    "SIZE_MISSED": "The file is larger than was asked for, as nothing makes it small enough.",
    "SHEET_SKIPPED": "A sheet of the workbook is not in the output.",
    "FORMULA_VALUE": "A formula was replaced by its last calculated value.",
    "FORMULA_TEXT": "A cell's text begins like a spreadsheet formula.",
    "MERGED_CELLS": "Merged cells became single cells.",
    "DUPLICATE_KEY": "A key occurs more than once in one object; the last value was kept.",
    "COLUMN_COLLISION": "Two different paths give the same column name.",
    "COLUMN_RENAMED": "A column had no name, or a name that was taken, and got another one.",
    "ROW_RAGGED": "A row has more or fewer cells than the header.",
    "NOT_COMPARABLE": "A condition compares values of different kinds; no comparison holds for them.",
    "VALUE_CONVERTED": "A value was written in another type or spelling because the output has no such type.",
    "TEXT_TRUNCATED": "A text was longer than the output format allows.",
    "ENCODING_REPLACED": "Bytes or characters that can't be represented became U+FFFD.",
    "ENCODING_GUESSED": "The character encoding was guessed.",
    "COMMENTS_DROPPED": "Comments are not in the output.",
    "GEOMETRY_MISSING": "A row has no place on the map that can be read.",
    "TEXT_UNREADABLE": "Text is drawn in a font that does not say which letters it draws.",
    "NO_TEXT": "The document has pages without text, probably scans.",
    "LOW_CONFIDENCE": "Text was recognised in a picture with little certainty.",
    "STREAM_COPIED": "Sound or pictures were copied as they are, without coding them again.",
    "SOUND_REDUCED": "Sound has fewer channels or samples than in the input.",
    "NOT_SMALLER": "The result would not have been smaller, so the input was kept.",
    "MORE_WARNINGS": "There were more warnings than are listed.",
}
"""Every warning code with what it means in general; a warning's own message names the thing and the place."""


@dataclass(frozen=True)
class Warning:
    """One thing that was lost or changed: `code` is one of CODES, `message` names what and where."""

    code: str
    message: str


@dataclass(frozen=True)
class Kind:
    """A kind of thing that is counted, not told one by one: its code, what became of it, and what helps.

    `Kind("CONTENT_DROPPED", "Pictures were left out")` reads “Pictures were left out: 3 (first, second, third).”
    """

    code: str
    what: str
    advice: str = ""

    def __post_init__(self) -> None:
        CODES[self.code]


class _Tally:
    """How often a kind was found in each part of the input, with the first few places."""

    def __init__(self) -> None:
        self.parts: dict[str, tuple[int, tuple[str, ...]]] = {}

    def warning(self, kind: Kind) -> Warning | None:
        count = sum(number for number, _ in self.parts.values())
        if not count:
            return None
        places = dict.fromkeys(example for _, examples in self.parts.values() for example in examples)
        shown = list(islice(places, MAX_EXAMPLES))
        more = ", …" if shown and count > len(shown) else ""
        where = f" ({', '.join(shown)}{more})" if shown else ""
        return Warning(kind.code, shortened(f"{kind.what}: {count:,}{where}.{kind.advice and ' ' + kind.advice}"))


class Warn:
    """Collects the warnings of one conversion, the facts that were detected about its input, and how far it is.

    Called as `warn("GLYPH_MISSING", "U+1F600 is drawn as an empty box.")`. The same warning is kept once; beyond
    MAX_WARNINGS the rest is counted. Raises KeyError for a code that is not in CODES. What may occur in many places is
    counted by `tally` and becomes one warning of its kind. Where somebody waits for it, `tell` is given the progress.
    """

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._seen: dict[Warning | Kind, None] = {}
        self._tallies: dict[Kind, _Tally] = {}
        self._beyond = 0
        self.detected: dict[str, str | int | float | bool] = {}

    def __call__(self, code: str, message: str) -> None:
        CODES[code]
        self._keep(Warning(code, shortened(message)))

    def tally(self, kind: Kind, count: int, examples: Iterable[str] = (), *, part: str = "") -> None:
        """Say that a part of the input, such as a sheet, has `count` of a kind, some of them at `examples`.

        The counts of several parts add up; what is said again of the same part replaces what was said before, so that
        a table may be gone through more than once.
        """
        if count:
            self._keep(kind)
        self._tallies.setdefault(kind, _Tally()).parts[part] = (count, tuple(islice(examples, MAX_EXAMPLES)))

    def _keep(self, each: Warning | Kind) -> None:
        if each in self._seen:
            return
        if len(self._seen) < MAX_WARNINGS:
            self._seen[each] = None
        else:
            self._beyond += 1

    def detect(self, **facts: str | int | float | bool) -> None:
        """Record what was found out about the input, such as `delimiter=";"`: shown as `detected` in the result.

        What a file has given a name to may be as long as it likes, and is cut as messages are.
        """
        self.detected.update({name: shortened(each) if isinstance(each, str) else each for name, each in facts.items()})

    def progress(self, done: int, total: int | None, unit: Unit) -> None:
        """Say that `done` of `total` pages, bytes, ... are through; as often as you like, since few of them are sent.

        It may be called from any thread, and may start anew where there are several passes over the input.
        """
        if self._tell is not None:
            self._tell(Progress(done, total, unit))

    @property
    def awaited(self) -> bool:
        """Whether anybody waits to be told how far it is."""
        return self._tell is not None

    def reading(self, source: Path) -> AbstractContextManager[None]:
        """Say meanwhile how many bytes of `source` are through, for a block that reads it piece by piece."""
        if self._tell is None:
            return nullcontext()
        from conversions.toolkit.sampling import sampled  # nothing that a job needs whom nobody waits for

        return sampled(source, self._tell)

    @property
    def warnings(self) -> tuple[Warning, ...]:
        told = (self._tallies[each].warning(each) if isinstance(each, Kind) else each for each in self._seen)
        found = tuple(each for each in told if each is not None)
        if not self._beyond:
            return found
        return (*found, Warning("MORE_WARNINGS", f"{self._beyond} more warnings are not listed."))


def shortened(text: str, longest: int = MAX_MESSAGE) -> str:
    """The text, cut at its end where it has more characters: the names in it are a file's, and as long as it likes."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
