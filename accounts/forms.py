"""What staff fill in to change what an account has."""

from __future__ import annotations

from django import forms

from accounts import ledger
from accounts.models import GUEST, Plan, User


class GrantForm(forms.Form):
    amount = forms.IntegerField(
        min_value=-(10**9), max_value=10**9, help_text="Kept until used; a negative number takes granted credits back."
    )
    reason = forms.CharField(max_length=200)

    def apply(self, user: User, *, actor: User) -> None:
        ledger.grant(user, self.cleaned_data["amount"], reason=self.cleaned_data["reason"], actor=actor)


class ChangePlanForm(forms.Form):
    plan = forms.ModelChoiceField(
        Plan.objects.exclude(code=GUEST), help_text="This month's credits change by the difference of the allowances."
    )
    reason = forms.CharField(max_length=200)

    def apply(self, user: User, *, actor: User) -> None:
        ledger.change_plan(user, self.cleaned_data["plan"], reason=self.cleaned_data["reason"], actor=actor)
