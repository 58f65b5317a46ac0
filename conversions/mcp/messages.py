"""The messages of the Model Context Protocol that a server of tools without sessions needs (JSON-RPC 2.0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conversions.toolkit.progress import Progress

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""The versions of the protocol that are spoken, the newest first: those that have streamable HTTP."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class ProtocolError(Exception):
    """A message that is not understood; `code` is one of JSON-RPC 2.0, section 5.1."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Call:
    """A request, or a notification where `id` is None, which nobody waits for an answer to."""

    method: str
    parameters: dict[str, Any]
    id: str | int | None


def read(message: Any) -> Call | None:
    """The call that a message is, or None for an answer to one, of which there are none here.

    Raises ProtocolError.
    """
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
    """The notification of how far a call is that asked for it with this token."""
    of = f" of {reached.total:,}" if reached.total else ""
    said = f"{reached.done:,}{of} {reached.unit}"
    told = {"progressToken": token, "progress": reached.done, "message": said}
    told |= {"total": reached.total} if reached.total else {}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}


def negotiated(parameters: dict[str, Any]) -> str:
    """The version to speak with a client: its own where it is known, else the newest."""
    asked = parameters.get("protocolVersion")
    return asked if asked in VERSIONS else VERSIONS[0]
