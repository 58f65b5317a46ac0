"""Streamed calls: progress and result as server-sent events."""

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
from engine.toolkit.progress import OnProgress, Progress
from remote_calls import give_back_connections

log = logging.getLogger("service.mcp")

Token = str | int
TYPE = "text/event-stream"


def token_of(request: HttpRequest, call: Call) -> Token | None:
    """The client's progress token; None if it sent none or does not accept a stream."""
    meta = call.parameters.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    known = isinstance(token, str | int) and not isinstance(token, bool)
    return token if known and TYPE in request.headers.get("Accept", "") else None


def answered(call: Call, token: Token, work: Callable[[OnProgress], dict[str, Any]]) -> HttpResponseBase:
    """Respond with the result of `work`: as JSON if it ends soon, as a stream once it reports progress.

    Errors before that are raised here.
    """
    background = _BackgroundWork(work)
    give_back_connections()
    first = background.events.get()
    if isinstance(first, _End):
        return JsonResponse(messages.answer(call.id, first.result()))
    response = StreamingHttpResponse(_stream(call, token, first, background), content_type=TYPE)
    response["Cache-Control"] = "private, no-store"
    response["X-Accel-Buffering"] = "no"  # otherwise nginx would buffer the whole stream
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


class _BackgroundWork:
    """Runs work in a separate thread with its own database connections: the thread that began the response may serve
    other requests before the work ends."""

    def __init__(self, work: Callable[[OnProgress], dict[str, Any]]) -> None:
        self.events: queue.SimpleQueue[Progress | _End] = queue.SimpleQueue()
        self._work = work
        context = contextvars.copy_context()
        threading.Thread(target=lambda: context.run(self._run), daemon=True).start()

    def _run(self) -> None:
        try:
            end = _End(self._work(self.events.put))
        except BaseException as error:
            end = _End(None, error)
        try:
            connections.close_all()
        except Exception:
            log.exception("the connections of a call were not closed")
        finally:
            self.events.put(end)  # the request waits for nothing else


def _stream(call: Call, token: Token, first: Progress, background: _BackgroundWork) -> Iterator[bytes]:
    """The events: increasing progress, then the result.

    If the client is gone, closing this does not wait for the work: the event loop may be what closes it.
    """
    reached: Progress | None = None
    event: Progress | _End = first
    while isinstance(event, Progress):
        # The protocol wants the number itself to rise, whatever it counts.
        if reached is None or (event.done > reached.done and event.goes_on(reached)):
            reached = event
            yield _event(messages.progress(token, event))
        event = background.events.get()
    yield _event(_last(call, event))


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
