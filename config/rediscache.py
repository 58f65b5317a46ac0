"""Django's Redis cache with one client a thread and a counter in one round trip."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from django.core.cache.backends.redis import RedisCacheClient

_COUNT = "if redis.call('EXISTS', KEYS[1]) == 0 then return false end return redis.call('INCRBY', KEYS[1], ARGV[1])"


class _Client(RedisCacheClient):
    """Django would make a client for every command, which takes longer than most commands."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **options)
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    def incr(self, key: Any, delta: int) -> int:
        """Add to a counter that is there, else ValueError; a missing one must not begin anew without its expiry."""
        found: int | None = self.get_client(key, write=True).eval(_COUNT, 1, key, delta)
        if found is None:
            raise ValueError(f"Key {key!r} not found.")
        return found


class RedisCache(DjangoRedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
