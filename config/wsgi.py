"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import get_resolver

from config.channel import Channel
from config.chunked import ChunkedBodies
from config.contenttype import ReadableContentType


def give_back_connections() -> None:
    """Return this thread's pooled database connections, so that requests that wait for their client hold none."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["CONN_MAX_AGE"] == 0 and not connection.in_atomic_block:
            connection.close()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
Channel.before_waiting = give_back_connections
application = ReadableContentType(ChunkedBodies(get_wsgi_application(), limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE))
# All views are imported now, or the first request would wait for them.
_ = get_resolver().url_patterns
