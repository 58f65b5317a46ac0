"""What a start leaves out, and what it does not leave out for good."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.config.plain_server import ROOT, Server

OPTIONAL = ("requests", "pygments", "jinja2")


def test_libraries_that_only_others_use_are_not_imported_and_can_be_afterwards() -> None:
    code = (
        "import importlib, json, sys; import config.wsgi; "
        f"names = {OPTIONAL!r}; before = [each for each in names if each in sys.modules]; "
        "[importlib.import_module(each) for each in names]; print(json.dumps(before))"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == []


def test_a_worker_looks_for_garbage_although_the_start_does_not(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        assert server.get("/garbage").body == b"looked for"
    finally:
        server.stop()
