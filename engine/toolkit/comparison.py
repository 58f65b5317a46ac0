"""Compare the contents of a result with those of its source, and warn of what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.toolkit.census import LETTERINGS, LOSSES, PARAGRAPHS, PLACED, Census
from engine.toolkit.thumbnails import Thumbnail, count_unlike
from engine.toolkit.warnings import MAX_EXAMPLES, Warn
from engine.toolkit.word_search import DIVIDED_WORD, DIVISION, LONG_WORD, SHORT_WORD, WORD, WordSearch, plain, squeezed

LONGEST_TEXT = 60
"""Characters of an example quoted in a warning."""
MOST_SEARCHED = 1_000_000_000
"""Characters that are searched for words out of order, about half a second. Documents need a few million."""


def report(before: Census, after: Census, kinds: Iterable[str], warn: Warn) -> None:
    """Warn of each kind that the result has fewer of, beyond what earlier warnings account for.

    The detail `notCounted` lists kinds that are not compared, because the files are too large or their samples differ;
    `countedInPart` lists kinds that are sampled.
    """
    for each in compare(before, after, kinds, warn):
        if each.missing:
            warn.tally(LOSSES[each.kind], each.missing, each.examples, part="census")


def _same_sample(before: Census, after: Census, kind: str) -> bool:
    """Return whether the result has the values of the source's sample, if nothing is missing.

    A result that was read as a whole, or is searched, has those of any sample.
    """
    ours, theirs = before.samples.get(kind), after.samples.get(kind)
    whole = theirs is None and kind in ("words", "values")
    searched = after.contains is not None and kind == "values"
    return ours == theirs or ((whole or searched) and _is_of_rows(ours))


def _is_of_rows(sample: object) -> bool:
    """Return whether a sample is of numbered rows, and not of a file that was not read."""
    return all(map(_is_of_rows, sample)) if isinstance(sample, tuple) else isinstance(sample, int | None)


def unread(census: Census, kinds: Iterable[str]) -> bool:
    """Return whether a file was counted in none of these kinds, so that nothing of it can be compared."""
    return not census.parts and all(each in census.samples and not _is_of_rows(census.samples[each]) for each in kinds)


@dataclass(frozen=True)
class Compared:
    """A kind that was compared: how many items the result lacks, and how many of them no warning names."""

    kind: str
    lacking: int
    missing: int
    examples: tuple[str, ...]
    sampled: bool
    """Whether only a part of its items was looked at."""


def compare(before: Census, after: Census, kinds: Iterable[str], warn: Warn) -> Iterator[Compared]:
    """Compare two files kind by kind, as `report` does, without its warnings."""
    before, after = before.without(warn.parts_left_out), after.without(())
    sampled = [kind for kind in sorted(kinds) if before.samples.get(kind) or after.samples.get(kind)]
    differing = {kind for kind in sampled if not _same_sample(before, after, kind)}
    if "values" in differing:  # their order is that of the same sample
        differing |= {"order"} & {*kinds}
    if differing:
        warn.not_counted(differing)
    if in_part := [kind for kind in sampled if kind not in differing]:
        warn.detect(countedInPart=", ".join(in_part))
    lost_values: list[str] = []
    for kind in sorted({*kinds} - differing):
        in_full = kind not in sampled
        if kind == "words":
            missing, in_full = _missing_words(before, after, (*warn.left_out, *lost_values))
            if not in_full:
                warn.not_counted({"words"})
        elif kind == "looks":
            missing = Counter({"": _changed(before.thumbnails, after.thumbnails)})
        elif kind == "order":
            missing = _out_of_place(before, after)
        else:
            missing = _missing(before, after, kind)
            if kind == "values" and missing and after.contains is not None:
                missing = Counter({each: number for each, number in missing.items() if not after.contains(each)})
            if kind in LETTERINGS and missing:
                missing = _visible(missing, before, after, kind)
            elif kind in PARAGRAPHS:  # words count those that the result lacks altogether
                left, made = before.paragraphs, after.paragraphs
                missing = Counter({each: number for each, number in missing.items() if made[each] >= left[each]})
            for each in warn.left_out if missing and kind in ("values", "texts") else ():
                for item in (each,) if kind == "values" else WORD.findall(each.lower()):
                    missing.pop(item, None)
            if kind == "values":
                lost_values += missing  # their words are no further loss
        unexplained = max(0, missing.total() - warn.accounted(kind))
        examples = islice((_quoted(each, kind) for each in missing if each), MAX_EXAMPLES) if unexplained else ()
        yield Compared(kind, missing.total(), unexplained, tuple(examples), not in_full)


def has_words(before: Census, after: Census) -> bool:
    """Return whether the result has all words of the source's texts, and all of them were searched for."""
    missing, searched_all = _missing_words(before, after)
    return searched_all and not missing


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
    if kind in PLACED:
        return _fewer(ours, theirs)
    if set(ours) == {""} or set(theirs) == {""}:  # one of the two has no labels
        count = ours.total() - theirs.total()
        return Counter({"": count}) if count > 0 else Counter()
    missing = ours - theirs
    return _less_those_inside(missing, theirs) if missing else missing


def _visible(missing: Counter[str], before: Census, after: Census, kind: str) -> Counter[str]:
    """Drop words that the result lacks altogether, as words count those, and parts of a word that is whole there.

    A table's head or a heading gives all letters of a word the look that only some had.
    """
    shown = "\n".join(after.texts).replace(DIVISION, "") if after.texts else None
    grown = "\n".join(after.items.get(kind, Counter()) - before.items[kind])
    return Counter(
        {each: number for each, number in missing.items() if (shown is None or each in shown) and each not in grown}
    )


def _fewer(ours: Counter[str], theirs: Counter[str]) -> Counter[str]:
    """Return how many fewer the result has, at the first places of the file if the result has none."""
    count = ours.total() - theirs.total()
    if count <= 0 or not theirs:
        return ours if count > 0 else Counter()
    return Counter({"": count})


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
    unseen = [each for each in missing if each not in theirs and len(each) >= LONG_WORD and not each[0].isdigit()]
    if unseen:
        whole = "\n".join(theirs)
        for each in unseen:
            if each in whole:
                del missing[each]
    return missing


def _missing_words(before: Census, after: Census, left_out: Sequence[str] = ()) -> tuple[Counter[str], bool]:
    """Return the words of the source's texts that the result lacks, and whether all of them were searched for."""
    found = WordSearch((*after.texts, *after.markup, *left_out))
    missing: Counter[str] = Counter()
    for text, is_word in (*((each, False) for each in before.texts), *((each, True) for each in before.words)):
        if not is_word and found.has_text(squeezed(plain(text))):
            continue
        words = (each for each in DIVIDED_WORD.findall(text) if not found.has_word(each))
        missing.update(each.replace(DIVISION, "") for each in words)
        if found.searched > MOST_SEARCHED:
            return missing, False
    if before.short:
        ours = (*after.texts, *after.words, *after.markup, *left_out)
        missing += before.short - Counter(word for each in ours for word in SHORT_WORD.findall(plain(each)))
    return missing, True


def _quoted(text: str, kind: str) -> str:
    return text if kind in PLACED else f"“{_short(text)}”"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
