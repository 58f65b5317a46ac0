"""Amounts of money, which are stored as integers in the smallest unit of their currency."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import get_language

_WITHOUT_CENTS = frozenset(
    "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split()  # noqa: SIM905
)
_IN_THOUSANDTHS = frozenset(("BHD", "JOD", "KWD", "OMR", "TND"))
"""Currencies whose smallest unit is not a hundredth, as payment providers take them (ISO 4217, less UGX and ISK, whose
amounts Stripe takes in hundredths)."""


def decimals(currency: str) -> int:
    """The decimals of the currency's smallest unit: 2 for euros, 0 for yen."""
    return 0 if currency in _WITHOUT_CENTS else 3 if currency in _IN_THOUSANDTHS else 2


def as_people_write(amount: int, currency: str) -> Decimal:
    """900 in EUR as 9.00."""
    return Decimal(amount).scaleb(-decimals(currency))


def as_stored(amount: Decimal, currency: str) -> int:
    """9.00 in EUR as 900; raises ValueError if it has more decimals than the currency."""
    units = amount.scaleb(decimals(currency))
    if units != units.to_integral_value():
        raise ValueError(f"{amount} has more than {decimals(currency)} decimals.")
    return int(units)


def formatted(amount: int, currency: str) -> str:
    """The amount without its currency, as the active language writes numbers."""
    number = as_people_write(amount, currency)
    if get_language() == settings.LANGUAGE_CODE:
        return f"{number:,}"
    return str(number_format(number, decimal_pos=decimals(currency), force_grouping=True))
