"""Collect warnings about content that a conversion dropped, flattened, blocked or replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from engine.toolkit.messages import Message, message_of, say, shortened
from engine.toolkit.progress import OnProgress, Progress, Unit
from engine.toolkit.thumbnails import Thumbnail

MAX_WARNINGS = 50
MAX_MESSAGE = 500
MAX_EXAMPLES = 5
_MOST_FACT = 1 << 53
"""The largest number that every reader of JSON reads exactly."""

CODES: dict[str, str] = {
    "REMOTE_RESOURCE_BLOCKED": "A reference to something outside the file was not loaded.",
    "GLYPH_MISSING": "A character is missing from every available font.",
    "FONT_SUBSTITUTED": "Text uses another font, because its own is not installed.",
    "CSS_UNSUPPORTED": "A style that the layout engine doesn't support was ignored.",
    "CONTENT_DROPPED": "The output doesn't support part of the input, so it was left out.",
    "TEXT_NOT_SHOWN": "Words in the input are not visible on any page: they are missing, covered or outside the page.",
    "NOT_UNDERSTOOD": "Elements or properties of the input have no effect in this conversion.",
    "NOTHING_REDACTED": "The text to redact was not found.",
    "MEDIA_SHORTENED": "The result has less audio or fewer frames than the file says it has.",
    "LOOKS_CHANGED": "A page in the result looks different from the input, or its text differs.",
    "CONTENT_CLIPPED": "Content was too large for the page and was shrunk or cut.",
    "WIDTH_FITTED": "The page was wider than the paper and was scaled down.",
    "COLUMNS_SPLIT": "Columns that don't fit the paper's width were moved below the others.",
    "DRAWING_RASTERIZED": "Part of a drawing could not stay vector and became pixels.",
    "OPTION_IGNORED": "An option has no effect with this service's engine.",
    "NAME_CHANGED": "A file name was unsafe or already taken, and was changed.",
    "STYLE_DROPPED": "The output doesn't support a text style or position, so it was left out.",
    "SCRIPT_REMOVED": "Active content was removed.",
    "ALPHA_FLATTENED": "Transparent parts were filled with a background colour.",
    "ANIMATION_DROPPED": "Only the first frame was kept.",
    "COLOR_CONVERTED": "Colours were converted to another colour space or depth.",
    "METADATA_DROPPED": "Metadata was removed, because the output doesn't support it.",
    "SIZE_REDUCED": "The picture was shrunk, because the output format has a size limit.",
    "SIZE_MISSED": "The file could not be made as small as requested.",
    "SHEET_SKIPPED": "A sheet in the workbook is not in the output.",
    "FORMULA_VALUE": "A formula was replaced by its last calculated value.",
    "FORMULA_TEXT": "A cell's text starts like a spreadsheet formula.",
    "MERGED_CELLS": "Merged cells became single cells.",
    "DUPLICATE_KEY": "A key occurs more than once in one object; the last value was kept.",
    "COLUMN_COLLISION": "Two different paths give the same column name.",
    "COLUMN_RENAMED": "A column had no name, or a duplicate one, and was renamed.",
    "COLUMN_TEXT": "A column of numbers, dates or times stays text because of some of its values.",
    "ROW_RAGGED": "A row has more or fewer cells than the header.",
    "NOT_COMPARABLE": "A condition compares values of different types, so they don't match.",
    "VALUE_CONVERTED": "A value was converted to another type or spelling, because the output doesn't support "
    "its type.",
    "TEXT_TRUNCATED": "A text was longer than the output format allows.",
    "ENCODING_REPLACED": "Bytes or characters that can't be represented became U+FFFD.",
    "ENCODING_GUESSED": "The character encoding was guessed.",
    "COMMENTS_DROPPED": "Comments are not in the output.",
    "GEOMETRY_MISSING": "A row has no readable place on the map.",
    "TEXT_UNREADABLE": "Text uses a font that doesn't say which characters its glyphs are.",
    "NO_TEXT": "The document has pages without text, probably scans.",
    "LOW_CONFIDENCE": "Text was recognised in a picture with little certainty.",
    "STREAM_COPIED": "Audio or video was copied without re-encoding.",
    "DURATION_MISSTATED": "The file is over a minute longer or shorter than its header says.",
    "SOUND_REDUCED": "Audio has fewer channels or samples than the input.",
    "NOT_SMALLER": "The result would not have been smaller, so the input was kept.",
    "MORE_WARNINGS": "There were more warnings than listed.",
}
"""Every warning code with its general meaning; the message of a warning names the thing and the place."""

ON_PAGES = frozenset({
    "CSS_UNSUPPORTED", "CONTENT_DROPPED", "CONTENT_CLIPPED", "DRAWING_RASTERIZED", "NOT_UNDERSTOOD", "STYLE_DROPPED",
    "TEXT_NOT_SHOWN", "TEXT_UNREADABLE", "VALUE_CONVERTED",
})  # fmt: skip
"""Codes of warnings about what pages lack or show otherwise, which another engine may draw."""


@dataclass(frozen=True)
class Warning:
    """A warning: `code` is a key of CODES, `message` says what was lost or changed, and where."""

    code: str
    message: Message


def _undrawn(code: str, *, drawn: bool) -> bool:
    return code in ON_PAGES and not drawn


@dataclass(frozen=True)
class Kind:
    """A countable kind of warning: its code and the template of its message.

    `Kind("CONTENT_DROPPED", "Pictures were left out: {count}{places}.")` reads “Pictures were left out: 3 (first,
    second, third).” `values` fill in other placeholders. `counts` is the kind of content (engine.toolkit.census) that
    it says is missing. `drawn` means that pages show all they should nevertheless, because the file, an option or the
    page as a medium leaves it out: notes, comments, animations, actions.
    """

    code: str
    template: str
    values: tuple[tuple[str, object], ...] = ()
    counts: str = ""
    drawn: bool = False

    def __post_init__(self) -> None:
        CODES[self.code]

    def counted(self, count: int, places: str) -> Warning:
        message = say(self.template, **dict(self.values), count=count, places=places)
        return Warning(self.code, message.cut(MAX_MESSAGE))


class _Tally:
    """The count of a kind in each part of the input, with the first few places."""

    def __init__(self) -> None:
        self.parts: dict[str, tuple[int, tuple[str, ...]]] = {}

    @property
    def count(self) -> int:
        return sum(number for number, _ in self.parts.values())

    def warning(self, kind: Kind) -> Warning | None:
        count = self.count
        if not count:
            return None
        places = dict.fromkeys(example for number, examples in self.parts.values() if number for example in examples)
        shown = list(islice(places, MAX_EXAMPLES))
        more = ", …" if shown and count > len(shown) else ""
        where = f" ({', '.join(shown)}{more})" if shown else ""
        return kind.counted(count, where)


def _mark(file: Path) -> tuple[int, int, int]:
    status = file.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


class Warn:
    """Collects the warnings, detected facts and progress of one conversion.

    Called as `warn("GLYPH_MISSING", say("{letter} is drawn as an empty box.", letter=each))`; `drawn` is that of Kind.
    Duplicates are dropped;
    beyond MAX_WARNINGS, warnings are only counted. Raises KeyError for a code that is not in CODES. Things that occur
    in many places are counted with `tally` and become one warning per kind. `on_progress`, if given, receives the
    progress.
    """

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self._on_progress = on_progress
        self._seen: dict[Warning | Kind, None] = {}
        self._tallies: dict[Kind, _Tally] = {}
        self._accounted: dict[str, int] = {}
        self._not_counted: set[str] = set()
        self._beyond = 0
        self._undrawn = False
        self.parts_left_out: set[str] = set()
        """The names of parts, such as sheets, that a warning has reported as left out entirely."""
        self.left_out: list[str] = []
        self._read_back: tuple[tuple[int, int, int], Sequence[str], bool] | None = None
        self.thumbnails: list[Thumbnail] = []
        self.detected: dict[str, str | int | float | bool] = {}

    def __call__(self, code: str, message: str, *, drawn: bool = False) -> None:
        CODES[code]
        self._undrawn |= _undrawn(code, drawn=drawn)
        self._keep(Warning(code, message_of(message).cut(MAX_MESSAGE)))

    def tally(self, kind: Kind, count: int, examples: Iterable[str] = (), *, part: str = "") -> None:
        """Report that a part of the input, such as a sheet, has `count` of a kind, some of them at `examples`.

        Counts of different parts add up. A repeated report on the same part replaces the earlier one, so that a table
        may be read more than once.
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

    def account(self, content: str, count: int) -> None:
        """Note that a warning has named this many of a kind of content (engine.toolkit.census) as missing."""
        self._accounted[content] = self._accounted.get(content, 0) + count

    def leave_out(self, texts: Iterable[str]) -> None:
        """Note that a warning has named these texts as missing, or that they became others, such as numbers of notes.

        Their words are then no further loss.
        """
        self.left_out += texts

    def accounted(self, content: str) -> int:
        """Return how many items of a kind earlier warnings have reported as missing."""
        tallied = sum(each.count for kind, each in self._tallies.items() if kind.counts == content)
        return tallied + self._accounted.get(content, 0)

    def keep_texts(self, target: Path, texts: Sequence[str], *, compared: bool = False) -> None:
        """Cache the texts of a finished file that a check has read, so that the next check need not read it again.

        `compared` means that they were compared with the whole source file.
        """
        self._read_back = (_mark(target), texts, compared)

    def read_back(self, target: Path) -> Sequence[str] | None:
        """Return the texts that a check has read from this file; None if there are none or it has changed since."""
        if self._read_back is None or self._read_back[0] != _mark(target):
            return None
        return self._read_back[1]

    def compared(self, target: Path) -> bool:
        """Return whether a check has compared all words of this very file with those of its source."""
        return self.read_back(target) is not None and self._read_back is not None and self._read_back[2]

    def add_thumbnail(self, thumbnail: Thumbnail) -> None:
        """Keep the thumbnail of a decoded input picture, to compare the result with."""
        self.thumbnails.append(thumbnail)

    def detect(self, **facts: str | int | float | bool) -> None:
        """Record a fact about the input, such as `delimiter=";"`, shown as `detected` in the result.

        Texts are cut to the length of messages, as they may come from the file, and numbers beyond 2^53 become texts.
        A message stays one.
        """
        self.detected.update({name: _cut(each) for name, each in facts.items()})

    def not_counted(self, contents: Iterable[str]) -> None:
        """Record that these kinds of content (engine.toolkit.census) are not compared, beside those recorded before."""
        self._not_counted |= {*contents}
        self.detect(notCounted=", ".join(sorted(self._not_counted)))

    def progress(self, done: int, total: int | None, unit: Unit) -> None:
        """Report that `done` of `total` pages, bytes, ... are finished; only some of the calls are sent on.

        May be called from any thread, and may restart from 0 if the input is read in several passes.
        """
        if self._on_progress is not None:
            self._on_progress(Progress(done, total, unit))

    @property
    def awaited(self) -> bool:
        """Whether anybody receives the progress."""
        return self._on_progress is not None

    def reading(self, source: Path) -> AbstractContextManager[None]:
        """Report the bytes of `source` read so far while the block runs, for code that reads it piece by piece."""
        if self._on_progress is None:
            return nullcontext()
        from engine.toolkit.sampling import sampled  # imported only by jobs whose progress is watched

        return sampled(source, self._on_progress)

    @property
    def undrawn(self) -> bool:
        """Whether any warning, listed or not, says that pages lack something or show it otherwise."""
        tallied = (_undrawn(kind.code, drawn=kind.drawn) and each.count for kind, each in self._tallies.items())
        return self._undrawn or any(tallied)

    @property
    def warnings(self) -> tuple[Warning, ...]:
        collected = (self._tallies[each].warning(each) if isinstance(each, Kind) else each for each in self._seen)
        found = tuple(each for each in collected if each is not None)
        if not self._beyond:
            return found
        return (*found, Warning("MORE_WARNINGS", say("More warnings, not listed: {count}.", count=self._beyond)))


def _cut(fact: str | int | float | bool) -> str | int | float | bool:
    if isinstance(fact, Message):
        return fact.cut(MAX_MESSAGE)
    if isinstance(fact, int | float) and not abs(fact) <= _MOST_FACT:
        return str(fact)
    return shortened(fact, MAX_MESSAGE) if isinstance(fact, str) else fact
