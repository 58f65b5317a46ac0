"""The protocol between web process, zygote and child: JSON frames of limited size, with descriptors attached."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Mapping, Sequence
from typing import Any

_LENGTH = struct.Struct("!I")
# json.loads detects the Unicode encoding of bytes first, which doubles the memory a freshly forked child touches.
_read = json.JSONDecoder().raw_decode
MAX_FRAME = 1 << 20
"""Bytes of one frame, five times the size of fifty warnings of maximum length."""
MAX_MESSAGE = 1 << 16
"""Bytes of one message on the control and verdict channels, which preserve message boundaries."""


class Malformed(Exception):
    """The data is not a valid frame."""


def send_frame(channel: socket.socket, body: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
    """Write one frame: a 4-byte length in network order, then JSON; `descriptors` travel with the first byte.

    Uses only sendmsg, the one call a confined child has. Raises ValueError if the frame would exceed MAX_FRAME.
    """
    text = json.dumps(body).encode()
    if len(text) > MAX_FRAME:
        raise ValueError("frame too large")
    view = memoryview(_LENGTH.pack(len(text)) + text)
    view = view[socket.send_fds(channel, [view], list(descriptors)) :]
    while view:
        view = view[channel.sendmsg([view]) :]


class FrameReader:
    """Reassembles frames and the last descriptor from a stream; close it after use.

    `size` is the length of the last frame's JSON in bytes.
    """

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._received = bytearray()
        self._descriptor: int | None = None
        self.size = 0

    def pump(self) -> dict[str, Any] | None:
        """Read available data, or wait if the channel is blocking; returns the first frame's object once complete.

        Raises EOFError if the peer closed before that, and Malformed for anything but a JSON object.
        """
        data, descriptors, _, _ = socket.recv_fds(self._channel, 1 << 16, 1, socket.MSG_CMSG_CLOEXEC)
        for each in descriptors:
            self.close()
            self._descriptor = each
        if not data:
            raise EOFError
        self._received += data
        return self.next()

    def next(self) -> dict[str, Any] | None:
        """The next frame's object if it has already been read completely; raises Malformed."""
        if len(self._received) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._received)
        if length > MAX_FRAME:
            raise Malformed
        if len(self._received) < _LENGTH.size + length:
            return None
        text = bytes(self._received[_LENGTH.size : _LENGTH.size + length])
        del self._received[: _LENGTH.size + length]
        self.size = length
        return parse(text)

    def expect_no_more(self) -> None:
        """Raise Malformed if there is data after the last frame."""
        if self._received:
            raise Malformed

    def take_descriptor(self) -> int | None:
        """The descriptor received with the frame, which the caller must close."""
        descriptor, self._descriptor = self._descriptor, None
        return descriptor

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def parse(data: bytes) -> dict[str, Any]:
    """A JSON object from untrusted bytes; raises Malformed."""
    try:
        text = data.decode()
        body, end = _read(text)
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    if not isinstance(body, dict) or end != len(text):
        raise Malformed
    return body
