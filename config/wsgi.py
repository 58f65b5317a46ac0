"""The WSGI application that gunicorn serves."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import get_path_info
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.paths import without_slash
from config.server.chunked import ChunkedBodies
from config.server.lanes import HandedOver, Lane
from config.server.multipart import FormRequest
from config.server.parameters import ReadableParameters
from conversions.work.waiting import waits
from remote_calls import give_back_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_wsgi_application()
_django.request_class = FormRequest
if pool := settings.DATABASES["default"].get("OPTIONS", {}).get("pool"):
    # Set here, for web requests only: a statement of a management command may run for long.
    pool["connection_class"].limited = True


def releasing_connections(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Call Django, and return database connections to the pool whenever the request waits for its client.

    A request waits until its body has arrived, a response until its last byte is taken. Another thread may
    continue it, and the pool has fewer connections than there are threads.
    """
    try:
        response = _django(environ, start_response)
    finally:
        give_back_connections()
    return _Pieces(response) if getattr(response, "streaming", False) else response


class _Pieces:
    """A streamed response, which may query the database for each piece."""

    def __init__(self, response: Iterable[bytes]) -> None:
        self._response: Any = response

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._response:
            give_back_connections()
            yield piece

    def close(self) -> None:
        self._response.close()


_readable = ReadableParameters(
    ChunkedBodies(releasing_connections, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, uploads="/api/v1/converter/")
)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Handle a request; one that waits for a conversion does so outside the pages' threads."""
    here = environ.get("server.lane") is Lane.PAGES
    if here and waits(environ["REQUEST_METHOD"], without_slash(get_path_info(environ))):
        raise HandedOver(Lane.CONVERSIONS)
    return _readable(environ, start_response)


# Imports all views and resolves all URL names once, rather than in each worker's first request.
_ = get_resolver().reverse_dict
