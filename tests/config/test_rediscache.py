"""The Redis cache: counters that are exact, keep their expiry and never begin by themselves."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.core.cache import cache

pytestmark = pytest.mark.skipif(not settings.REDIS_URL, reason="needs Redis (REDIS_URL)")


def test_a_counter_that_is_not_there_can_not_be_raised() -> None:
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


def test_values_come_back_as_they_went_in() -> None:
    cache.set("values", {"a": [1, None, "ü"]}, timeout=100)
    assert cache.get("values") == {"a": [1, None, "ü"]}
    assert cache.get_many(["values", "missing"]) == {"values": {"a": [1, None, "ü"]}}
    assert cache.delete("values")
    assert cache.get("values") is None
