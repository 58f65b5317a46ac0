"""How much of uploads that are still coming in may lie on disk."""

import os

import pytest

from config.server.room import CROWDED, FULL, Room


@pytest.fixture
def room(tmp_path, monkeypatch):
    class Found:
        f_bavail, f_frsize = 1_600, 1_000

    monkeypatch.setattr(os, "statvfs", lambda folder: Found)
    return Room(tmp_path, sharers=2, each=4)


def test_a_client_has_a_quarter_of_a_workers_share_and_gets_it_back(room):
    assert room.take("one", 100_000) is None
    assert room.take("one", 1) == CROWDED
    assert room.take("other", 100_000) is None
    room.give_back("one", 100_001)
    assert room.take("one", 100_000) is None


def test_all_clients_together_have_half_of_what_is_free(room):
    for number in range(4):
        assert room.take(str(number), 100_000) is None
    assert room.take("another", 1) == FULL
    room.give_back("another", 1)
    room.give_back("0", 100_000)
    assert room.take("another", 1) is None


def test_clients_behind_a_socket_are_not_told_apart(room):
    assert room.take("", 400_000) is None
    assert room.take("", 1) == FULL
