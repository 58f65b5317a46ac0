"""Messages of the Model Context Protocol for a stateless server of tools (JSON-RPC 2.0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.toolkit.progress import Progress

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Supported protocol versions, newest first: those with streamable HTTP."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class ProtocolError(Exception):
    """An invalid message; `code` is from JSON-RPC 2.0, section 5.1."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Call:
    """A request, or a notification if `id` is None, which gets no response."""

    method: str
    parameters: dict[str, Any]
    id: str | int | None


def read(message: Any) -> Call | None:
    """Parse a message; None for a response, which this server never expects. Raises ProtocolError."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "Send one JSON-RPC 2.0 message.")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, parameters, id = message.get("method"), message.get("params", {}), message.get("id")
    known_id = id is None or (isinstance(id, str | int) and not isinstance(id, bool))
    if not isinstance(method, str) or not isinstance(parameters, dict) or not known_id:
        raise ProtocolError(INVALID_REQUEST, "A request has a method, params that are an object, and an id.")
    return Call(method, parameters, id)


def answer(id: str | int | None, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def refusal(id: str | int | None, error: ProtocolError) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": error.code, "message": str(error)}}


def progress(token: str | int, reached: Progress) -> dict[str, Any]:
    """A progress notification for the call with this token."""
    total = f" of {reached.total:,}" if reached.total else ""
    message = f"{reached.done:,}{total} {reached.unit}"
    params = {"progressToken": token, "progress": reached.done, "message": message}
    params |= {"total": reached.total} if reached.total else {}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def negotiated(parameters: dict[str, Any]) -> str:
    """The protocol version to use: the client's if supported, else the newest."""
    asked = parameters.get("protocolVersion")
    return asked if asked in VERSIONS else VERSIONS[0]
