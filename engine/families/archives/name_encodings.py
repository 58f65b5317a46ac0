"""Guess in which code page the names in an archive are written, by the letters that each page makes of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

SAMPLE = 1 << 12
"""The bytes of names that are examined; of 166 single names in 11 languages, 4 bytes beyond ASCII told all apart."""
_COMMON, _RARE, _WRONG = 2.0, 1.0, -3.0
"""The worth of a byte that becomes a usual letter, a rare one, or a character that no name has there."""
_MARKS = frozenset("\xa0«»„“”‘’‚–—…№§°·©®€£²³ºª´")

_LATIN = {
    "western": (
        "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "áâãàçéêíóôõú", "äöüß", "åäöæøé", "àèéìòù", "áðéíóúýþæö", "ëïéöüèê",
    ),
    "central": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "turkish": ("çğıİöşüâîû",),
    "baltic": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
}  # fmt: skip
"""The letters beyond ASCII of each language, by the group of languages that a code page was made for."""


def _by_rank(letters: str) -> dict[str, float]:
    """The worth of letters that are given by how often they occur, the most frequent one first."""
    return {each: 1.2 * _COMMON - rank / 20 for rank, each in enumerate(letters)}


_CYRILLIC = _by_rank("оеаинтсрвлкмдпуяыьгізбчйхжшюїцєщэфъёґў№")
_GREEK = _by_rank("αοιετσνηυρπκμςλάίέήόωγδύχώθφβξζψϊϋΐΰ")
_HEBREW = _by_rank("יוהלארתבשמנעדםחקכןפסטגצזךףץ")
_LAST = frozenset("ςםןךףץ")
"""Letters that stand at the end of words alone."""


@dataclass(frozen=True)
class _Page:
    """A code page: Python's codec, and the worth of a name as it reads it."""

    codec: str
    worth: Callable[[str], float]

    def score(self, names: Iterable[bytes]) -> float:
        """Return the mean worth of a byte beyond ASCII; names that the page can't read are worth the least."""
        total = count = 0.0
        for name in names:
            odd = sum(each > 127 for each in name)
            count += odd
            try:
                total += self.worth(name.decode(self.codec))
            except UnicodeDecodeError:
                total += _WRONG * odd
        return total / count if count else 0.0


def guess(names: Sequence[bytes], *, dos: bool) -> str:
    """Return Python's codec for names of which some are not UTF-8.

    `dos` prefers the pages of DOS, as programs for Windows write ZIPs, where two pages fit equally; otherwise those of
    Windows, as old Unix systems write tars.
    """
    sample: list[bytes] = []
    size = 0
    for each in names:
        if not each.isascii() and size < SAMPLE:
            sample.append(each)
            size += len(each)
    pages = (*_DOS, *_WINDOWS, *_ASIAN) if dos else (*_WINDOWS, *_DOS, *_ASIAN)
    return max(pages, key=lambda page: page.score(sample)).codec


def _alphabet(text: str, *, letters: dict[str, float]) -> float:
    """The worth of a name in an alphabet of its own, whose letters do not stand beside Latin ones."""
    worth = 0.0
    for before, each, after in _in_place(text):
        if not each.isascii() and (each in letters or each not in _MARKS):
            misplaced = (each.isupper() and before.islower()) or (each in _LAST and after.isalpha())
            worth += _WRONG if misplaced or _is_latin(before, after) else letters.get(each.lower(), _WRONG)
    return worth


def _latin(text: str, *, languages: tuple[str, ...]) -> float:
    """The worth of a name in the one of these languages that fits best; their letters stand beside those of ASCII."""
    odd = [each.lower() for each in text if not each.isascii() and each not in _MARKS]
    if not odd:
        return 0.0
    worth = max(sum(_COMMON if each in language else _WRONG for each in odd) for language in languages)
    run = 0
    for before, each, _ in _in_place(text):
        run = 0 if each.isascii() else run + 1
        if run > 2 or (run and each.isupper() and before.islower()):
            worth += _WRONG
    return worth


def _asian(text: str, *, value: Callable[[str], float]) -> float:
    """The worth of a name in which two bytes make a character, and half-width ones a single byte."""
    return sum(
        min(0, value(each)) if _is_latin(before, after) else value(each)
        for before, each, after in _in_place(text)
        if not each.isascii()
    )


def _in_place(text: str) -> Iterator[tuple[str, str, str]]:
    """Each character between the one before it and the one after it."""
    return zip((" ", *text[:-1]), text, (*text[1:], " "), strict=True)


def _is_latin(*beside: str) -> bool:
    return any(each.isascii() and each.isalpha() for each in beside)


def _japanese(each: str) -> float:
    if "\uff61" <= each <= "\uff9f":  # half-width katakana: one byte
        return _WRONG / 2
    if "\u3041" <= each <= "\u30fe":
        return 2 * _COMMON
    return _by_lead(each, "cp932", ((0x81, 0x81, _RARE), (0x88, 0x97, _COMMON), (0x98, 0x9F, 0), (0xE0, 0xEA, 0)))


def _chinese(each: str) -> float:
    return _by_lead(each, "gbk", ((0xA1, 0xA3, _RARE), (0xB0, 0xD7, _COMMON), (0xD8, 0xF7, 0)), trail=0xA1)


def _traditional(each: str) -> float:
    return _by_lead(each, "big5", ((0xA1, 0xA3, _RARE), (0xA4, 0xC6, _COMMON), (0xC9, 0xF9, 0)))


def _korean(each: str) -> float:
    return _by_lead(each, "cp949", ((0xA1, 0xA3, _RARE), (0xB0, 0xC8, 1.2 * _COMMON), (0xCA, 0xFD, _WRONG)), trail=0xA1)


def _by_lead(each: str, codec: str, ranges: tuple[tuple[int, int, float], ...], trail: int = 0) -> float:
    """The worth of a character by the range of its first byte: the usual ones of a language come first in its set."""
    data = each.encode(codec)
    if len(data) == 2 and data[1] >= trail:
        for low, high, worth in ranges:
            if low <= data[0] <= high:
                return 2 * worth
    return _WRONG * len(data)


def _page(codec: str, worth: Callable[..., float], **how: object) -> _Page:
    return _Page(codec, functools.partial(worth, **how))


_DOS = (
    _page("cp437", _latin, languages=_LATIN["western"]),
    _page("cp850", _latin, languages=_LATIN["western"]),
    _page("cp852", _latin, languages=_LATIN["central"]),
    _page("cp857", _latin, languages=_LATIN["turkish"]),
    _page("cp775", _latin, languages=_LATIN["baltic"]),
    _page("cp866", _alphabet, letters=_CYRILLIC),
    _page("cp737", _alphabet, letters=_GREEK),
    _page("cp862", _alphabet, letters=_HEBREW),
)
_WINDOWS = (
    _page("cp1252", _latin, languages=_LATIN["western"]),
    _page("cp1250", _latin, languages=_LATIN["central"]),
    _page("cp1254", _latin, languages=_LATIN["turkish"]),
    _page("cp1257", _latin, languages=_LATIN["baltic"]),
    _page("cp1251", _alphabet, letters=_CYRILLIC),
    _page("koi8_r", _alphabet, letters=_CYRILLIC),
    _page("cp1253", _alphabet, letters=_GREEK),
    _page("cp1255", _alphabet, letters=_HEBREW),
)
_ASIAN = (
    _page("cp932", _asian, value=_japanese),
    _page("gbk", _asian, value=_chinese),
    _page("big5", _asian, value=_traditional),
    _page("cp949", _asian, value=_korean),
)
