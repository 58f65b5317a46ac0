"""Forms by which staff change accounts, credits and plans; each rendered form of the last two can be applied once."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.credits import ledger
from accounts.models import GUEST, MAX_ENTRY, CreditEntry, Plan, User


def _token() -> forms.UUIDField:
    return forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)


def _amount() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Amount"),
        min_value=-MAX_ENTRY,
        max_value=MAX_ENTRY,
        help_text=gettext("These credits don't expire. Enter a negative number to take granted credits back."),
    )


class AccountForm(UserChangeForm):
    """An account's own fields, refused if its access has changed since the page was opened: saving would undo that."""

    ACCESS = ("is_active", "is_staff", "is_superuser")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() & self.ACCESS:
            self.fields[name].show_hidden_initial = True

    def clean(self) -> dict[str, Any] | None:
        for name in self.fields.keys() & self.ACCESS:
            shown = self.data.get(self.add_initial_prefix(name))
            if shown is not None and self.fields[name].to_python(shown) != self.initial[name]:
                raise ValidationError(
                    gettext("This account's access has changed since you opened this page. Open it again.")
                )
        return super().clean()


class AccountActionForm(forms.Form):
    """A change with a reason; `apply` makes it for one account and returns a sentence for its history.

    Raises ledger.ImpossibleChange if it can't be made, and AlreadyEntered for a repeated submission.
    """

    form_token = _token()
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def apply(self, user: User, *, actor: User) -> str:
        raise NotImplementedError


class GrantForm(AccountActionForm):
    amount = _amount()

    field_order = ("amount", "reason")

    def apply(self, user: User, *, actor: User) -> str:
        given = self.cleaned_data
        entry = ledger.grant(user, given["amount"], reason=given["reason"], actor=actor, token=given["form_token"])
        return granted(entry)


class ChangePlanForm(AccountActionForm):
    plan = forms.ModelChoiceField(
        label=_("Plan"),
        queryset=Plan.objects.exclude(code=GUEST),
        help_text=_("This month's credits change by the difference between the two plans."),
    )

    field_order = ("plan", "reason")

    def apply(self, user: User, *, actor: User) -> str:
        given, before = self.cleaned_data, user.plan
        ledger.change_plan(user, given["plan"], reason=given["reason"], actor=actor, token=given["form_token"])
        return f"Changed plan from {before} to {user.plan}: {given['reason']}"


def granted(entry: CreditEntry) -> str:
    """The sentence about a grant in the account's history."""
    return f"Granted {entry.amount:+,} credits: {entry.reason}"


class EntryForm(forms.ModelForm):
    """A grant entered directly in the ledger."""

    form_token = _token()
    amount = _amount()
    reason = forms.CharField(label=_("Reason"), max_length=200)

    class Meta:
        model = CreditEntry
        fields = ["user", "amount", "reason"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        user, amount, token = cleaned.get("user"), cleaned.get("amount"), cleaned.get("form_token")
        if amount == 0 or (user and amount is not None and user.extra_credits + amount < 0):
            self.add_error(
                "amount",
                gettext("Enter a number other than zero. You can't take back more granted credits than are left."),
            )
        if user and token and CreditEntry.objects.filter(user=user, token=token).exists():
            raise ValidationError(gettext("This form was already sent. The credits have been granted."), code="sent")
        return cleaned
