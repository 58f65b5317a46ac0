"""Search of tasks and conversions, with synonyms, directions and typos."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext

from conversions.pages.tasks.listing import offered
from conversions.wording import summary, translated
from conversions.work.nearest import SPOKEN_NAMES
from conversions.work.offer import Offer, remembered
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, Format

MOST = 12
_LONGEST = 100
_WORDS = re.compile(r"[^\W_]+")
_RUNS = re.compile(r"[\u30a0-\u30ff]+|[\u4e00-\u9fff]+|[a-z0-9]+")
_IN_RUNS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_TO_WORDS = {"to", "into", "as", "zu", "nach", "en", "in", "vers", "para", "na", "2"}
_STOP_WORDS = {"a", "an", "the", "my", "file", "files", "convert", "converter", "change", "turn",
               "from", "of", "for", "and", "online", "free", "make", "please", "how", "do", "i", "with"}  # fmt: skip


@dataclass(frozen=True)
class Found:
    """A page with its title and summary."""

    title: str
    does: str
    address: str


@dataclass(frozen=True)
class _Page:
    found: Found
    title: frozenset[str]
    words: frozenset[str]
    source: frozenset[str]
    target: frozenset[str]
    weight: float


def search(query: str) -> list[Found]:
    """At most MOST pages, best first; all words must match, if only approximately."""
    given = _WORDS.findall(re.sub(r"→|->|>|(?<=[a-z])2(?=[a-z])", " to ", query[:_LONGEST].lower()))
    words = [part for each in given for part in (_RUNS.findall(each) if _IN_RUNS.search(each) else [each])]
    asked = [each for each in words if each not in _STOP_WORDS or len(words) == 1]
    direction = next((at for at, each in enumerate(asked) if each in _TO_WORDS and at > 0), None)
    before = set(asked[:direction]) if direction is not None else set()
    after = set(asked[direction + 1 :]) if direction is not None else set()
    wanted = [each for at, each in enumerate(asked) if at != direction]
    if not wanted:
        return []
    known = [_similar_words(each) for each in wanted]
    scored: list[tuple[float, int, _Page]] = []
    for at, page in enumerate(_pages()):
        score = _score(page, wanted, known, before, after)
        if score > 0:
            scored.append((-score, at, page))
    scored.sort(key=lambda each: each[:2])
    # A task and its pair may have the same title: the task comes first.
    titles = {page.found.title: page.found for _, _, page in reversed(scored)}
    return [each for each in (page.found for _, _, page in scored) if titles[each.title] is each][:MOST]


def _score(page: _Page, wanted: list[str], known: list[dict[str, float]], before: set[str], after: set[str]) -> float:
    score = page.weight
    for at, (word, meant) in enumerate(zip(wanted, known, strict=True)):
        best = 0.0
        for each, similarity in meant.items():
            place = 0.0
            if each in page.title:
                place = 4.0
            elif each in page.words:
                place = 2.5
            # Of two formats, the first is the input.
            if each in page.source and (word in before or (not after and at == 0 and len(wanted) > 1)):
                place = max(place, 3.0) + 2.0
            if each in page.target and (word in after or (not after and at > 0)):
                place = max(place, 3.0) + 2.0
            if word in before and each in page.target and each not in page.source:
                place = 0.0
            if word in after and each in page.source and each not in page.target:
                place = 0.0
            best = max(best, place * similarity)
        if not best:
            return 0.0
        score += best
    return score / (len(wanted) + 1)


def _similar_words(word: str) -> dict[str, float]:
    """Known words that the word may mean, with their similarity."""
    if word in _vocabulary():
        found = {word: 1.0}
    else:
        found = {each: 0.85 for each in _vocabulary() if len(word) > 2 and each.startswith(word)}
        slips = 0 if len(word) < 3 else 1 if len(word) < 8 else 2
        for each in _vocabulary():
            if (
                slips
                and abs(len(each) - len(word)) <= slips
                and each not in found
                and _edit_distance(word, each, slips) <= slips
            ):
                found[each] = 0.7
    return found


def _edit_distance(one: str, other: str, most: int) -> int:
    """The edit distance with transpositions, up to `most` + 1 (Damerau, 1964)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, row, older = row, [i], before
        for j, its in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        before = last
        if min(row) > most:
            return most + 1
    return row[-1]


def _words(text: str) -> frozenset[str]:
    """The words of a text; for scripts without spaces, runs of one script."""
    words = _WORDS.findall(text.lower())
    return frozenset(words).union(part for each in words if not each.isascii() for part in _RUNS.findall(each))


def _pair(converter: Converter) -> str:
    return gettext("%(input)s to %(output)s") % {
        "input": translated(converter.input.name),
        "output": translated(converter.output.name),
    }


def _names(format: Format) -> Iterator[str]:
    yield format.id
    yield from (part for each in format.extensions for part in _WORDS.findall(each.lower()))
    yield from _WORDS.findall(format.name.lower())
    yield from (spoken for spoken, id in SPOKEN_NAMES.items() if id == format.id)


@remembered
def _pages(offer: Offer) -> tuple[_Page, ...]:
    names = {each: frozenset(_names(each)) for each in FORMATS.values()}
    pages = []
    for task in offered():
        shown = task.translated()
        title = _words(f"{task.title} {shown.title}")
        sources = frozenset[str]().union(*(names[each.input] for each in task.converters))
        targets = frozenset[str]().union(*(names[each.output] for each in task.converters))
        words = _words(f"{task.called} {task.does} {translated(task.called)} {shown.does}") | sources | targets
        found = Found(shown.title, shown.does, reverse(task.name))
        pages.append(_Page(found, title, words, sources, targets, 3.5))
    for each in offer.converters.values():
        source, target = names[each.input], names[each.output]
        found = Found(_pair(each), summary(each), reverse("conversion", kwargs={"slug": each.slug}))
        pages.append(_Page(found, frozenset({each.input.id, each.output.id}), source | target, source, target, 1.0))
    return tuple(pages)


@remembered
def _vocabulary(offer: Offer) -> frozenset[str]:
    return frozenset().union(*(each.words | each.title for each in _pages()))
