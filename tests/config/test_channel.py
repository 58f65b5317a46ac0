"""What a client's socket gets to see of an answer, and when."""

import socket
import threading

import pytest

from config.channel import Channel

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(0.2)
        yield Channel(ours, threading.Semaphore(1)), theirs


def test_a_head_and_its_body_leave_together(ends):
    channel, client = ends
    channel.sendall(HEAD)
    with pytest.raises(TimeoutError):
        client.recv(1024)
    channel.sendall(b"hello")
    assert client.recv(1024) == HEAD + b"hello"
    assert not channel.has_output


def test_an_answer_without_a_body_leaves_when_its_thread_is_done(ends):
    channel, client = ends
    channel.sendall(HEAD)
    assert channel.flush()
    assert client.recv(1024) == HEAD


def test_only_one_head_is_held_back(ends):
    channel, client = ends
    channel.sendall(HEAD)
    channel.sendall(HEAD)
    assert client.recv(1024) == HEAD + HEAD


def test_nothing_to_send_is_no_piece(ends):
    channel, client = ends
    channel.sendall(b"")
    assert not channel.has_output
    channel.sendall(b"hello")
    assert client.recv(1024) == b"hello"


def test_a_client_that_takes_little_gets_every_byte_once(ends):
    channel, client = ends
    pieces = [bytes([number]) * 7_000 for number in range(30)]
    for each in pieces:
        channel.sendall(each)
    received = b""
    while len(received) < 210_000:
        received += client.recv(1_000)
        channel.flush()
    assert received == b"".join(pieces)
    assert not channel.has_output
