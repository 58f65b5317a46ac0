"""Forms that create an API key, and move one to an organisation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Membership
from apikeys.models import ACCESS, Scope


class ApiKeyForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("Where the key is used, for example “Nightly export”.")
    )
    expires_in_days = forms.IntegerField(
        label=_("Expires in days (optional)"),
        min_value=1,
        max_value=365,
        required=False,
        help_text=_("1 to 365. Leave empty for a key that never expires."),
    )
    scope = forms.ChoiceField(
        label=_("Access"),
        choices=list(ACCESS.items()),
        initial=Scope.CONVERT.value,
        required=False,
        help_text=_("Choose whether programs with this key can read conversions: file names, options and warnings."),
    )

    def clean_scope(self) -> list[str]:
        """The scopes; `convert` for a form without the field."""
        return str(self.cleaned_data["scope"] or Scope.CONVERT.value).split()


class MoveForm(forms.Form):
    organisation = forms.ChoiceField(label=_("Organisation"))

    def __init__(self, *args: Any, organisations: QuerySet[Membership], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(str(each.organisation_id), each.organisation.name) for each in organisations]
        self.fields["organisation"].choices = choices  # type: ignore[attr-defined]
