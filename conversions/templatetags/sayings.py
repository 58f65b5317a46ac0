"""What converters declare and say, in the language of the page."""

from __future__ import annotations

from django import template

from conversions.sayings import telling

register = template.Library()
# Neither is marked as safe: a message may quote a file.
register.filter("spoken", telling.spoken)
register.filter("told", telling.told)
register.filter("summary", telling.summary)
