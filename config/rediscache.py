"""Django's Redis cache with one persistent connection per thread, and counters in one round trip."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from django.core.cache.backends.redis import RedisCacheClient
from redis import Redis
from redis.exceptions import ConnectionError, RedisError, TimeoutError

UNREACHABLE = (RedisError, OSError)
"""Raised while Redis is unreachable."""
SILENT = 1.0
"""Seconds before an unresponsive server is tried again: one request needs it several times."""
_RAISE = "if redis.call('EXISTS', KEYS[1]) == 0 then return false end return redis.call('INCRBY', KEYS[1], ARGV[1])"
_COUNT = (
    "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2]) then return false end"
    " return redis.call('INCRBY', KEYS[1], ARGV[1])"
)


class _Kept(Redis):
    """Sends all commands on one connection; used by one thread.

    The library would take a connection from its pool for each command, which takes several times as long as the
    command.
    """

    _own: Any = None
    _process = 0
    _silent_until: ClassVar[float] = float("-inf")

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Raises TimeoutError, immediately if another command of this process has just timed out."""
        if time.monotonic() < self._silent_until:
            raise TimeoutError("Redis did not answer a moment ago")
        try:
            connection = self._connection()
            connection.send_packed_command(connection.pack_command(*args))
            return self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call]
        except TimeoutError:
            _Kept._silent_until = time.monotonic() + SILENT
            raise

    def _connection(self) -> Any:
        """This process's connection, reopened if it was closed: data to read before a command means the end."""
        if self._own is None or self._process != os.getpid():
            self._own, self._process = self.connection_pool.get_connection(), os.getpid()
        try:
            ready = self._own.is_connected and not self._own.can_read()
        except ConnectionError:
            ready = False
        if not ready:
            self._own.disconnect()
            self._own.connect()
        return self._own


class _Client(RedisCacheClient):
    """Keeps one client: Django would create one for each command, which takes longer than most commands."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **options)
        self._client: Any = _Kept
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    def incr(self, key: Any, delta: int) -> int:
        """Add to an existing counter, else ValueError: a recreated one would have no expiry."""
        found: int | None = self.get_client(key, write=True).execute_command("EVAL", _RAISE, 1, key, delta)
        if found is None:
            raise ValueError(f"Key {key!r} not found.")
        return found

    def count(self, key: Any, amount: int, seconds: int) -> int | None:
        """Create a counter with this expiry and return None, or add to the existing one and return its sum."""
        found: int | None = self.get_client(key, write=True).execute_command("EVAL", _COUNT, 1, key, amount, seconds)
        return found


class RedisCache(DjangoRedisCache):
    _counted: dict[str, int] | None = None

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class: Any = _Client

    def validate_key(self, key: str) -> None:
        """No validation: memcached's restrictions don't apply, and checking them takes time."""

    @contextmanager
    def counting(self) -> Iterator[None]:
        """In the block, `add` to an existing counter already adds the number, and the following `incr` returns the
        sum: one round trip for django-ratelimit's two.
        """
        self._counted = {}
        try:
            yield
        finally:
            self._counted = None

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        seconds = self.get_backend_timeout(timeout)
        if self._counted is None or type(value) is not int or value < 1 or not seconds:
            return super().add(key, value, timeout, version)
        client: Any = self._cache
        name = self.make_and_validate_key(key, version=version)
        found: int | None = client.count(name, value, seconds)
        if found is not None:
            self._counted[name] = found
        return found is None

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        if self._counted:
            counted = self._counted.pop(self.make_and_validate_key(key, version=version), None)
            if counted is not None:
                return counted
        return super().incr(key, delta, version)
