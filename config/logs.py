"""JSON log lines with request ids."""

from __future__ import annotations

import contextvars
import json
import logging
import time
from typing import Any

from pythonjsonlogger.json import JsonFormatter

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


_DROPPED = ("request", "taskName", "color_message")
_NO_EXTRA = frozenset({*vars(logging.makeLogRecord({})), "message", "asctime", *_DROPPED})
_encode = json.JSONEncoder().encode


def route_of(request: Any) -> str:
    """The name of a request in logs: its route, as a path may contain a file key or a mailed code."""
    match = getattr(request, "resolver_match", None)
    return str(match.route) if match else "none"


class ByRoute(logging.Filter):
    """Replaces the path in Django's log records with the route."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        path = getattr(request, "path", None)
        if path and isinstance(record.args, tuple):
            record.args = tuple(route_of(request) if each == path else each for each in record.args)
        return True


class Formatter(JsonFormatter):
    """One JSON object a line: time, level, logger, message, requestId and extra fields."""

    _second: tuple[int, str] = (-1, "")

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s %(levelname)s %(name)s %(message)s",
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
        )

    def add_fields(
        self, log_data: dict[str, object], record: logging.LogRecord, message_dict: dict[str, object]
    ) -> None:
        super().add_fields(log_data, record, message_dict)
        if request_id.get():
            log_data["requestId"] = request_id.get()
        for name in _DROPPED:
            log_data.pop(name, None)

    def format(self, record: logging.LogRecord) -> str:
        # A fixed format, faster than the library's general one: each request writes two lines.
        if record.exc_info or record.exc_text or record.stack_info or not isinstance(record.msg, str):
            return super().format(record)
        line = {
            "time": f"{self._timestamp(record.created)},{int(record.msecs):03}",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in vars(record).items():
            if name not in _NO_EXTRA:
                if type(value) not in (str, int, float, bool):
                    return super().format(record)
                line[name] = value
        if known := request_id.get():
            line["requestId"] = known
        return _encode(line)

    def _timestamp(self, moment: float) -> str:
        second, text = self._second
        if second != int(moment):
            second, text = int(moment), time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
            self._second = second, text
        return text
