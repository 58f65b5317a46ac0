"""Agents in another language: the protocol's own TypeScript client against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import make_user, with_key

FOLDER = Path(__file__).parent


def test_the_official_typescript_client_finds_converts_and_is_told_what_is_wrong(
    live_server: Any, transactional_db: None
) -> None:
    if not shutil.which("node") or not (FOLDER / "node_modules").is_dir():
        assert not os.environ.get("REQUIRE_NODE"), "npm ci in tests/agents"
        pytest.skip("the protocol's TypeScript client is not installed: npm ci in tests/agents")
    command = ["node", "story.mjs", live_server.url, with_key(make_user("pro")).headers["Authorization"].split()[1]]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        ["convert", "describe", "list_conversions", "to_markdown"],
        "json-to-csv",
        True,
        ["1\r\n", 1],
        ["resource_link", "application/pdf"],
        "# Invoice\n",
        [True, "UNSUPPORTED_FORMAT"],
        [True, 401],
    ]
