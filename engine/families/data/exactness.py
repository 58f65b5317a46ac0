"""Why values have to be parsed in another way than by whole columns."""

from __future__ import annotations


class Inexact(Exception):
    """The values have to be parsed one by one."""


class Unlike(Exception):
    """An object has keys, or values of a kind, that were not learned before."""
