"""What start-up defers until the worker serves requests."""

from __future__ import annotations

from pathlib import Path

from tests.config.plain_server import Server


def test_garbage_collection_is_enabled_in_workers(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        assert server.get("/garbage").body == b"looked for"
    finally:
        server.stop()
