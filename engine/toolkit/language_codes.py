"""Language codes of two letters and their codes of three (ISO 639-1 and ISO 639-2/T)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

THREE_LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld", "pl": "pol",
        "cs": "ces", "da": "dan", "el": "ell", "fi": "fin", "hu": "hun", "no": "nor", "ro": "ron", "ru": "rus",
        "sv": "swe", "tr": "tur", "uk": "ukr", "ja": "jpn", "ko": "kor", "ar": "ara", "he": "heb", "hi": "hin",
        "zh": "zho", "bg": "bul", "hr": "hrv", "sk": "slk", "sl": "slv", "et": "est", "lt": "lit", "lv": "lav",
    }
)  # fmt: skip
