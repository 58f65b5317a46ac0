"""Guess the legacy encoding of a text that has neither a byte order mark nor a declaration."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_LETTERS = {
    "cp1252": (
        "àâæçéèêëîïôœùûüÿ", "áéíñóúüàèòç", "áâãàçéêíóôõúü", "äöüßéàâêéèç", "åäöæøéàèü", "àèéìòùîí", "áðéíóúýþæö",
        "ëïéöüèê",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıiöşüâîû",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
}  # fmt: skip
"""The non-ASCII letters of the languages each code page was made for."""

_LATIN = {**_LETTERS, "iso8859_2": _LETTERS["cp1250"]}
"""In order of preference on a tie: HTML falls back to windows-1252 (WHATWG HTML, 13.2.3.2)."""

_OTHERS = (
    "cp1251", "cp1253", "cp1255", "cp1256", "koi8_r", "cp874", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip
_MARKS_OF_TEXT = frozenset("\xa0«»„“”‘’‚–—…€£§©®°·•¡¿ªº´")
_SIGNS = _MARKS_OF_TEXT - frozenset("‘’·")
_ODD = re.compile(r"[^\x00-\x7f]+")
_TAGS = re.compile(rb"<[^<>]*>")
_GREEK_CAPITAL = re.compile("¶(?=[α-ωά-ώ])")
_SAMPLE = 1 << 16
_SURE = 0.95
_BESIDE_ASCII = 0.6


@dataclass(frozen=True)
class _Reading:
    """A decoded sample: `fit` is the share of non-ASCII characters that are letters of one language, `beside` the share
    of them that stand next to ASCII letters."""

    encoding: str
    fit: float
    beside: float


def guess(data: bytes) -> str:
    """Python's name of the most likely encoding of `data`, which is in no UTF; windows-1252 by default.

    Only a sample around the first non-ASCII bytes is examined, with markup removed.
    """
    sample = _sample(data)
    latin = max((_reading(sample, encoding) for encoding in _LATIN), key=lambda each: each.fit)
    if latin.fit >= _SURE and latin.beside >= _BESIDE_ASCII:
        return latin.encoding
    import charset_normalizer  # 4 MB that most texts don't need

    candidates = [*_OTHERS] if latin.beside < _BESIDE_ASCII / 2 else [*_LATIN, *_OTHERS]
    best = charset_normalizer.from_bytes(sample, cp_isolation=candidates, enable_fallback=False).best()
    if best is None or best.encoding in _LATIN:
        return latin.encoding
    if best.encoding in ("euc_kr", "gb18030", "big5") and _has_kana(sample):
        return "euc_jp"
    if best.encoding == "cp1253" and _GREEK_CAPITAL.search(str(best)):
        return "iso8859_7"  # they differ only in Ά
    return best.encoding


def _has_kana(sample: bytes) -> bool:
    """Whether the sample is EUC-JP: Japanese has many kana, while Korean or Chinese read as EUC-JP would be kanji."""
    try:
        odd = [each for each in sample.decode("euc_jp") if not each.isascii()]
    except UnicodeDecodeError:
        return False
    return sum("\u3041" <= each <= "\u30ff" for each in odd) * 5 > len(odd)


def _sample(data: bytes) -> bytes:
    # The words around the non-ASCII bytes decide, not megabytes of digits before them.
    odd = next((at for at in range(len(data)) if data[at] > 127), 0) if len(data) > _SAMPLE else 0
    sample = data[max(0, odd - _SAMPLE // 4) : odd + _SAMPLE]
    if len(sample) < len(data):
        # Line feeds and spaces are never part of a multi-byte character.
        sample = sample[: max(sample.rfind(b"\n"), sample.rfind(b" ")) + 1] or sample
    return _TAGS.sub(b" ", sample)


def _reading(sample: bytes, encoding: str) -> _Reading:
    text = sample.decode(encoding, "replace")
    odd: Counter[str] = Counter()
    beside = 0
    for found in _ODD.finditer(text):
        run = found[0].lower()
        letters = [each for each in run if each not in _MARKS_OF_TEXT]
        before, after = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
        beside += len(letters) if len(run) < 3 and (before.isalpha() or after.isalpha()) else 0
        odd.update(letters)
        # A symbol inside a word is a letter in another code page.
        odd.update("\ufffd" for each in run if each in _SIGNS and before.isalpha() and after.isalpha())
    total = odd.total()
    fit = max(sum(count for each, count in odd.items() if each in language) for language in _LATIN[encoding])
    return _Reading(encoding, fit / total if total else 1.0, beside / total if total else 1.0)
