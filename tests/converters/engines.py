"""Which engine of several a test runs: whatever the machine has, and whatever is chosen."""

from __future__ import annotations

from engine.families.registry import DECLARED

_INSTALLED = [each for each in DECLARED if each.engine.available]
OWN = {each.slug: each for each in _INSTALLED if each.profile != "libreoffice"}
SUITE = {each.slug: each for each in _INSTALLED if each.profile == "libreoffice"}
"""The converters of LibreOffice by slug, empty where it is missing."""
