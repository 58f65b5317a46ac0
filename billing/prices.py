"""The forms of the admin for prices, which take amounts as people write them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import currencies

_MOST = 2**31 - 1
"""The largest amount in the smallest unit (PositiveIntegerField)."""


class PriceForm(forms.ModelForm):
    """A form whose `amount` is in the currency, 9.00, and stored in its smallest unit, 900."""

    amount = forms.DecimalField(
        label=_("Price"), min_value=0, help_text=_("For example 9.00. Enter 0 to show “On request”.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and "amount" not in (kwargs.get("initial") or {}):
            self.initial["amount"] = currencies.as_people_write(self.instance.amount, self.instance.currency)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        amount, currency = given.get("amount"), given.get("currency")
        if amount is None or currency is None:
            return given
        try:
            given["amount"] = currencies.as_stored(amount, currency)
        except ValueError:
            number = currencies.decimals(currency)
            text = ngettext(
                "%(currency)s has at most %(number)d decimal.", "%(currency)s has at most %(number)d decimals.", number
            )
            self.add_error("amount", text % {"currency": currency, "number": number})
        else:
            if given["amount"] > _MOST:
                self.add_error("amount", _("This price is too high."))
        return given


class ListedPriceForm(PriceForm):
    """The same in a row of the list, whose fields have no labels of their own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = field.widget.attrs["placeholder"] = field.label
