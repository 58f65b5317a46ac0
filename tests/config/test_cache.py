"""The SQLite cache: every promise of Django's cache interface, and counters that are exact across processes."""

import multiprocessing
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.cache import CULL_EVERY, SQLiteCache

PROCESSES = 4
INCREMENTS = 2_000


@pytest.fixture
def location(tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "cache.sqlite3")


@pytest.fixture
def cache(location: str) -> SQLiteCache:
    return SQLiteCache(location, {"TIMEOUT": 300})


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let seconds go by without waiting for them."""
    passed, real = [0.0], time.time

    def wait(seconds: float) -> None:
        passed[0] += seconds

    monkeypatch.setattr(time, "time", lambda: real() + passed[0])
    return wait


def entries(location: str) -> int:
    with sqlite3.connect(location) as database:
        return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])


def count_up(location: str, start) -> None:
    cache = SQLiteCache(location, {})
    start.wait()
    for _ in range(INCREMENTS):
        cache.incr("counter")


def try_to_win(location: str, start, keys: int, won) -> None:
    cache = SQLiteCache(location, {})
    start.wait()
    for number in range(keys):
        if cache.add(f"prize-{number}", os.getpid()):
            with won.get_lock():
                won.value += 1


def run_at_once(target, *arguments) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(PROCESSES)
    processes = [context.Process(target=target, args=(arguments[0], start, *arguments[1:])) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * PROCESSES


@pytest.mark.parametrize(
    "value", [0, -7, 2**62, 2**80, 1.5, True, None, "", "ü\x00\U0001f600", [1, [2]], {"a": {"b": None}}]
)
def test_values_round_trip(cache, value):
    cache.set("key", value)
    assert cache.get("key") == value
    assert type(cache.get("key")) is type(value)


def test_values_json_cannot_represent_are_refused(cache):
    with pytest.raises(TypeError):
        cache.set("key", object())
    assert not cache.has_key("key")


def test_a_missing_key_gives_the_default(cache):
    assert cache.get("nothing") is None
    assert cache.get("nothing", 5) == 5
    assert "nothing" not in cache
    assert cache.delete("nothing") is False
    assert cache.touch("nothing") is False


def test_none_is_a_value(cache):
    cache.set("key", None)
    assert cache.get("key", 5) is None
    assert cache.add("key", 1) is False
    assert cache.get_or_set("key", 9) is None


def test_set_replaces_and_delete_removes(cache):
    cache.set("key", 1)
    cache.set("key", "two")
    assert cache.get("key") == "two"
    assert cache.delete("key") is True
    assert cache.delete("key") is False
    assert cache.get("key") is None


def test_add_stores_only_what_is_not_there(cache):
    assert cache.add("key", 1) is True
    assert cache.add("key", 2) is False
    assert cache.get("key") == 1


def test_add_replaces_what_has_expired(cache, wait):
    cache.set("key", 1, timeout=50)
    wait(51)
    assert cache.get("key") is None
    assert cache.add("key", 2) is True
    assert cache.get("key") == 2


@pytest.mark.parametrize("timeout", [0, -1])
def test_a_timeout_of_zero_or_less_expires_at_once(cache, timeout):
    cache.set("key", 1, timeout=timeout)
    assert cache.get("key") is None
    assert not cache.has_key("key")
    with pytest.raises(ValueError):
        cache.incr("key")
    cache.set("key", 1)
    assert cache.touch("key", timeout) is True
    assert cache.get("key") is None


def test_a_timeout_of_none_never_expires(location):
    cache = SQLiteCache(location, {"TIMEOUT": 0})
    cache.set("default", 1)
    cache.set("forever", 1, timeout=None)
    assert cache.get("default") is None
    assert cache.get("forever") == 1


def test_touch_moves_the_expiry(cache, wait):
    cache.set("key", 1, timeout=50)
    assert cache.touch("key", 300) is True
    wait(51)
    assert cache.get("key") == 1


def test_incr_keeps_the_expiry(cache, wait):
    cache.set("key", 1, timeout=50)
    assert cache.incr("key") == 2
    assert cache.decr("key", 5) == -3
    wait(51)
    with pytest.raises(ValueError):
        cache.incr("key")


def test_counting_takes_one_statement_with_the_same_result(cache, wait):
    for expected in (1, 2, 3):
        with cache.counting():
            added = cache.add("counter", 1, timeout=5)
            assert (1 if added else cache.incr("counter")) == expected
        assert added == (expected == 1)
    assert cache.get("counter") == 3
    assert not cache.add("counter", 1)
    assert cache.incr("counter") == 4
    wait(6)
    with cache.counting():
        assert cache.add("counter", 1, timeout=5)
    assert cache.get("counter") == 1


def test_counting_goes_on_from_a_counter_that_was_looked_at(cache):
    assert cache.add("counter", 0, timeout=5)
    with cache.counting():
        assert cache.add("counter", 1, timeout=5)
    assert cache.get("counter") == 1
    with cache.counting():
        assert not cache.add("counter", 0, timeout=5)
        assert not cache.add("text", 1) or cache.get("text") == 1
    assert cache.get("counter") == 1


def test_incr_refuses_values_that_are_not_integers(cache):
    with pytest.raises(ValueError):
        cache.incr("nothing")
    cache.set("text", "1")
    with pytest.raises(TypeError):
        cache.incr("text")
    cache.set("large", 2**63 - 1)
    with pytest.raises(OverflowError):
        cache.incr("large")
    assert cache.get("large") == 2**63 - 1


def test_many_at_once(cache):
    data = {f"key-{number}": number for number in range(1_234)}
    assert cache.set_many(data) == []
    cache.set("expired", 1, timeout=0)
    assert cache.get_many([*data, "nothing", "expired"]) == data
    cache.delete_many(["key-0", "key-1", "nothing"])
    assert cache.get_many(["key-0", "key-1", "key-2"]) == {"key-2": 2}


def test_a_batch_is_stored_whole_or_not_at_all(cache):
    with pytest.raises(TypeError):
        cache.set_many({"good": 1, "bad": object()})
    assert cache.get("good") is None


def test_clear_removes_everything(cache):
    cache.set_many({"a": 1, "b": 2})
    cache.clear()
    assert cache.get_many(["a", "b"]) == {}


def test_versions_are_apart(cache):
    cache.set("key", "first")
    cache.set("key", "second", version=2)
    assert (cache.get("key"), cache.get("key", version=2), cache.get("key", version=3)) == ("first", "second", None)
    assert cache.incr_version("key", version=2) == 3
    assert cache.get("key", version=3) == "second"
    assert cache.delete("key", version=3) is True
    assert cache.get("key") == "first"


def test_prefixes_are_apart(location):
    one = SQLiteCache(location, {"KEY_PREFIX": "one"})
    two = SQLiteCache(location, {"KEY_PREFIX": "two"})
    one.set("key", 1)
    assert two.get("key") is None


def test_expired_entries_are_removed_and_live_ones_are_not(cache, location):
    cache.set("live", 1, timeout=None)
    for number in range(CULL_EVERY * 2):
        cache.set(f"short-{number}", 1, timeout=-1)
    assert entries(location) <= CULL_EVERY
    assert cache.get("live") == 1


def test_the_file_is_private_and_in_wal_mode(cache, location):
    cache.set("key", 1)
    assert os.stat(location).st_mode & 0o077 == 0
    with sqlite3.connect(location) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_threads_count_exactly(cache):
    cache.set("counter", 0)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: cache.incr("counter"), range(800)))
    assert cache.get("counter") == 800


def test_processes_count_exactly(cache, location):
    cache.set("counter", 0)
    run_at_once(count_up, location)
    assert cache.get("counter") == PROCESSES * INCREMENTS


def test_add_is_won_exactly_once(location):
    won = multiprocessing.get_context("spawn").Value("i", 0)
    run_at_once(try_to_win, location, 300, won)
    assert won.value == 300


def test_a_forked_child_and_its_parent_both_go_on(cache):
    cache.set("counter", 0)
    stop = threading.Event()

    def keep_counting() -> None:
        while not stop.is_set():
            cache.incr("from-thread")

    cache.set("from-thread", 0)
    thread = threading.Thread(target=keep_counting)
    thread.start()
    children = []
    for _ in range(10):
        child = os.fork()
        if child == 0:
            try:
                for _ in range(20):
                    cache.incr("counter")
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
        cache.incr("counter")
    codes = [os.waitpid(child, 0)[1] for child in children]
    stop.set()
    thread.join()
    assert codes == [0] * 10
    assert cache.get("counter") == 210


def test_the_rate_limiter_takes_it_for_a_shared_atomic_cache(settings, location):
    from django_ratelimit.checks import check_caches

    settings.CACHES = {"default": {"BACKEND": "config.cache.SQLiteCache", "LOCATION": location}}
    assert [message.id for message in check_caches(None)] == ["django_ratelimit.W001"]
