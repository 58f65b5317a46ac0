"""Log lines as JSON, each with the id of the request it belongs to."""

from __future__ import annotations

import contextvars
import logging

from pythonjsonlogger.json import JsonFormatter

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


class Formatter(JsonFormatter):
    """One JSON object a line: time, level, logger, message, requestId and the record's extra fields."""

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
        for name in ("request", "taskName", "color_message"):
            log_data.pop(name, None)
