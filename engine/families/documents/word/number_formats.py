"""Numbers in the formats of lists, pages and notes (ECMA-376, part 1, 17.18.59)."""

from __future__ import annotations

from collections.abc import Callable

from engine.toolkit.numerals import roman

_ONES = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_IDEOGRAPHS = "〇一二三四五六七八九"
_SEQUENCES = {
    "russianLower": "абвгдежзиклмнопрстуфхцчшщыэюя", "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת", "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "aiueoFullWidth": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "irohaFullWidth": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",  # noqa: E501
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "ganada": "가나다라마바사아자차카타파하", "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸", "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "decimalEnclosedCircleChinese": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "circleNumWdBlack": "❶❷❸❹❺❻❼❽❾❿⓫⓬⓭⓮⓯⓰⓱⓲⓳⓴",
    "decimalEnclosedParen": "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇",
    "decimalEnclosedFullstop": "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛",
    "ideographEnclosedCircle": "㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉", "thaiAlpha": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "hindiAlpha": "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह", "hindiAlpha1": "अआइईउऊऋएऐओऔ",
}  # fmt: skip
"""Formats that use a sequence of characters, and decimal numbers after the last one.

Black circles, `thaiAlpha` and `hindiAlpha` are of slides.
"""
_DIGITS = {
    "decimalFullWidth": "０１２３４５６７８９", "decimalFullWidth2": "０１２３４５６７８９",
    "koreanDigital": "영일이삼사오육칠팔구", "hindiNumbers": "०१२३४५६७८९", "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
    "ideographDigital": _IDEOGRAPHS,
    "japaneseDigitalTenThousand": _IDEOGRAPHS, "taiwaneseDigital": _IDEOGRAPHS, "koreanDigital2": _IDEOGRAPHS,
}  # fmt: skip
_ALIASES = {"aiueo": "aiueoFullWidth", "iroha": "irohaFullWidth"}


def _letters(number: int) -> str:
    return chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 20) if number > 0 else str(number)


def _with_ending(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _cardinal(number: int) -> str:
    """A number below a million in English words."""
    if number >= 1000:
        return f"{_cardinal(number // 1000)} thousand {_cardinal(number % 1000)}".rstrip()
    if number >= 100:
        return f"{_ONES[number // 100]} hundred {_cardinal(number % 100)}".rstrip()
    if number >= 20:
        return f"{_TENS[number // 10]}-{_ONES[number % 10]}".rstrip("-")
    return _ONES[number]


def _ordinal_words(number: int) -> str:
    words = _cardinal(number)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[cut:]
    return words[:cut] + _IRREGULAR.get(last, f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def _counted(number: int, *, with_one: bool, thousands: bool = True) -> str:
    """A number below ten thousand in ideographs with their units: 一百二十三, or 百二十三 without the one."""
    if number >= (10_000 if thousands else 100):
        return _positional(number, _IDEOGRAPHS.replace("〇", "○"))
    found, gap = "", False
    for size, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, size)
        if digit:
            found += "〇" if gap and with_one else ""
            one = digit == 1 and unit and (not with_one or (unit == "十" and not found))
            found += ("" if one else _IDEOGRAPHS[digit]) + unit
        gap = bool(found) and not digit and bool(number)
    return found


def _with_units(number: int, digits: str, units: str, *, with_one: bool) -> str:
    """A number below ten thousand in nine digits and three units, the smallest first; a zero is only in gaps."""
    if not 0 < number < 10_000:
        return str(number)
    found, gap = "", False
    for at in (3, 2, 1, 0):
        digit, number = divmod(number, 10**at)
        if digit:
            found += digits[0] * gap
            found += ("" if digit == 1 and at and not with_one else digits[digit]) + (units[at - 1] if at else "")
        gap = bool(found) and with_one and digits[0] != " " and not digit and bool(number)
    return found.replace(" ", "")


def _korean(number: int) -> str:
    """A number below a hundred in native Korean words."""
    tens, ones = divmod(number, 10)
    return _KOREAN_TENS[tens] + _KOREAN_ONES[ones] if 0 < number < 100 else str(number)


def _hebrew(number: int) -> str:
    """A number below a thousand in Hebrew letters, of which 15 and 16 avoid the divine name."""
    if not 0 < number < 1_000:
        return str(number)
    found = "ת" * (number // 400) + " קרש"[number % 400 // 100].strip()
    rest = number % 100
    return found + (("טו", "טז")[rest - 15] if rest in (15, 16) else _HEBREW_TENS[rest // 10] + _HEBREW_ONES[rest % 10])


def _positional(number: int, digits: str) -> str:
    return "".join(digits[int(each)] for each in str(number))


_KOREAN_ONES = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_KOREAN_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_HEBREW_ONES, _HEBREW_TENS = ("", *"אבגדהוזחט"), ("", *"יכלמנסעפצ")
_FORMATS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalHalfWidth": str,
    "decimalZero": lambda number: f"{number:02d}",
    "none": lambda number: "",
    "bullet": lambda number: "",
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": lambda number: roman(number).lower() if 0 < number < 4000 else str(number),
    "upperRoman": lambda number: roman(number) if 0 < number < 4000 else str(number),
    "ordinal": _with_ending,
    "hex": lambda number: f"{number:X}",
    "chicago": lambda number: "*†‡§"[(number - 1) % 4] * min((number - 1) // 4 + 1, 20) if number > 0 else str(number),
    "numberInDash": lambda number: f"- {number} -",
    "chineseCounting": lambda number: _counted(number, with_one=True, thousands=False),
    "chineseCountingThousand": lambda number: _counted(number, with_one=True),
    "taiwaneseCounting": lambda number: _counted(number, with_one=True, thousands=False),
    "taiwaneseCountingThousand": lambda number: _counted(number, with_one=True),
    "chineseLegalSimplified": lambda number: _with_units(number, "零壹贰叁肆伍陆柒捌玖", "拾佰仟", with_one=True),
    "ideographLegalTraditional": lambda number: _with_units(number, "零壹貳參肆伍陸柒捌玖", "拾佰仟", with_one=True),
    "japaneseLegal": lambda number: _with_units(number, " 壱弐参四伍六七八九", "拾百阡", with_one=True),
    "koreanCounting": lambda number: _with_units(number, " 일이삼사오육칠팔구", "십백천", with_one=False),
    "koreanLegal": _korean,
    "hebrew1": _hebrew,
    "japaneseCounting": lambda number: _counted(number, with_one=False),
}
_IN_WORDS: dict[str, Callable[[int], str]] = {"cardinalText": _cardinal, "ordinalText": _ordinal_words}


def is_known(format: str, language: str) -> bool:
    """Whether `ordinal` writes this format as Word does in a text of this language."""
    if format in _IN_WORDS:
        return not language or language.lower().startswith("en")
    return format in _FORMATS or format in _DIGITS or _ALIASES.get(format, format) in _SEQUENCES


def ordinal(number: int, format: str) -> str:
    """A number in a format; decimal if the format is unknown. Words are English."""
    if format in _IN_WORDS and 0 < number < 1_000_000:
        words = _IN_WORDS[format](number)
        return words[0].upper() + words[1:]
    if format in _DIGITS:
        return _positional(max(number, 0), _DIGITS[format])
    sequence = _SEQUENCES.get(_ALIASES.get(format, format), "")
    if 0 < number <= len(sequence):
        return sequence[number - 1]
    return _FORMATS.get(format, str)(number)
