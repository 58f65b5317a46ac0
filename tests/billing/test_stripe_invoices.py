"""Prices that an invoice of Stripe's pays for: prorations, credits, the forms of both API versions."""

from __future__ import annotations

from typing import Any

import pytest

from billing.providers.stripe_invoices import Line, period_end, prices_paid

START, NOW, END, NEXT, YEAR = 0, 10, 30, 60, 365


def line(price: str, amount: int, end: int, *, version: int = 2026) -> Line:
    """https://docs.stripe.com/api/invoice-line-item/object, and as it was before 2025-03-31."""
    one: dict[str, Any] = {"amount": amount, "period": {"start": START, "end": end}}
    if version < 2025:
        return {**one, "price": {"id": price, "object": "price"}, "proration": amount < 0}
    return {**one, "pricing": {"type": "price_details", "price_details": {"price": price, "product": "prod_1"}}}


@pytest.mark.parametrize("version", [2024, 2026])
@pytest.mark.parametrize(
    ("lines", "paid"),
    [
        pytest.param([("scale", 9900, NEXT)], ("scale",), id="a renewal"),
        pytest.param([("starter", -600, END), ("scale", 6600, END)], ("scale",), id="a larger plan at once"),
        pytest.param([("scale", -6600, END), ("starter", 600, END)], ("starter",), id="a smaller plan at once"),
        pytest.param(
            [("scale", 6600, END), ("starter", -600, END), ("scale", 9900, NEXT)],
            ("scale",),
            id="a larger plan with the next period",
        ),
        pytest.param(
            [("scale", 6600, END), ("scale", -6300, END), ("starter", 900, NEXT)],
            ("starter",),
            id="a larger plan that was left before the next period",
        ),
        pytest.param(
            [("scale", 6600, END), ("scale", -6300, END), ("pro", 2000, END)],
            ("pro",),
            id="a larger plan that was left before it was invoiced",
        ),
        pytest.param(
            [("scale", 6600, END), ("scale", -6300, END), ("scale", 6000, END)],
            ("scale",),
            id="a larger plan that was left and taken again",
        ),
        pytest.param([("yearly", -9000, YEAR), ("scale", 9900, NEXT)], ("scale",), id="from a year to a month"),
        pytest.param([("scale", 0, NEXT)], ("scale",), id="a period that costs nothing"),
        pytest.param([("scale", -6600, END)], (), id="a credit alone"),
        pytest.param([("", 500, END)], (), id="something without a price"),
        pytest.param([], (), id="nothing"),
    ],
)
def test_an_invoice_pays_for_the_last_period_that_it_charges(
    lines: list[tuple[str, int, int]], paid: tuple[str, ...], version: int
) -> None:
    told = [line(*each, version=version) for each in lines]
    assert prices_paid(told) == prices_paid(told[::-1]) == paid


def test_a_price_that_is_expanded_has_its_id() -> None:
    one = line("scale", 9900, NEXT)
    one["pricing"]["price_details"]["price"] = {"id": "scale", "object": "price"}
    assert prices_paid([one]) == ("scale",)


def test_a_credit_for_the_rest_of_a_year_does_not_lengthen_the_month_that_is_paid() -> None:
    assert period_end([line("yearly", -9000, YEAR), line("scale", 9900, NEXT)]) == NEXT
