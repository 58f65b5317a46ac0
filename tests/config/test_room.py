"""Limits on the disk space of uploads in progress."""

import os

import pytest

from config.server.room import CROWDED, FULL, MARGIN, Room

MB = 1_000_000


@pytest.fixture
def room_of(tmp_path, monkeypatch):
    """A room on a disk with so many bytes free, as it says again whenever it is asked."""

    def make(free: int) -> Room:
        class Found:
            f_bavail, f_frsize = free, 1

        monkeypatch.setattr(os, "statvfs", lambda folder: Found)
        return Room(tmp_path)

    return make


def fill(room: Room, client: str, size: int, *, block: str = ""):
    """What the first refused piece of an upload is refused with, None where all of it has come in."""
    for _ in range(0, size, MB):
        if refused := room.take(client, block or client, MB):
            return refused
    return None


def test_an_upload_alone_gets_through_where_it_fits(room_of):
    assert fill(room_of(48 * MB), "one", 4 * MB) is None
    assert fill(room_of(320 * MB), "one", 250 * MB) is None


def test_a_margin_stays_free(room_of):
    room = room_of(48 * MB)
    assert fill(room, "one", 20 * MB) is None
    assert fill(room, "other", 12 * MB) is None
    assert room.take("other", "other", 1) == FULL
    assert 48 * MB - 20 * MB - 12 * MB == MARGIN


def test_released_space_is_available_to_others(room_of):
    room = room_of(MARGIN + 16 * MB)
    assert fill(room, "one", 14 * MB) is None
    room.give_back("one", "one", 14 * MB)
    assert fill(room, "other", 14 * MB) is None


def test_a_newcomer_finds_space_beside_a_greedy_client(room_of):
    room = room_of(MARGIN + 80 * MB)
    assert fill(room, "greedy", 80 * MB) == CROWDED
    room.give_back("greedy", "greedy", 1 * MB)  # the piece that was refused
    assert fill(room, "modest", 5 * MB) is None
    assert room.take("greedy", "greedy", 1) == CROWDED


def test_many_clients_of_one_block_leave_the_others_as_much_as_one_would(room_of):
    room = room_of(MARGIN + 80 * MB)
    for number in range(70):
        assert fill(room, f"one of {number}", 1 * MB, block="many") is None
    assert fill(room, "one of 0", 9 * MB, block="many") == CROWDED
    assert fill(room, "other", 8 * MB) is None


def test_a_newcomer_finds_space_beside_a_greedy_client_of_its_own_block(room_of):
    room = room_of(MARGIN + 80 * MB)
    assert fill(room, "greedy", 80 * MB, block="one") == CROWDED
    room.give_back("greedy", "one", 1 * MB)
    assert fill(room, "modest", 5 * MB, block="one") is None


def test_a_client_over_its_share_is_tolerated_while_there_is_space(room_of):
    room = room_of(MARGIN + 800 * MB)
    assert fill(room, "modest", 1 * MB) is None
    assert fill(room, "large", 600 * MB) is None
    assert fill(room, "large", 200 * MB) == CROWDED


def test_space_used_by_others_is_taken_into_account(room_of):
    room = room_of(MARGIN + 80 * MB)
    assert fill(room, "one", 8 * MB) is None
    other = room_of(MARGIN)
    room.refresh()
    assert room.take("one", "one", MB) == FULL
    assert other.take("two", "two", MB) == FULL


def test_clients_without_an_address_have_no_shares(room_of):
    room = room_of(MARGIN + 80 * MB)
    assert fill(room, "", 80 * MB) is None
    assert room.take("", "", 1) == FULL
