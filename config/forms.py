"""How forms are rendered, on pages and in the admin: after an error, the first field that is wrong has the focus."""

from __future__ import annotations

from typing import Any

from django.forms import BoundField
from django.forms.renderers import DjangoTemplates
from django.forms.widgets import Widget


class Focused(BoundField):
    """A field that has the focus if it is the first wrong one, and not otherwise while another is wrong."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Widget | None = None) -> dict[str, Any]:
        made = super().build_widget_attrs(attrs, widget)
        wrong = [each.name for each in self.form.visible_fields() if each.name in self.form.errors]
        # False leaves out what the widget itself declares.
        return {**made, "autofocus": self.name == wrong[0]} if wrong else made


class Renderer(DjangoTemplates):
    bound_field_class = Focused
