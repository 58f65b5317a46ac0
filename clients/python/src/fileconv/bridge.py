"""The Model Context Protocol on standard input and output, for agents that start programs: each line is sent to
/mcp."""

from __future__ import annotations

import json
import sys
from typing import Any

from fileconv.client import Client
from fileconv.errors import FileconvError

_INTERNAL_ERROR = -32603


def run(client: Client) -> int:
    """Forward messages until standard input ends; returns the command's exit code."""
    for line in sys.stdin:
        if line.strip():
            answer = _answer(client, line)
            if answer:
                print(answer, flush=True)
    return 0


def _answer(client: Client, line: str) -> str:
    try:
        return client.message(line)
    except FileconvError as error:
        failure = {"code": _INTERNAL_ERROR, "message": f"{error.code}: {error}"}
        return json.dumps({"jsonrpc": "2.0", "id": _id_of(line), "error": failure})


def _id_of(line: str) -> Any:
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message.get("id") if isinstance(message, dict) else None
