"""Peers: which process is at the other end of a Unix socket, and whether it belongs to this process's user."""

from __future__ import annotations

import os
import socket
import struct

_CREDENTIALS = struct.Struct("3i")


class Stranger(OSError):
    """The process at the other end is another user's."""


def own(connection: socket.socket) -> int:
    """The process id of the peer (unix(7), SO_PEERCRED), which is of this process's user; raises Stranger.

    That of a listener is the process that called listen(2).
    """
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(data)
    if uid != os.geteuid():
        raise Stranger(f"the peer is user {uid}")
    return int(pid)
