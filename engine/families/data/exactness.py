"""Why values have to be parsed in another way than by whole columns."""

from __future__ import annotations


class Inexact(Exception):
    """The values have to be parsed one by one."""


class Unlike(Exception):
    """Values, or keys of objects, are not of the kinds that were learned from earlier ones."""
