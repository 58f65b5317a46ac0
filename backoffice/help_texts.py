"""Help texts of the admin: words in backquotes are shown as code."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from conversions.templatetags.spelled import spelled


class Explained(admin.ModelAdmin):
    """Mixin of every admin, for fields that can be edited and others."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change=change, **{"help_texts": _spelled(self.model), **kwargs})


def _spelled(model: type[Model]) -> dict[str, str]:
    """Help texts with code, by field; others, such as Django's own, may have markup already."""
    return {each.name: spelled(each.help_text) for each in model._meta.fields if "`" in str(each.help_text)}
