"""The web server starts with the version of gunicorn that it was written for, and with no other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from config.server.worker import WRITTEN_FOR
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]


def start(version: str) -> subprocess.CompletedProcess[str]:
    """gunicorn's own command where this version of it is installed."""
    arguments = ["gunicorn", "-c", "config/gunicorn.py", "tests.config.plain_app:application"]
    code = (
        f"import sys, gunicorn; gunicorn.__version__ = {version!r}; sys.argv = {arguments!r}; "
        "from gunicorn.app.wsgiapp import run; run()"
    )
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PORT": str(free_port())},
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_another_version_stops_the_start_and_both_are_named() -> None:
    refused = start("99.1.2")
    assert refused.returncode != 0
    assert "99.1.2" in refused.stderr
    assert WRITTEN_FOR in refused.stderr


def test_the_version_is_the_one_that_is_installed_with_the_service() -> None:
    pinned = re.findall(r"^gunicorn==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert pinned == [WRITTEN_FOR]
