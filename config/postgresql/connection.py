"""Connections that time out when the server goes silent, so that no web request waits for long."""

from __future__ import annotations

import socket
import time
from typing import Any, ClassVar, TypeVar

from psycopg import Connection, Error, OperationalError, errors
from psycopg.abc import PQGen

T = TypeVar("T")

ALERT = 1.0
"""Seconds without response before checking that the server is alive. A response usually takes under 0.1."""
PROBE = 0.8
"""Seconds to wait for that check."""
CHECK = 0.7
"""Seconds for an idle connection to prove that it works before it is used again."""
SILENT = 1.0
"""Seconds before a silent server is tried again; requests meanwhile fail at once."""
STATEMENT = 60.0
"""Seconds for the longest statement of a page, such as a large export."""
TRANSACTION_IDLE = 30.0
"""Seconds after which the server ends the transaction of a lost client, to release its locks."""
_BOUNDS = f"-c statement_timeout={STATEMENT:.0f}s -c idle_in_transaction_session_timeout={TRANSACTION_IDLE:.0f}s"
_SSL_REQUEST = bytes.fromhex("0000000804d2162f")
"""The server's possible replies before authentication (PostgreSQL documentation, 54.7, SSLRequest)."""


class WebConnection(Connection[Any]):
    """A connection that is closed when its server goes silent; whether the statement was executed is then unknown.

    Slow is not silent: a statement may take STATEMENT seconds as long as the server answers a separate check.
    Management commands, which leave `limited` unset, have no time limit.
    """

    limited: ClassVar[bool] = False
    _silent_until: ClassVar[float] = float("-inf")
    _answered_at: ClassVar[float] = float("-inf")
    _is_check = False

    @classmethod
    def connect(cls, conninfo: str = "", **parameters: Any) -> Any:
        if not cls.limited:
            return super().connect(conninfo, **parameters)
        # The operator's options come last, so that they take precedence.
        parameters["options"] = f"{_BOUNDS} {parameters.get('options') or ''}".rstrip()
        try:
            return super().connect(conninfo, **parameters)
        except errors.ConnectionTimeout:
            cls._record_silence()
            raise

    @classmethod
    def refuse_while_silent(cls) -> None:
        """Raise OperationalError if the server was silent a moment ago."""
        if cls.limited and time.monotonic() < cls._silent_until:
            raise OperationalError("the database server did not answer a moment ago")

    @classmethod
    def is_answered(cls) -> bool:
        """Whether the server has answered any connection of this process within the last SILENT seconds."""
        return time.monotonic() < cls._answered_at + SILENT

    def works(self) -> bool:
        """Whether an idle connection still works; it is closed if not."""
        self._is_check = True
        try:
            self.execute("")
            # If the connection was returned without autocommit, this check has begun a transaction.
            self.rollback()
        except Error:
            self.close()
            return False
        finally:
            self._is_check = False
        return True

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Exchange messages with the server; raises OperationalError if it goes silent."""
        if timeout is not None or not self.limited:
            return super().wait(gen, interval, timeout)
        pause = CHECK if self._is_check else ALERT
        # The server ends statements by its own timeout: anything longer is a lost response.
        end = time.monotonic() + (CHECK if self._is_check else STATEMENT + 5)
        while True:
            try:
                answer = super().wait(gen, interval, pause)
                WebConnection._answered_at = time.monotonic()
                return answer
            except errors._WaitTimeout:
                answers = self._server_answers()
                if not answers:
                    self._record_silence()
                if not answers or time.monotonic() >= end:
                    self.pgconn.finish()
                    raise OperationalError("the database server does not answer") from None
                pause = max(0.0, min(2 * pause, end - time.monotonic()))

    @classmethod
    def _record_silence(cls) -> None:
        WebConnection._silent_until = time.monotonic() + SILENT

    def _server_answers(self) -> bool:
        """Whether the server responds, without logging in."""
        if time.monotonic() < self._silent_until:
            return False
        end = time.monotonic() + PROBE
        try:
            with _connected(self.info.hostaddr or self.info.host, self.info.port) as probe:
                probe.sendall(_SSL_REQUEST)
                probe.settimeout(max(0.05, end - time.monotonic()))
                return bool(probe.recv(1))
        except OSError:
            return False


def _connected(host: str, port: int) -> socket.socket:
    if not host.startswith("/"):
        return socket.create_connection((host, port), timeout=PROBE)
    probe = socket.socket(socket.AF_UNIX)
    probe.settimeout(PROBE)
    try:
        probe.connect(f"{host}/.s.PGSQL.{port}")
    except OSError:
        probe.close()
        raise
    return probe
