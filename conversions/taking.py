"""Refuses one-time files, which a download deletes, to readers who may change nothing."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from apikeys.access import require_change
from storage import onetime


def register() -> None:
    onetime.taking.connect(_refuse_readers)


def _refuse_readers(sender: Any, request: Request, **given: Any) -> None:
    require_change(request)
