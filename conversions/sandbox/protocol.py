"""The protocol between web process, zygote and child: JSON in frames with a cap, and descriptors beside them."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Mapping, Sequence
from typing import Any

_LENGTH = struct.Struct("!I")
# json.loads looks first whether it has one of Unicode's encodings before it, which in a child that was just forked is
# half of the memory that it touches.
_read = json.JSONDecoder().raw_decode
MAX_FRAME = 1 << 20
"""Bytes of one frame; fifty warnings of the longest message are a fifth of it."""
MAX_MESSAGE = 1 << 16
"""Bytes of one message on the control and verdict channels, which keep messages apart by themselves."""


class Malformed(Exception):
    """What came is no frame of this protocol."""


def send_frame(channel: socket.socket, body: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
    """Write one frame: the length as four bytes in network order, then JSON; `descriptors` travel with its first byte.

    Uses sendmsg alone, as a confined child has no other call. Raises ValueError if the frame would be over MAX_FRAME.
    """
    text = json.dumps(body).encode()
    if len(text) > MAX_FRAME:
        raise ValueError("frame too large")
    view = memoryview(_LENGTH.pack(len(text)) + text)
    view = view[socket.send_fds(channel, [view], list(descriptors)) :]
    while view:
        view = view[channel.sendmsg([view]) :]


class FrameReader:
    """Collects frames and the last descriptor from a stream, however it is cut up. Close it when done with.

    `size` is the last frame's in bytes, without its length.
    """

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._received = bytearray()
        self._descriptor: int | None = None
        self.size = 0

    def pump(self) -> dict[str, Any] | None:
        """Read what is there, or wait for it where the channel blocks; the first frame's object once it is complete.

        Raises EOFError if the other side closed before that, and Malformed for anything but a JSON object.
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
        """The object of a further frame, if all of it was read along with the one before; raises Malformed."""
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
        """Raise Malformed where something was read behind the last frame."""
        if self._received:
            raise Malformed

    def take_descriptor(self) -> int | None:
        """The descriptor that came with the frame, now the caller's to close."""
        descriptor, self._descriptor = self._descriptor, None
        return descriptor

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def parse(data: bytes) -> dict[str, Any]:
    """A JSON object from bytes that are not to be trusted; raises Malformed."""
    try:
        text = data.decode()
        body, end = _read(text)
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    if not isinstance(body, dict) or end != len(text):
        raise Malformed
    return body
