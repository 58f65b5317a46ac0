"""System check: does the sandbox hold on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from conversions import runner


def sandbox_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Let a canary child try what it may not do: an error in production, a warning with DEBUG on."""
    report = runner.canary()
    if report.confined:
        return []
    if report.problem is not None:
        return [Error(f"No child process can be started: {report.problem}.", id="conversions.E001")]
    return [
        (Warning if settings.DEBUG else Error)(
            f"A child process that converts a file can still do this: {', '.join(report.possible)}.",
            hint=(
                "It needs a kernel with Landlock (5.13 or newer, switched on) and libseccomp.so.2. Without them "
                "only the conversions of plain data work when DEBUG is off."
            ),
            id="conversions.W001" if settings.DEBUG else "conversions.E002",
        )
    ]
