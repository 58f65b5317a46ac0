"""Forms that create and manage organisations."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.mailboxes import normal_email
from accounts.models import Role


class NameForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=100)


class InviteForm(forms.Form):
    email = forms.EmailField(label=_("Email"), max_length=254)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.MEMBER)

    def clean_email(self) -> str:
        return normal_email(self.cleaned_data["email"])


class MemberForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    monthly_credits = forms.IntegerField(
        label=_("Credits per month (optional)"),
        min_value=0,
        max_value=10**9,
        required=False,
        help_text=_("Organisation credits that the member can use per month. Leave empty for no limit."),
    )


class RemovalForm(forms.Form):
    keys = forms.ChoiceField(
        label=_("Keys they have created"),
        choices=[
            ("revoke", _("Revoke them now")),
            ("keep", _("Keep them, so that programs that use them continue to work")),
        ],
        widget=forms.RadioSelect,
        initial="revoke",
    )
