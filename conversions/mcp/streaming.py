"""Streaming: a call that says how far it is while it is answered, as server-sent events."""

from __future__ import annotations

import contextvars
import json
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from conversions.mcp import messages
from conversions.mcp.messages import INTERNAL_ERROR, Call, ProtocolError
from conversions.toolkit.progress import Progress, Tell

log = logging.getLogger("service.mcp")

Token = str | int
TYPE = "text/event-stream"


def token_of(request: HttpRequest, call: Call) -> Token | None:
    """The client's token for the progress of this call, None where it asked for none or can't read a stream."""
    meta = call.parameters.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    known = isinstance(token, str | int) and not isinstance(token, bool)
    return token if known and TYPE in request.headers.get("Accept", "") else None


def answered(call: Call, token: Token, work: Callable[[Tell], dict[str, Any]]) -> HttpResponseBase:
    """Answer with what `work` gives: as one message where it is soon over, as a stream once it tells progress.

    What it raises before that is raised here.
    """
    beside = _Beside(work)
    first = beside.events.get()
    if isinstance(first, _End):
        beside.join()
        return JsonResponse(messages.answer(call.id, first.result()))
    response = StreamingHttpResponse(_stream(call, token, first, beside), content_type=TYPE)
    response["Cache-Control"] = "private, no-store"
    response["X-Accel-Buffering"] = "no"  # nginx would keep all of it until the end
    return response


@dataclass(frozen=True)
class _End:
    found: dict[str, Any] | None
    error: BaseException | None = None

    def result(self) -> dict[str, Any]:
        if self.error is not None:
            raise self.error
        assert self.found is not None
        return self.found


class _Beside:
    """Work in a thread of its own, which has the connections to the database of the one that waits for it."""

    def __init__(self, work: Callable[[Tell], dict[str, Any]]) -> None:
        self.events: queue.SimpleQueue[Progress | _End] = queue.SimpleQueue()
        self._work = work
        self._shared = {alias: connections[alias] for alias in connections}
        for each in self._shared.values():
            each.inc_thread_sharing()
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=lambda: context.run(self._run), daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for alias, each in self._shared.items():
            connections[alias] = each
        try:
            self.events.put(_End(self._work(self.events.put)))
        except BaseException as error:
            self.events.put(_End(None, error))

    def join(self) -> None:
        self._thread.join()
        for each in self._shared.values():
            each.dec_thread_sharing()


def _stream(call: Call, token: Token, first: Progress, beside: _Beside) -> Iterator[bytes]:
    """The events: progress that only grows, and the answer."""
    try:
        reached = -1
        event: Progress | _End = first
        while isinstance(event, Progress):
            if event.done > reached:
                reached = event.done
                yield _event(messages.progress(token, event))
            event = beside.events.get()
        yield _event(_last(call, event))
    finally:
        beside.join()


def _last(call: Call, end: _End) -> dict[str, Any]:
    try:
        return messages.answer(call.id, end.result())
    except ProtocolError as error:
        return messages.refusal(call.id, error)
    except Exception:
        log.exception("a call failed after its answer had begun")
        return messages.refusal(call.id, ProtocolError(INTERNAL_ERROR, "The service failed. Try again."))


def _event(message: dict[str, Any]) -> bytes:
    return b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n"
