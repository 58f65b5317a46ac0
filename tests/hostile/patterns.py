"""Texts that make a regular expression work as hard as it can, made from its own pieces, and how long it takes."""

from __future__ import annotations

import functools
import itertools
import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import signal
import string
from collections.abc import Callable, Iterator
from typing import Any

from tests.hostile.costs import slowness

BUDGET = 0.05
"""Seconds of processor time for one text at the greatest length; what is linear takes some microseconds."""
ENDINGS = ("", "\x00", "\n", "!", "é")
_CATEGORY = {
    op.CATEGORY_DIGIT: "0", op.CATEGORY_NOT_DIGIT: "a", op.CATEGORY_SPACE: " ", op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_WORD: "a", op.CATEGORY_NOT_WORD: "-",
}  # fmt: skip
_MOST_PAIRS = 8
_LONGER = 10
"""Times the length: what is looked for from each opening to the end of the text costs less for a character."""
_MORE_TIME = 3
"""Times the budget for such a longer text."""

_pace = functools.cache(slowness)
"""How slow the machine is, measured once: what is linear takes as much longer."""


class OverBudget(Exception):
    """The expression took more processor time than it may."""


def within(seconds: float, call: Callable[[], object]) -> bool:
    """Whether a call ends within so many seconds of processor time; the engine is interrupted where it does not."""

    def over(*_: object) -> None:
        raise OverBudget

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        call()
    except OverBudget:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return True


def attacks(pattern: str | bytes, length: int, flags: int = 0) -> Iterator[str]:
    """Texts of `length` characters: each repeated piece of the pattern again and again, then what can't follow it."""
    tree = _tree(pattern, flags)
    seen: set[tuple[str, str]] = set()
    for prefix, piece in itertools.chain(_pumps(tree, ""), _pairs(tree)):
        if not piece or (prefix, piece) in seen:
            continue
        seen.add((prefix, piece))
        pumped = prefix + piece * max(1, (length - len(prefix) - 1) // len(piece))
        for ending in ENDINGS:
            yield pumped[: length - len(ending)] + ending


def openings(pattern: str | bytes, length: int, flags: int = 0) -> Iterator[str]:
    """Texts of `length` characters: each beginning of the pattern again and again, so that nothing closes it."""
    for piece in dict.fromkeys(_beginnings(_tree(pattern, flags), "")):
        yield piece * (length // len(piece))


def _tree(pattern: str | bytes, flags: int) -> list[Any]:
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    return list(parser.parse(text, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags))


def slow(expression: re.Pattern[Any], length: int, seconds: float, ways: tuple[str, ...]) -> str | None:
    """A text that takes longer, if there is one; longer texts may take some of the time that their length adds."""
    pace = _pace()
    texts = itertools.chain(
        ((text, pace * seconds) for text in attacks(expression.pattern, length, expression.flags)),
        (
            (text, _MORE_TIME * pace * seconds)
            for text in openings(expression.pattern, _LONGER * length, expression.flags)
        ),
    )
    for text, most in texts:
        given: Any = text.encode("latin-1", "replace") if isinstance(expression.pattern, bytes) else text
        for way in ways:
            call: Callable[[Any], Any] = getattr(expression, way)
            if not within(most, lambda call=call, given=given: call(given)):  # type: ignore[misc]
                return f"{way} {text[:60]!r}"
    return None


def _pumps(items: list[Any], prefix: str) -> Iterator[tuple[str, str]]:
    """What comes before a repeated piece, and the piece, for every one in a sequence and in what it is made of."""
    for index, (kind, value) in enumerate(items):
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            _, most, body = value
            if most > 1:
                for variant in _variants(list(body)):
                    yield prefix, variant
                    yield "", variant
                    if index + 1 < len(items):
                        # Together with what follows, which is where one that was not found is searched for anew.
                        yield prefix, variant + _sample([items[index + 1]])
            yield from _pumps(list(body), prefix)
            yield from _pumps(list(body), prefix + _sample(list(body)))
        for part in _inside(kind, value):
            yield from _pumps(part, prefix)
        prefix += _sample([(kind, value)])
    if prefix:
        yield "", prefix


def _beginnings(items: list[Any], prefix: str) -> Iterator[str]:
    """What comes before each piece that may go on for long, in a sequence and in what it is made of."""
    for kind, value in items:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            body = list(value[2])
            if prefix and value[1] is op.MAXREPEAT:
                yield prefix
                # A word that ends before the piece needs another character behind it than a letter.
                yield f"{prefix} "
            yield from _beginnings(body, prefix)
        for part in _inside(kind, value):
            yield from _beginnings(part, prefix)
        prefix += _sample([(kind, value)])


def _inside(kind: Any, value: Any) -> list[list[Any]]:
    """The sequences in a group, in alternatives or in a lookaround; none for any other piece."""
    if kind is op.SUBPATTERN:
        return [list(value[3])]
    if kind is op.BRANCH:
        return [list(each) for each in value[1]]
    if kind is op.ATOMIC_GROUP:
        return [list(value)]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [list(value[1])]
    return []


def _variants(items: list[Any]) -> Iterator[str]:
    """Some texts that a piece matches: by its first choices, by its last, and by all in a row."""
    first, last = _sample(items), _sample(items, last=True)
    yield first
    yield last
    yield first + last


def _pairs(items: list[Any]) -> Iterator[tuple[str, str]]:
    pool = list(dict.fromkeys(_letters(items)))[:_MOST_PAIRS]
    for size in (1, 2):
        for letters in itertools.product(pool, repeat=size):
            yield "", "".join(letters)


def _letters(items: list[Any]) -> Iterator[str]:
    """One of each kind of character that a pattern names."""
    for kind, value in items:
        if kind is op.LITERAL:
            yield chr(value)
        elif kind in (op.IN, op.NOT_LITERAL, op.ANY):
            yield _character(kind, value)
            yield _character(kind, value, last=True)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from _letters(list(value[2]))
        elif kind is op.SUBPATTERN:
            yield from _letters(list(value[3]))
        elif kind is op.BRANCH:
            for each in value[1]:
                yield from _letters(list(each))
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _letters(list(value[1]))


def _sample(items: list[Any], *, last: bool = False) -> str:
    """A text that a sequence matches; each repeated piece once, if it may be there at all."""
    found = ""
    for kind, value in items:
        if kind is op.LITERAL:
            found += chr(value)
        elif kind in (op.IN, op.NOT_LITERAL, op.ANY):
            found += _character(kind, value, last=last)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            least, most, body = value
            found += _sample(list(body), last=last) * max(least, min(most, 1))
        elif kind is op.SUBPATTERN:
            found += _sample(list(value[3]), last=last)
        elif kind is op.BRANCH:
            found += _sample(list(value[1][-1 if last else 0]), last=last)
        elif kind is op.ATOMIC_GROUP:
            found += _sample(list(value), last=last)
    return found


def _character(kind: Any, value: Any, *, last: bool = False) -> str:
    if kind is op.ANY:
        return "a"
    if kind is op.NOT_LITERAL:
        return next(each for each in "ab" if ord(each) != value)
    if value[0][0] is op.NEGATE:
        known = re.compile("[" + "".join(_class(each) for each in value[1:]) + "]")
        return next((each for each in "a0 -\u2028" + string.printable if not known.match(each)), "\U0001f4a3")
    kind, what = value[-1 if last else 0]
    if kind is op.LITERAL:
        return chr(what)
    if kind is op.RANGE:
        return chr(what[1] if last else what[0])
    return _CATEGORY.get(what, "a")


def _class(item: Any) -> str:
    kind, what = item
    if kind is op.LITERAL:
        return re.escape(chr(what))
    if kind is op.RANGE:
        return f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}"
    names = {
        op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s", op.CATEGORY_NOT_SPACE: r"\S",
        op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
    }  # fmt: skip
    return names[what]
