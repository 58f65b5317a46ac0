"""Model fields for untrusted text, which store the same on every database.

PostgreSQL refuses U+0000 in text and JSON, and lone surrogates in JSON; SQLite refuses lone surrogates in text. Each is
replaced by U+FFFD, on both.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import models

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
_PLAIN = frozenset({int, float, bool, type(None)})


def storable(value: Any) -> Any:
    """Replace characters that a database refuses, in a text or JSON data; other values are returned unchanged."""
    if isinstance(value, str):
        return _UNSTORABLE.sub(_REPLACEMENT, value) if not value.isascii() or "\x00" in value else value
    if isinstance(value, dict):
        # Called twice for every conversion's options, so the common types take a shortcut.
        return {storable(name): each if type(each) in _PLAIN else storable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [storable(each) for each in value]
    return value


class _Storable(models.Field):
    """Cleans values on assignment, saving and lookup, so that all agree."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if not hasattr(value, "resolve_expression"):
            value = storable(value)
            setattr(model_instance, self.attname, value)
        return value

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(value if hasattr(value, "resolve_expression") else storable(value))

    def deconstruct(self) -> Any:
        # To migrations it is the plain field.
        name, _, args, kwargs = super().deconstruct()
        plain = type(self).__mro__[2]
        return name, f"django.db.models.{plain.__name__}", args, kwargs


class StorableCharField(_Storable, models.CharField):
    pass


class StorableTextField(_Storable, models.TextField):
    pass


class StorableJSONField(_Storable, models.JSONField):
    pass
