"""Roman numerals."""

from __future__ import annotations

_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def roman(number: int) -> str:
    """A number from 1 to 3,999 in upper case Roman numerals."""
    found = ""
    for size, letters in _ROMAN:
        times, number = divmod(number, size)
        found += letters * times
    return found
