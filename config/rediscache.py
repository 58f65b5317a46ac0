"""Django's Redis cache with one client a thread, on a connection that is kept, and a counter in one round trip."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from django.core.cache.backends.redis import RedisCacheClient
from redis import Redis
from redis.exceptions import ConnectionError, RedisError

UNREACHABLE = (RedisError, OSError)
"""What it raises while Redis can't be reached."""
_RAISE = "if redis.call('EXISTS', KEYS[1]) == 0 then return false end return redis.call('INCRBY', KEYS[1], ARGV[1])"
_COUNT = (
    "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2]) then return false end"
    " return redis.call('INCRBY', KEYS[1], ARGV[1])"
)


class _Kept(Redis):
    """Sends each command on one connection, not for more than one thread.

    The library would take one out of its pool for every command, lock, count and time, which takes several times as
    long as the command.
    """

    _own: Any = None
    _process = 0

    def execute_command(self, *args: Any, **options: Any) -> Any:
        connection = self._connection()
        connection.send_packed_command(connection.pack_command(*args))
        return self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call]

    def _connection(self) -> Any:
        """This process's connection, made anew where it has ended: what can be read before a command is no answer."""
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
    """Django would make a client for every command, which takes longer than most commands."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **options)
        self._client: Any = _Kept
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    def incr(self, key: Any, delta: int) -> int:
        """Add to a counter that is there, else ValueError; a missing one must not begin anew without its expiry."""
        found: int | None = self.get_client(key, write=True).execute_command("EVAL", _RAISE, 1, key, delta)
        if found is None:
            raise ValueError(f"Key {key!r} not found.")
        return found

    def count(self, key: Any, amount: int, seconds: int) -> int | None:
        """Begin a counter that lasts so long, and return None; or add to the one that is there, and return its sum."""
        found: int | None = self.get_client(key, write=True).execute_command("EVAL", _COUNT, 1, key, amount, seconds)
        return found


class RedisCache(DjangoRedisCache):
    _counted: dict[str, int] | None = None

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class: Any = _Client

    def validate_key(self, key: str) -> None:
        """Nothing: what memcached can't take, which each character of a key would be looked at for, is no problem."""

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Inside it an `add` of a number to a counter that is there counts at once, and the `incr` that follows tells
        the sum: django-ratelimit's two commands in one round trip."""
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
