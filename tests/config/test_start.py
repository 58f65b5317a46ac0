"""What a start leaves out until the worker serves."""

from __future__ import annotations

from pathlib import Path

from tests.config.plain_server import Server


def test_a_worker_looks_for_garbage_although_the_start_does_not(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        assert server.get("/garbage").body == b"looked for"
    finally:
        server.stop()
