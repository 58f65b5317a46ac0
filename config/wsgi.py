"""The WSGI application that gunicorn serves."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import get_resolver

from config.server.channel import BodyAwaited
from config.server.chunked import ChunkedBodies
from config.server.contenttype import ReadableContentType


def give_back_connections() -> None:
    """Return this thread's pooled database connections, so that requests that wait for their client hold none."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["CONN_MAX_AGE"] == 0 and not connection.in_atomic_block:
            connection.close()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_wsgi_application()


def holding_nothing(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Call Django; a request that is left until its body is here keeps no connection from others."""
    try:
        return _django(environ, start_response)
    except BodyAwaited:
        give_back_connections()
        raise


application = ReadableContentType(
    ChunkedBodies(holding_nothing, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, uploads="/api/v1/converter/")
)
# All views are imported now, and the names of all pages are known, once and not by the first request in each worker.
_ = get_resolver().reverse_dict
