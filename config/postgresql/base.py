"""The backend, under the name that Django expects: Django's own, with connections that time out."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base

from config.postgresql.connection import WebConnection


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: Any) -> Any:
        """Get a working connection from the pool; raises OperationalError at once if the server is known to be silent.

        The pool's own check would pause for a second after each idle connection lost in a server restart.
        """
        while True:
            WebConnection.refuse_while_silent()
            connection = super().get_new_connection(conn_params)
            if self.pool is None or connection.works():
                return connection
            self.pool.putconn(connection)
