"""Identify the process at the other end of a Unix socket, and check its user."""

from __future__ import annotations

import errno
import os
import signal
import socket
import struct
import sys

_CREDENTIALS = struct.Struct("3i")
_PEER_PIDFD = 77
"""SO_PEERPIDFD of asm-generic/socket.h, which Python does not define."""


class OtherUser(OSError):
    """The peer belongs to another user."""


def own(connection: socket.socket) -> None:
    """Raise OtherUser if the peer is not of this process's user.

    The peer of a connected client is the process that called listen(2).
    """
    _, uid = _credentials(connection)
    if uid != os.geteuid():
        raise OtherUser(f"the peer is user {uid}")


def kill(connection: socket.socket) -> None:
    """Kill exactly the peer, even if its process id has been reused; raises OSError if that is impossible."""
    try:
        size = struct.calcsize("i")
        peer = int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, _PEER_PIDFD, size), sys.byteorder)
    except OSError as error:
        if error.errno != errno.ENOPROTOOPT:
            raise
        peer = os.pidfd_open(_credentials(connection)[0])  # before Linux 6.5; 0 in another PID namespace
    try:
        signal.pidfd_send_signal(peer, signal.SIGKILL)
    finally:
        os.close(peer)


def _credentials(connection: socket.socket) -> tuple[int, int]:
    """The process id and user of the peer (unix(7), SO_PEERCRED)."""
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(data)
    return pid, uid
