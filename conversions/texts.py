"""Text that every database keeps: the model fields for whatever a file, a name or a request may have put into it.

PostgreSQL refuses U+0000 in text and in JSON, and lone surrogates in JSON; SQLite refuses lone surrogates in text. Each
becomes U+FFFD, the replacement character, on both.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import models

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
_PLAIN = frozenset({int, float, bool, type(None)})


def storable(value: Any) -> Any:
    """A text, or what JSON is made of, without characters that some database refuses; anything else as it is."""
    if isinstance(value, str):
        return _UNSTORABLE.sub(_REPLACEMENT, value) if not value.isascii() or "\x00" in value else value
    if isinstance(value, dict):
        # Every conversion's options come through here, twice: what they mostly are is passed over without a call.
        return {storable(name): each if type(each) in _PLAIN else storable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [storable(each) for each in value]
    return value


class _Storable(models.Field):
    """Cleans what is stored, in the instance too, so that it reads the same before and after, and what is sought."""

    @staticmethod
    def is_fit(value: Any) -> bool:
        """Whether this is known to be stored as it is, without looking into anything."""
        return not value or (type(value) is str and value.isascii() and "\x00" not in value)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if not hasattr(value, "resolve_expression"):
            value = storable(value)
            setattr(model_instance, self.attname, value)
        return value

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(value if hasattr(value, "resolve_expression") else storable(value))

    def deconstruct(self) -> Any:
        # To migrations, a column like any other.
        name, _, args, kwargs = super().deconstruct()
        plain = type(self).__mro__[2]
        return name, f"django.db.models.{plain.__name__}", args, kwargs


class StorableCharField(_Storable, models.CharField):
    pass


class StorableTextField(_Storable, models.TextField):
    pass


class StorableJSONField(_Storable, models.JSONField):
    pass
