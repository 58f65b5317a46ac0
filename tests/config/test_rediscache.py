"""The Redis cache: counters that are exact, keep their expiry and never begin by themselves."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.cache import cache

pytestmark = pytest.mark.skipif(not settings.REDIS_URL, reason="needs Redis (REDIS_URL)")


def test_a_missing_counter_cannot_be_incremented() -> None:
    with pytest.raises(ValueError, match="not found"):
        cache.incr("counter")
    assert cache.get("counter") is None


def test_a_counter_counts_by_any_step_and_keeps_its_expiry() -> None:
    assert cache.add("counter", 1, timeout=100)
    assert [cache.incr("counter"), cache.incr("counter", 5), cache.decr("counter", 2)] == [2, 7, 5]
    key = cache.make_key("counter")
    assert 90 < cache._cache.get_client().ttl(key) <= 100  # type: ignore[attr-defined]


def test_threads_lose_no_count() -> None:
    cache.set("counter", 0, timeout=100)
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: cache.incr("counter"), range(400)))
    assert sorted(seen) == list(range(1, 401))


def test_values_round_trip() -> None:
    cache.set("values", {"a": [1, None, "ü"]}, timeout=100)
    assert cache.get("values") == {"a": [1, None, "ü"]}
    assert cache.get_many(["values", "missing"]) == {"values": {"a": [1, None, "ü"]}}
    assert cache.delete("values")
    assert cache.get("values") is None


def test_counting_takes_one_command_with_the_same_result() -> None:
    counters: Any = cache
    for expected in (1, 2, 3):
        with counters.counting():
            added = cache.add("counter", 1, timeout=100)
            assert (1 if added else cache.incr("counter")) == expected
        assert added == (expected == 1)
    assert cache.get("counter") == 3
    assert not cache.add("counter", 1, timeout=100)
    assert cache.incr("counter") == 4
    assert 90 < cache._cache.get_client().ttl(cache.make_key("counter")) <= 100  # type: ignore[attr-defined]
    with counters.counting():
        assert cache.add("looked-at", 0, timeout=100)
        assert not cache.add("looked-at", 1, timeout=100)
        assert cache.incr("looked-at") == 1


def test_a_closed_connection_is_reopened() -> None:
    cache.set("value", 1, timeout=100)
    client = cache._cache.get_client(write=True)  # type: ignore[attr-defined]
    own = client._connection()
    other = redis.Redis.from_url(settings.CACHES["default"]["LOCATION"])
    other.execute_command("CLIENT", "KILL", "ID", client.execute_command("CLIENT", "ID"))
    assert cache.get("value") == 1
    own.disconnect()
    assert cache.incr("value") == 2


def test_an_error_of_a_command_leaves_the_connection_as_it_was() -> None:
    cache.set("text", "x", timeout=100)
    with pytest.raises(redis.ResponseError):
        cache.incr("text")
    assert cache.get("text") == "x"


def test_a_forked_process_has_a_connection_of_its_own() -> None:
    cache.set("value", 1, timeout=100)
    if not (child := os.fork()):
        os._exit(0 if [cache.incr("value") for _ in range(200)] else 1)
    mine = [cache.incr("value") for _ in range(200)]
    assert os.waitpid(child, 0)[1] == 0
    assert len(set(mine)) == 200
    assert cache.get("value") == 401
