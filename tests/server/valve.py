"""A TCP proxy that can be shut: it goes on accepting connections, and passes nothing on until it is opened again."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress


class Valve:
    """Stands before a server. It shuts itself when a client has sent all of `shut_at`, one after the other.

    What shuts it is passed on, and the answer is not.
    """

    def __init__(self, target: tuple[str, int]) -> None:
        self.target = target
        self.shut_at: tuple[bytes, ...] = ()
        self._is_open = threading.Event()
        self._is_open.set()
        self._connected: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def shut(self) -> None:
        self._is_open.clear()

    def open(self) -> None:
        self.shut_at = ()
        self._is_open.set()

    def cut(self) -> None:
        """End the connections that there are."""
        for each in list(self._connected):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    @property
    def is_shut(self) -> bool:
        return not self._is_open.is_set()

    def close(self) -> None:
        self._listener.close()
        self.open()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._is_open.wait()
        with suppress(OSError), client, socket.create_connection(self.target) as server:
            self._connected |= {client, server}
            answers = threading.Thread(target=self._pass, args=(server, client), daemon=True)
            answers.start()
            self._pass(client, server, asks=True)
            answers.join()
            self._connected -= {client, server}

    def _pass(self, source: socket.socket, target: socket.socket, *, asks: bool = False) -> None:
        sent = b""
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._is_open.wait()
                sent += data if asks else b""
                if self.shut_at and re.search(b".*".join(self.shut_at), sent, re.DOTALL):
                    self.shut()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
