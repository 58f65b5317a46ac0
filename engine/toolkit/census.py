"""Count the contents of files by kind, and warn of those that a result has fewer of than its source."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, reduce
from itertools import islice
from pathlib import Path

from engine.toolkit.thumbnails import Thumbnail, count_unlike
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn

LOSSES: Mapping[str, Kind] = {
    "words": Kind("CONTENT_DROPPED", "Words of the file are missing from the result: {count}{places}."),
    "pictures": Kind("CONTENT_DROPPED", "Pictures of the file are missing from the result: {count}{places}."),
    "links": Kind("CONTENT_DROPPED", "Links of the file are missing from the result: {count}{places}."),
    "notes": Kind("CONTENT_DROPPED", "Footnotes of the file are missing from the result: {count}{places}."),
    "comments": Kind("COMMENTS_DROPPED", "Comments of the file are missing from the result: {count}{places}."),
    "formulas": Kind("CONTENT_DROPPED", "Formulas of the file are missing from the result: {count}{places}."),
    "fields": Kind("CONTENT_DROPPED", "Form fields of the file are missing from the result: {count}{places}."),
    "charts": Kind("CONTENT_DROPPED", "Charts of the file are missing from the result: {count}{places}."),
    "attachments": Kind("CONTENT_DROPPED", "Attached files are missing from the result: {count}{places}."),
    "tables": Kind("CONTENT_DROPPED", "Tables of the file are missing from the result: {count}{places}."),
    "rows": Kind("CONTENT_DROPPED", "Rows of the file are missing from the result: {count}{places}."),
    "columns": Kind("CONTENT_DROPPED", "Columns of the file are missing from the result: {count}{places}."),
    "cells": Kind("CONTENT_DROPPED", "Cells of the file are missing from the result: {count}{places}."),
    "values": Kind("CONTENT_DROPPED", "Values of the file are missing from the result: {count}{places}."),
    "texts": Kind("CONTENT_DROPPED", "Words of the file's values are missing from the result: {count}{places}."),
    "order": Kind("VALUE_CONVERTED", "Values are in a different row in the result than in the file: {count}{places}."),
    "sheets": Kind("SHEET_SKIPPED", "Sheets of the file are missing from the result: {count}{places}."),
    "slides": Kind("CONTENT_DROPPED", "Slides of the file are missing from the result: {count}{places}."),
    "chapters": Kind("CONTENT_DROPPED", "Chapters of the file are missing from the result: {count}{places}."),
    "messages": Kind("CONTENT_DROPPED", "Messages of the file are missing from the result: {count}{places}."),
    "cues": Kind("CONTENT_DROPPED", "Subtitles of the file are missing from the result: {count}{places}."),
    "files": Kind("CONTENT_DROPPED", "Files of the archive are missing from the result: {count}{places}."),
    "entries": Kind("CONTENT_DROPPED", "Entries of the file are missing from the result: {count}{places}."),
    "features": Kind("CONTENT_DROPPED", "Features of the map are missing from the result: {count}{places}."),
    "frames": Kind("ANIMATION_DROPPED", "Frames of the file are missing from the result: {count}{places}."),
    "glyphs": Kind("GLYPH_MISSING", "Glyphs of the font are missing from the result: {count}{places}."),
    "faces": Kind("CONTENT_DROPPED", "Faces of the model are missing from the result: {count}{places}."),
    "pages": Kind("CONTENT_DROPPED", "Pages or pictures of the file are missing from the result: {count}{places}."),
    "channels": Kind("CONTENT_DROPPED", "Channels of the picture are missing from the result: {count}{places}."),
    "bits": Kind("COLOR_CONVERTED", "Each channel has {count} fewer bits than in the file{places}."),
    "transparency": Kind("ALPHA_FLATTENED", "The transparency of the picture is missing from the result{places}."),
    "profiles": Kind("COLOR_CONVERTED", "The colour profile of the file is missing from the result{places}."),
    "ranges": Kind("COLOR_CONVERTED", "The high dynamic range of the picture is missing from the result{places}."),
    "gains": Kind("CONTENT_DROPPED", "The gain map, which brightens the picture on HDR screens, was left out{places}."),
    "exif": Kind("METADATA_DROPPED", "Exif fields of the file are missing from the result: {count}{places}."),
    "xmp": Kind("METADATA_DROPPED", "The XMP metadata of the file is missing from the result{places}."),
    "iptc": Kind("METADATA_DROPPED", "The IPTC metadata of the file is missing from the result{places}."),
    "remarks": Kind("METADATA_DROPPED", "Notes in the file are missing from the result: {count}{places}."),
    "makers": Kind(
        "METADATA_DROPPED",
        "Data that only some cameras and programs understand is missing from the result: {count}{places}.",
    ),
    "resolutions": Kind("METADATA_DROPPED", "The pixels per inch of the picture are missing from the result{places}."),
    "outlines": Kind("GLYPH_MISSING", "Glyphs of the font are empty in the result: {count}{places}."),
    "characters": Kind("GLYPH_MISSING", "Characters of the font are missing from the result: {count}{places}."),
    "layout": Kind("STYLE_DROPPED", "Layout features of the font are missing from the result: {count}{places}."),
    "axes": Kind("STYLE_DROPPED", "Axes of the variable font are missing from the result: {count}{places}."),
    "coloured": Kind("STYLE_DROPPED", "Coloured glyphs of the font are missing from the result: {count}{places}."),
    "attributes": Kind("CONTENT_DROPPED", "Columns of the map are missing from the result: {count}{places}."),
    "layers": Kind("CONTENT_DROPPED", "Layers of the map are missing from the result: {count}{places}."),
    "colours": Kind("STYLE_DROPPED", "The colours of the model are missing from the result{places}."),
    "textures": Kind("STYLE_DROPPED", "Textures of the model are missing from the result: {count}{places}."),
    "looks": Kind("LOOKS_CHANGED", "The result does not look like the file: {count}{places}."),
}
"""The kinds that are counted, and the warning for items that are missing from a result."""

TRAITS = frozenset({
    "channels", "bits", "transparency", "profiles", "ranges", "gains", "exif", "xmp", "iptc", "remarks", "makers",
    "resolutions",
})  # fmt: skip
"""Kinds for which several files together count no more than the largest of them."""
TAGS = frozenset({"exif", "xmp", "iptc", "remarks", "makers", "resolutions"})
"""Kinds that are metadata of pictures."""
ALL = 1 << 32
"""For `Warn.account`: all items of a kind are reported, or can't be compared, however many there are."""
EVERYTHING = frozenset(LOSSES)
"""For options that select a part of the file."""
LONGEST_TEXT = 60
"""Characters of an example quoted in a warning."""
MOST_SEARCHED = 1_000_000_000
"""Characters that are searched for words out of order, about half a second. Documents need a few million."""
_LONG_WORD = 4
"""Letters from which an ASCII word is also searched inside other words, as a layout may hyphenate or join words."""
DIVISION = "\xad"
"""A soft hyphen: a place at which a word of a text may be divided, or may be two words."""
_WORD = re.compile(r"[^\W_]+")
_DIVIDED_WORD = re.compile(rf"[^\W_]+(?:{DIVISION}[^\W_]+)*")
_LETTERS_OR_DIGITS = re.compile(r"\d+|[^\W\d_]+")
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())


@dataclass
class Census:
    """The contents of one file: the count of each kind, by label if it has labels, and its texts in order."""

    items: dict[str, Counter[str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Words of markup in no order, for syntaxes in which commands may move or join texts."""
    markup: list[str] = field(default_factory=list)
    """Markup text in which words of another file may be found, but which need not be in a result."""
    optional: dict[str, Counter[str]] = field(default_factory=dict)
    """Further items of a kind that may match those of another file, but need not be in a result."""
    samples: dict[str, object] = field(default_factory=dict)
    """For sampled kinds, an identifier of the sample; samples are compared only if these are equal."""
    sequence: list[list[str]] = field(default_factory=list)
    """The values of the compared rows, row by row."""
    parts: dict[str, Census] = field(default_factory=dict)
    """Contents of named parts that a conversion may leave out, such as sheets."""
    thumbnails: list[Thumbnail] = field(default_factory=list)
    """Thumbnails of the pictures of the file."""

    def add(self, kind: str, count: int = 1, *, label: str = "") -> None:
        """Add to the count of a kind; the label, such as a file name, identifies the items."""
        self.items.setdefault(kind, Counter())[label] += count

    def include(self, other: Census) -> None:
        """Add the contents of another file."""
        for kind, items in other.items.items():
            so_far = self.items.setdefault(kind, Counter())
            self.items[kind] = so_far | items if kind in TRAITS else so_far + items
        for kind, items in other.optional.items():
            self.optional.setdefault(kind, Counter()).update(items)
        for kind, sample in other.samples.items():
            self.samples[kind] = (self.samples[kind], sample) if kind in self.samples else sample
        self.sequence += other.sequence
        self.texts += other.texts
        self.words += other.words
        self.markup += other.markup
        self.thumbnails += other.thumbnails

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
                return sum(len(_WORD.findall(each)) for each in (*self.texts, *self.words))
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
    may have only some of them. `modules` are imported before the first job. `thumbnails` returns those of the pictures
    of a finished file, or of the first and the last frame of a video. `estimate` is for formats with verbatim text: it
    estimates the counts from the bytes alone. `count_locked` is `count` for a file that needs a password.
    """

    count: Callable[[Path], Census]
    kinds: frozenset[str]
    _: KW_ONLY
    source_only: frozenset[str] = frozenset()
    unsupported: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()
    estimate: Callable[[bytes], Mapping[str, int]] | None = None
    count_locked: Callable[[Path, str], Census] | None = None
    thumbnails: Callable[[Path], list[Thumbnail]] | None = None
    parts: tuple[Counting, ...] = ()
    """The countings of several families, each for the kinds that it knows of the format."""

    def __post_init__(self) -> None:
        for each in self.kinds | self.unsupported | self.source_only:
            LOSSES[each]

    def of(self, kinds: frozenset[str]) -> Counting:
        """Return the counting of these kinds, without the families that count only others."""
        parts = [each for each in self.parts if each.kinds & kinds or each.source_only & kinds]
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
        unsupported=one.unsupported | other.unsupported,
        modules=(*one.modules, *other.modules),
        thumbnails=one.thumbnails or other.thumbnails,
        parts=(*(one.parts or (one,)), *(other.parts or (other,))),
    )


def audited(before: Counting, after: Counting) -> frozenset[str]:
    """Return the kinds whose loss is detected between two formats."""
    return (before.kinds | before.source_only) & (after.kinds | after.unsupported)


def report(before: Census, after: Census, kinds: Iterable[str], warn: Warn) -> None:
    """Warn of each kind that the result has fewer of, beyond what earlier warnings account for.

    The detail `notCounted` lists kinds that are not compared, because the files are too large or their samples differ;
    `countedInPart` lists kinds that are sampled.
    """
    for each in compare(before, after, kinds, warn):
        if each.missing:
            warn.tally(LOSSES[each.kind], each.missing, each.examples, part="census")


@dataclass(frozen=True)
class Compared:
    """A kind that was compared: how many items the result lacks, and how many of them no warning names."""

    kind: str
    lacking: int
    missing: int
    examples: tuple[str, ...]
    sampled: bool


def compare(before: Census, after: Census, kinds: Iterable[str], warn: Warn) -> Iterator[Compared]:
    """Compare two files kind by kind, as `report` does, without its warnings."""
    before, after = before.without(warn.parts_left_out), after.without(())
    sampled = [kind for kind in sorted(kinds) if before.samples.get(kind) or after.samples.get(kind)]
    differing = [kind for kind in sampled if before.samples.get(kind) != after.samples.get(kind)]
    if differing:
        warn.detect(notCounted=", ".join(differing))
    elif sampled:
        warn.detect(countedInPart=", ".join(sampled))
    for kind in sorted({*kinds} - {*differing}):
        if kind == "order" and "values" in differing:
            continue
        if kind == "words":
            missing = _missing_words(before, after, warn)
        elif kind == "looks":
            missing = Counter({"": _changed(before.thumbnails, after.thumbnails)})
        elif kind == "order":
            missing = _out_of_place(before, after)
        else:
            missing = _missing(before, after, kind)
            for each in warn.left_out if kind == "values" else ():
                missing.pop(each, None)
        unexplained = max(0, missing.total() - warn.accounted(kind))
        examples = islice((f"“{_short(each)}”" for each in missing if each), MAX_EXAMPLES) if unexplained else ()
        yield Compared(kind, missing.total(), unexplained, tuple(examples), kind in sampled)


def has_words(before: Census, after: Census) -> bool:
    """Return whether the result has all words of the source's texts."""
    return not _missing_words(before, after, Warn())


def _changed(before: list[Thumbnail], after: list[Thumbnail]) -> int:
    """Return how many pictures differ; for a video that was sampled, compare the first and the last."""
    if len(before) > len(after) > 1:
        before = [before[0], before[-1]]
    return count_unlike(before, after)


def _missing(before: Census, after: Census, kind: str) -> Counter[str]:
    ours, theirs = (
        before.items.get(kind, Counter()),
        after.items.get(kind, Counter()) + after.optional.get(kind, Counter()),
    )
    if set(ours) == {""} or set(theirs) == {""}:  # one of the two has no labels
        count = ours.total() - theirs.total()
        return Counter({"": count}) if count > 0 else Counter()
    missing = ours - theirs
    return _less_those_inside(missing, theirs) if missing else missing


def _out_of_place(before: Census, after: Census) -> Counter[str]:
    """Return values that the result has in another row; empty if its values differ otherwise."""
    if len(before.sequence) != len(after.sequence) or _missing(before, after, "values"):
        return Counter()
    found, beside = after.items.get("values", Counter()), after.optional.get("values", Counter())
    pairs = zip(before.sequence, after.sequence, strict=True)
    return Counter(
        each
        for ours, theirs in pairs
        if ours != theirs
        for each in {*ours} - {*theirs}
        if each in found and each not in beside
    )


def _less_those_inside(missing: Counter[str], theirs: Counter[str]) -> Counter[str]:
    """Drop texts that the result has inside longer ones, such as items of a list in one cell."""
    unseen = [each for each in missing if each not in theirs and len(each) >= _LONG_WORD and not each[0].isdigit()]
    if unseen:
        whole = "\n".join(theirs)
        for each in unseen:
            if each in whole:
                del missing[each]
    return missing


def _missing_words(before: Census, after: Census, warn: Warn) -> Counter[str]:
    """Return the words of the source's texts that the result lacks."""
    found = _Found((*after.texts, *after.markup, *warn.left_out))
    missing: Counter[str] = Counter()
    for text, is_word in (*((each, False) for each in before.texts), *((each, True) for each in before.words)):
        if not is_word and found.has_text(_squeezed(_plain(text))):
            continue
        words = (each for each in _DIVIDED_WORD.findall(text) if not found.has_word(each))
        missing.update(each.replace(DIVISION, "") for each in words)
        if found.searched > MOST_SEARCHED:
            warn.detect(notCounted="words")
            break
    return missing


class _Found:
    """The texts of a result without blanks and punctuation; `searched` is the number of characters searched so far."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._plain = [_plain(each) for each in texts]
        self._all = "".join(map(_squeezed, self._plain))
        self._at = 0
        self.searched = 0

    @cached_property
    def _words(self) -> set[str]:
        return {word for text in self._plain for word in _WORD.findall(text)}

    @cached_property
    def _drawn(self) -> set[str]:
        return {_letters(word) for word in self._words if _is_mirrored(word)}

    def has_text(self, text: str) -> bool:
        """Return whether the text occurs as one piece after the previous match."""
        place = self._all.find(text, self._at)
        self.searched += (len(self._all) if place < 0 else place) - self._at
        if place >= 0:
            self._at = place + len(text)
        return place >= 0

    def has_word(self, word: str) -> bool:
        """Return whether the word occurs anywhere, whole or in its parts.

        Parts are those at a soft hyphen; if there is none, its letters and digits, which a layout may set apart; and in
        scripts without blanks, the ends of two lines.
        """
        whole = _squeezed(_plain(word))
        if self._has(whole):
            return True
        parts = word.split(DIVISION) if DIVISION in word else _LETTERS_OR_DIGITS.findall(word)
        if len(parts) > 1 and all(self._has(_squeezed(_plain(each))) for each in parts):
            return True
        return unicodedata.east_asian_width(whole[:1] or " ") in "WF" and self._has_in_two(whole)

    def _has_in_two(self, word: str) -> bool:
        end = next((end for end in range(len(word) - 1, 0, -1) if word[:end] in self._all), 0)
        self.searched += len(self._all) * (len(word) - end)
        return end > 0 and word[end:] in self._all

    def _has(self, word: str) -> bool:
        """Return whether the word occurs on its own, inside another, or with its letters in visual order."""
        if word in self._words or (_is_mirrored(word) and _letters(word) in self._drawn):
            return True
        if len(word) < _LONG_WORD and word.isascii():
            return False
        self.searched += len(self._all)
        return word in self._all


def _is_mirrored(word: str) -> bool:
    """Return whether a word is written from right to left."""
    return not word.isascii() and unicodedata.bidirectional(word[0]) in ("R", "AL")


def _letters(word: str) -> str:
    return "".join(sorted(word))


def _plain(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def _squeezed(text: str) -> str:
    if text.isascii():
        return text.encode().translate(None, _NO_LETTERS).decode()
    return "".join(_WORD.findall(text))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
