"""Admin forms of prices and restrictions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from conversions.models import LEAST_CREDITS, MOST_CREDITS, Price, Restriction, Scope
from engine.families.registry import CONVERTERS, FAMILIES
from engine.toolkit.formats import FORMATS

_KNOWN = {
    Scope.SLUG.value: CONVERTERS,
    Scope.FAMILY.value: FAMILIES,
    Scope.FORMAT.value: FORMATS,
    Scope.OUTPUT.value: FORMATS,
}
_EXAMPLES = {
    Scope.SLUG.value: "json-to-csv",
    Scope.FAMILY.value: "images",
    Scope.FORMAT.value: "pdf",
    Scope.OUTPUT.value: "pdf",
}


class RuleForm(forms.ModelForm):
    """A rule, whose name must exist in its scope."""

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip().lower()
        scope = self.cleaned_data.get("scope") or getattr(self.instance, "scope", "")
        if scope == Scope.ALL:
            if name:
                raise ValidationError(_("Leave this empty. The rule applies to all conversions."))
        elif scope in _KNOWN and name not in _KNOWN[scope]:
            raise ValidationError(_("There is none with this name. Try %(name)r.") % {"name": _EXAMPLES[scope]})
        return name


class PriceForm(RuleForm):
    credits = forms.IntegerField(min_value=LEAST_CREDITS, max_value=MOST_CREDITS)

    class Meta:
        model = Price
        fields = ["scope", "name", "credits", "per_minute"]


class RestrictionForm(RuleForm):
    class Meta:
        model = Restriction
        fields = ["scope", "name", "plan"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["plan"].empty_label = _("Nobody (turned off)")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("plan") is None and "plan" in cleaned:
            same = Restriction.objects.filter(scope=cleaned.get("scope"), name=cleaned.get("name"), plan=None)
            if same.exclude(pk=self.instance.pk).exists():
                raise ValidationError(_("This is already turned off."))
        return cleaned
