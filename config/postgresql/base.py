"""The backend, under the name that Django expects: Django's own, with connections that time out."""

from __future__ import annotations

import time
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from config.postgresql.connection import WebConnection

BUSY = 10.0
"""Seconds to wait for a connection while all are in use.

Of twenty requests at once to a worker that had just started, some waited for over two on a busy machine.
"""


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: Any) -> Any:
        """Get a working connection from the pool; raises OperationalError at once if the server is known to be silent.

        The pool's own check would pause for a second after each idle connection lost in a server restart.
        """
        end = time.monotonic() + BUSY
        while True:
            WebConnection.refuse_while_silent()
            try:
                connection = super().get_new_connection(conn_params)
            except PoolTimeout:
                # The server answers others, so the connections are only busy.
                if time.monotonic() < end and WebConnection.is_answered():
                    continue
                raise
            if self.pool is None or connection.works():
                return connection
            self.pool.putconn(connection)
