"""System checks: that the sandbox works on this machine, and that LibreOffice is complete."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from conversions.work import runner
from engine.families.libreoffice import options as suite


def sandbox_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Let a canary child try forbidden actions: success is an error in production, a warning with DEBUG."""
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


def suite_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Name the missing parts of an installed LibreOffice."""
    if suite.FOLDER is None:
        return []
    missing = [package for library, package in suite.PARTS.items() if not Path(suite.program(library)).is_file()]
    if not missing:
        return []
    return [
        Warning(
            f"Parts of LibreOffice are not installed: {', '.join(missing)}.",
            hint="Without Writer, Calc and Impress their conversions are not listed; without Math formulas vanish.",
            id="conversions.W002",
        )
    ]
