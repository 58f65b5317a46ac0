"""The form that asks for a new API key."""

from __future__ import annotations

from django import forms


class ApiKeyForm(forms.Form):
    name = forms.CharField(max_length=100, help_text="Where the key is used, for example “Nightly export”.")
    expires_in_days = forms.IntegerField(
        label="Expires in days (optional)",
        min_value=1,
        max_value=365,
        required=False,
        help_text="1 to 365. Leave empty for a key that never expires.",
    )
