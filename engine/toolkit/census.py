"""The kinds of content that are counted, the census of a file, and how formats are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import reduce
from pathlib import Path

from engine.toolkit.thumbnails import Thumbnail
from engine.toolkit.warnings import Kind
from engine.toolkit.word_search import WORD

LOSSES: Mapping[str, Kind] = {
    "words": Kind("CONTENT_DROPPED", "Words are missing from the result: {count}{places}."),
    "pictures": Kind("CONTENT_DROPPED", "Pictures are missing from the result: {count}{places}."),
    "links": Kind("CONTENT_DROPPED", "Links are missing from the result: {count}{places}.", drawn=True),
    "notes": Kind("CONTENT_DROPPED", "Footnotes are missing from the result: {count}{places}."),
    "comments": Kind("COMMENTS_DROPPED", "Comments are missing from the result: {count}{places}."),
    "formulas": Kind("CONTENT_DROPPED", "Formulas are missing from the result: {count}{places}."),
    "fields": Kind("CONTENT_DROPPED", "Form fields are missing from the result: {count}{places}.", drawn=True),
    "charts": Kind("CONTENT_DROPPED", "Charts are missing from the result: {count}{places}."),
    "attachments": Kind("CONTENT_DROPPED", "Attachments are missing from the result: {count}{places}.", drawn=True),
    "tables": Kind("CONTENT_DROPPED", "Tables are missing from the result: {count}{places}."),
    "rows": Kind("CONTENT_DROPPED", "Rows are missing from the result: {count}{places}."),
    "columns": Kind("CONTENT_DROPPED", "Columns are missing from the result: {count}{places}."),
    "cells": Kind("CONTENT_DROPPED", "Cells are missing from the result: {count}{places}."),
    "values": Kind("CONTENT_DROPPED", "Values are missing from the result: {count}{places}."),
    "texts": Kind("CONTENT_DROPPED", "Words in values are missing from the result: {count}{places}."),
    "order": Kind("VALUE_CONVERTED", "Values are in a different row in the result than in the file: {count}{places}."),
    "sheets": Kind("SHEET_SKIPPED", "Sheets are missing from the result: {count}{places}."),
    "fonts": Kind(
        "STYLE_DROPPED", "Cell fonts, such as bold and colours, are missing from the result: {count}{places}."
    ),
    "runs": Kind("STYLE_DROPPED", "Cells whose words differ in their fonts have one font: {count}{places}."),
    "fills": Kind("STYLE_DROPPED", "Cell fill colours are missing from the result: {count}{places}."),
    "borders": Kind("STYLE_DROPPED", "Cell borders are missing from the result: {count}{places}."),
    "alignments": Kind("STYLE_DROPPED", "Cell alignments are missing from the result: {count}{places}."),
    "formats": Kind("STYLE_DROPPED", "Number formats are missing from the result: {count}{places}."),
    "formatting": Kind(
        "STYLE_DROPPED", "Cell fonts, borders and alignments are missing from the result: {count}{places}."
    ),
    "bold": Kind("STYLE_DROPPED", "Bold words are not bold in the result: {count}{places}."),
    "italics": Kind("STYLE_DROPPED", "Italic words are upright in the result: {count}{places}."),
    "underlines": Kind("STYLE_DROPPED", "Underlined words have no underline in the result: {count}{places}."),
    "strikes": Kind("STYLE_DROPPED", "Words that are struck through are plain in the result: {count}{places}."),
    "scripts": Kind("STYLE_DROPPED", "Superscripts and subscripts are plain text in the result: {count}{places}."),
    "highlights": Kind("STYLE_DROPPED", "Highlighted words are not highlighted in the result: {count}{places}."),
    "inks": Kind("STYLE_DROPPED", "Coloured words are black in the result: {count}{places}."),
    "aligned": Kind(
        "STYLE_DROPPED",
        "Paragraphs that are centred, justified or on the right are on the left in the result: {count}{places}.",
    ),
    "bordered": Kind("STYLE_DROPPED", "Paragraph borders are missing from the result: {count}{places}."),
    "shaded": Kind("STYLE_DROPPED", "Paragraph backgrounds are missing from the result: {count}{places}."),
    "indented": Kind("STYLE_DROPPED", "Paragraph indents are missing from the result: {count}{places}."),
    "spaced": Kind(
        "STYLE_DROPPED",
        "Space around paragraphs or between their lines is missing from the result: {count}{places}.",
    ),
    "joined": Kind(
        "STYLE_DROPPED",
        "Paragraphs that stay on the page of the next one may be apart from it in the result: {count}{places}.",
    ),
    "merges": Kind("MERGED_CELLS", "Merged cells are single cells in the result: {count}{places}."),
    "widths": Kind("STYLE_DROPPED", "Column widths are missing from the result: {count}{places}."),
    "hidden": Kind("CONTENT_DROPPED", "Hidden rows, columns or sheets are visible in the result: {count}{places}."),
    "shifts": Kind(
        "CONTENT_DROPPED",
        "Empty rows and columns before the first value are missing, so that cells have other addresses: "
        "{count}{places}.",
    ),
    "conditions": Kind("STYLE_DROPPED", "Conditional formats are missing from the result: {count}{places}."),
    "validations": Kind(
        "CONTENT_DROPPED", "Data validation rules are missing from the result: {count}{places}.", drawn=True
    ),
    "filters": Kind("CONTENT_DROPPED", "Filters are missing from the result: {count}{places}.", drawn=True),
    "panes": Kind("STYLE_DROPPED", "Frozen rows and columns are missing from the result: {count}{places}.", drawn=True),
    "heads": Kind("CONTENT_DROPPED", "Print headers and footers are missing from the result: {count}{places}."),
    "names": Kind("CONTENT_DROPPED", "Defined names are missing from the result: {count}{places}.", drawn=True),
    "pivots": Kind(
        "CONTENT_DROPPED",
        "Pivot tables are missing from the result; their values are kept: {count}{places}.",
        drawn=True,
    ),
    "setups": Kind(
        "STYLE_DROPPED",
        "Print settings of sheets, such as landscape pages and print areas, are missing from the result: "
        "{count}{places}.",
    ),
    "protections": Kind(
        "CONTENT_DROPPED",
        "The protection of sheets or of the workbook from changes is missing from the result: {count}{places}.",
        drawn=True,
    ),
    "rules": Kind(
        "CONTENT_DROPPED",
        "Rules and settings of sheets, such as filters and allowed values, are not in the result: {count}{places}.",
        drawn=True,
    ),
    "slides": Kind("CONTENT_DROPPED", "Slides are missing from the result: {count}{places}."),
    "messages": Kind("CONTENT_DROPPED", "Messages are missing from the result: {count}{places}."),
    "cues": Kind("CONTENT_DROPPED", "Subtitles are missing from the result: {count}{places}."),
    "files": Kind("CONTENT_DROPPED", "Files are missing from the result: {count}{places}."),
    "entries": Kind("CONTENT_DROPPED", "Entries are missing from the result: {count}{places}."),
    "features": Kind("CONTENT_DROPPED", "Features are missing from the result: {count}{places}."),
    "frames": Kind("ANIMATION_DROPPED", "Frames are missing from the result: {count}{places}."),
    "glyphs": Kind("GLYPH_MISSING", "Glyphs are missing from the result: {count}{places}."),
    "faces": Kind("CONTENT_DROPPED", "Faces are missing from the result: {count}{places}."),
    "pages": Kind("CONTENT_DROPPED", "Pages or pictures are missing from the result: {count}{places}."),
    "channels": Kind("CONTENT_DROPPED", "Channels are missing from the result: {count}{places}."),
    "bits": Kind("COLOR_CONVERTED", "Each channel has {count} fewer bits than in the file{places}."),
    "transparency": Kind("ALPHA_FLATTENED", "The transparency is missing from the result{places}."),
    "profiles": Kind("COLOR_CONVERTED", "The colour profile is missing from the result{places}."),
    "ranges": Kind("COLOR_CONVERTED", "The high dynamic range (HDR) is missing from the result{places}."),
    "gains": Kind("CONTENT_DROPPED", "The gain map, which brightens the picture on HDR screens, was left out{places}."),
    "exif": Kind("METADATA_DROPPED", "EXIF fields are missing from the result: {count}{places}."),
    "xmp": Kind("METADATA_DROPPED", "The XMP metadata is missing from the result{places}."),
    "iptc": Kind("METADATA_DROPPED", "The IPTC metadata is missing from the result{places}."),
    "remarks": Kind("METADATA_DROPPED", "Notes are missing from the result: {count}{places}."),
    "makers": Kind(
        "METADATA_DROPPED",
        "Data that only some cameras and programs understand is missing from the result: {count}{places}.",
    ),
    "resolutions": Kind("METADATA_DROPPED", "The resolution is missing from the result{places}."),
    "outlines": Kind("GLYPH_MISSING", "Glyphs of the font are empty in the result: {count}{places}."),
    "characters": Kind("GLYPH_MISSING", "Characters are missing from the result: {count}{places}."),
    "layout": Kind("STYLE_DROPPED", "Layout features are missing from the result: {count}{places}."),
    "axes": Kind("STYLE_DROPPED", "Variable font axes are missing from the result: {count}{places}."),
    "coloured": Kind("STYLE_DROPPED", "Coloured glyphs are missing from the result: {count}{places}."),
    "attributes": Kind("CONTENT_DROPPED", "Map columns are missing from the result: {count}{places}."),
    "layers": Kind("CONTENT_DROPPED", "Layers are missing from the result: {count}{places}."),
    "colours": Kind("STYLE_DROPPED", "The colours are missing from the result{places}."),
    "textures": Kind("STYLE_DROPPED", "Textures are missing from the result: {count}{places}."),
    "looks": Kind("LOOKS_CHANGED", "The result does not look like the file: {count}{places}."),
}
"""The kinds that are counted, and the warning for items that are missing from a result."""

TRAITS = frozenset({
    "channels", "bits", "transparency", "profiles", "ranges", "gains", "exif", "xmp", "iptc", "remarks", "makers",
    "resolutions",
})  # fmt: skip
"""Kinds for which several files together count no more than the largest of them."""
PLACED = frozenset({
    "fonts", "runs", "fills", "borders", "alignments", "formats", "formatting", "merges", "widths", "hidden", "shifts",
    "conditions", "validations", "filters", "panes", "heads", "names", "pivots", "setups",
    "protections", "rules",
})  # fmt: skip
"""Kinds whose labels are the first places of a file, which may be other ones in a result: only counts are compared."""
LETTERINGS = frozenset({"bold", "italics", "underlines", "strikes", "scripts", "highlights", "inks"})
"""Looks of letters, whose labels are the words that have them: `scripts` are superscripts and subscripts, `inks`
colours other than the usual one."""
PARAGRAPHS = frozenset({"aligned", "bordered", "shaded", "indented", "spaced", "joined"})
"""Looks of paragraphs, whose labels are the first words of those that have them."""
_OF_TABLES = frozenset({"rows", "columns", "values", "order"})
_TOLD_BY = {"words": "texts", "slides": "pages", "entries": "rows"}
"""Kinds that are not compared where another one is, as both would name the same: such as a word of a value."""
TAGS = frozenset({"exif", "xmp", "iptc", "remarks", "makers", "resolutions"})
"""Kinds that are metadata of pictures."""
ALL = 1 << 32
"""For `Warn.account`: all items of a kind are reported, or can't be compared, however many there are."""
EVERYTHING = frozenset(LOSSES)
"""For options that select a part of the file."""


@dataclass
class Census:
    """The contents of one file: the count of each kind, by label if it has labels, and its texts in order."""

    items: dict[str, Counter[str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Words of markup in no order, for syntaxes in which commands may move or join texts."""
    short: Counter[str] = field(default_factory=Counter)
    """Words of up to three letters in markup, by number: each occurs so often that looking for one tells nothing."""
    markup: list[str] = field(default_factory=list)
    """Markup text in which words of another file may be found, but which need not be in a result."""
    optional: dict[str, Counter[str]] = field(default_factory=dict)
    """Further items of a kind that may match those of another file, but need not be in a result."""
    samples: dict[str, object] = field(default_factory=dict)
    """For sampled kinds, an identifier of the sample; samples are compared only if these are equal."""
    paragraphs: Counter[str] = field(default_factory=Counter)
    """All paragraphs by their first words, whatever their looks."""
    sequence: list[list[str]] = field(default_factory=list)
    """The values of the compared rows, row by row."""
    parts: dict[str, Census] = field(default_factory=dict)
    """Contents of named parts that a conversion may leave out, such as sheets."""
    thumbnails: list[Thumbnail] = field(default_factory=list)
    """Thumbnails of the pictures of the file."""
    contains: Callable[[str], bool] | None = None
    """For a result that is not divided into values: whether one is in its text. Such a result is compared with any
    sample of its source."""

    def add(self, kind: str, count: int = 1, *, label: str = "") -> None:
        """Add to the count of a kind; the label, such as a file name, identifies the items."""
        if kind not in self.items:  # `setdefault` would make a counter each time
            self.items[kind] = Counter()
        self.items[kind][label] += count

    def include(self, other: Census) -> None:
        """Add the contents of another file."""
        for kind, items in other.items.items():
            so_far = self.items.setdefault(kind, Counter())
            self.items[kind] = so_far | items if kind in TRAITS else so_far + items
        for kind, items in other.optional.items():
            self.optional.setdefault(kind, Counter()).update(items)
        for kind, sample in other.samples.items():
            self.samples[kind] = (self.samples[kind], sample) if kind in self.samples else sample
        self.paragraphs += other.paragraphs
        self.sequence += other.sequence
        self.texts += other.texts
        self.words += other.words
        self.short += other.short
        self.markup += other.markup
        self.thumbnails += other.thumbnails
        self.contains = self.contains or other.contains

    def without(self, left_out: Collection[str]) -> Census:
        """Return the census without the parts with these names."""
        if not self.parts:
            return self
        whole = Census()
        for each in (replace(self, parts={}), *(part for name, part in self.parts.items() if name not in left_out)):
            whole.include(each.without(left_out))
        return whole

    def total(self, kind: str) -> int:
        """Return the count of a kind: for words and looks, of the words of all texts and of the thumbnails."""
        match kind:
            case "words":
                return sum(len(WORD.findall(each)) for each in (*self.texts, *self.words))
            case "looks":
                return len(self.thumbnails)
            case "order":
                return len(self.sequence)
        return self.items[kind].total() if kind in self.items else 0


@dataclass(frozen=True)
class Counting:
    """How files of a format are counted.

    `count` reads a file and returns its census of `kinds`. `unsupported` are kinds that the format can't hold, so that
    all of them are missing from a result. `source_only` are kinds that are counted in sources only, because a result
    may have only some of them. `result_only` are kinds that are counted in results only, of formats that count them on
    both sides. `modules` are imported before the first job. `thumbnails` returns those of the pictures
    of a finished file, or of the first and the last frame of a video. `estimate` is for formats with verbatim text: it
    estimates the counts from the bytes alone. `of_texts` counts the texts that a check has read from a finished file,
    without words. `count_locked` is `count` for a file that needs a password.
    """

    count: Callable[[Path], Census]
    kinds: frozenset[str]
    _: KW_ONLY
    source_only: frozenset[str] = frozenset()
    result_only: frozenset[str] = frozenset()
    unsupported: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()
    estimate: Callable[[bytes], Mapping[str, int]] | None = None
    of_texts: Callable[[Sequence[str]], Census] | None = None
    count_locked: Callable[[Path, str], Census] | None = None
    thumbnails: Callable[[Path], list[Thumbnail]] | None = None
    parts: tuple[Counting, ...] = ()
    """The countings of several families, each for the kinds that it knows of the format."""

    def __post_init__(self) -> None:
        for each in self.kinds | self.unsupported | self.source_only | self.result_only:
            LOSSES[each]

    def of(self, kinds: frozenset[str]) -> Counting:
        """Return the counting of these kinds, without families that count none of them that another doesn't."""
        shares = [(each.kinds | each.source_only | each.result_only) & kinds for each in self.parts]
        parts = [
            each
            for at, (each, own) in enumerate(zip(self.parts, shares, strict=True))
            if own and not any(own < other for other in shares) and own not in shares[:at]
        ]
        return reduce(combine, parts) if parts else self

    def read(self, path: Path, password: str | None) -> Census:
        """Return the census of a file, which may need the password."""
        return self.count_locked(path, password) if self.count_locked is not None and password else self.count(path)


def combine(one: Counting, other: Counting) -> Counting:
    """Combine the countings of a format by two families."""

    def count(path: Path) -> Census:
        census = one.count(path)
        census.include(other.count(path))
        return census

    return Counting(
        count,
        one.kinds | other.kinds,
        source_only=one.source_only | other.source_only,
        result_only=one.result_only | other.result_only,
        unsupported=one.unsupported | other.unsupported,
        modules=(*one.modules, *other.modules),
        thumbnails=one.thumbnails or other.thumbnails,
        of_texts=one.of_texts or other.of_texts,
        parts=(*(one.parts or (one,)), *(other.parts or (other,))),
    )


def audited(before: Counting, after: Counting) -> frozenset[str]:
    """Return the kinds whose loss is detected between two formats."""
    shown = after.result_only
    if "values" not in before.kinds:  # contacts, events and references are no tables on a page
        shown -= _OF_TABLES
    kinds = ((before.kinds | before.source_only) & (after.kinds | after.unsupported)) | (before.kinds & shown)
    return kinds - {finer for finer, kind in _TOLD_BY.items() if kind in kinds}
