"""The threads that serve requests: who takes the next call, and how they end."""

import threading

import pytest

from config.server.threads import LifoThreadPool


def _ident() -> int:
    return threading.get_ident()


def _alive(name: str) -> int:
    return sum(each.name.startswith(name) for each in threading.enumerate())


def test_sequential_calls_use_one_thread():
    threads = LifoThreadPool(8, name="one")
    assert len({threads.submit(_ident).result(5) for _ in range(50)}) == 1
    assert _alive("one_") == 1


def test_the_most_recently_idle_thread_takes_the_next_call():
    threads = LifoThreadPool(2, name="last")
    release, started = [threading.Event(), threading.Event()], [threading.Event(), threading.Event()]

    def hold(number: int) -> int:
        started[number].set()
        assert release[number].wait(5)
        return _ident()

    held = [threads.submit(hold, number) for number in range(2)]
    assert all(each.wait(5) for each in started)
    release[1].set()
    held[1].result(5)
    release[0].set()
    last = held[0].result(5)
    assert threads.submit(_ident).result(5) == last


def test_calls_beyond_the_maximum_are_queued_and_none_is_lost():
    threads, done, lock = LifoThreadPool(3, name="line"), [], threading.Lock()
    busy, most_busy = 0, 0
    gate = threading.Event()

    def work(number: int) -> None:
        nonlocal busy, most_busy
        with lock:
            busy += 1
            most_busy = max(most_busy, busy)
        gate.wait(5)
        with lock:
            busy -= 1
            done.append(number)

    futures = [threads.submit(work, number) for number in range(200)]
    gate.set()
    for each in futures:
        each.result(5)
    assert sorted(done) == list(range(200))
    assert most_busy == 3
    assert _alive("line_") == 3


def test_an_error_reaches_the_caller_and_the_thread_survives():
    threads = LifoThreadPool(1, name="error")

    def fail() -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError):
        threads.submit(fail).result(5)
    assert threads.submit(_ident).result(5)


def test_a_thread_is_idle_when_its_call_is_reported_done():
    threads, idents = LifoThreadPool(4, name="chain"), []
    ended = threading.Event()

    def again(future: object) -> None:
        idents.append(future.result())  # type: ignore[attr-defined]
        if len(idents) == 20:
            ended.set()
        else:
            threads.submit(_ident).add_done_callback(again)

    threads.submit(_ident).add_done_callback(again)
    assert ended.wait(5)
    assert _alive("chain_") <= 2


def test_after_shutdown_no_call_is_taken_and_all_threads_end_with_their_work_done():
    threads, gate = LifoThreadPool(2, name="end"), threading.Event()
    busy = [threads.submit(gate.wait, 5) for _ in range(3)]
    threads.shutdown()
    with pytest.raises(RuntimeError):
        threads.submit(_ident)
    gate.set()
    assert all(each.result(5) for each in busy)
    for each in threading.enumerate():
        if each.name.startswith("end_"):
            each.join(5)
    assert _alive("end_") == 0


def test_if_no_thread_can_be_started_existing_ones_take_the_call(monkeypatch):
    threads, release, started = LifoThreadPool(2, name="few"), threading.Event(), threading.Event()

    def hold() -> int:
        started.set()
        assert release.wait(5)
        return _ident()

    def no_more(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    held = threads.submit(hold)
    assert started.wait(5)
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", no_more)
        waits = threads.submit(_ident)
        with pytest.raises(RuntimeError):
            LifoThreadPool(2, name="none").submit(_ident)
    release.set()
    assert waits.result(5) == held.result(5)
    together = threading.Barrier(2)
    assert sorted(each.result(5) for each in [threads.submit(together.wait, 5) for _ in range(2)]) == [0, 1]
