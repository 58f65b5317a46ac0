"""The supervisor: one process a machine, of which zygotes are forked, and which gives channels to them to clients."""

from __future__ import annotations

import gc
import importlib
import os
import resource
import selectors
import signal
import socket
import sys
import time
from typing import Any

from conversions.sandbox import libc, peers
from conversions.sandbox.address import HELLO, Address
from conversions.sandbox.importing import importing
from conversions.sandbox.offspring import Asked, Zygote, key_of
from conversions.sandbox.protocol import MAX_MESSAGE, Malformed, parse

_MOST_ZYGOTES = 64
_CLIENTS_EACH = 6
"""Clients for which one zygote of a kind is enough, if the machine has the processors for more than one: it takes a
millisecond of processor time to hand over a job."""
_MOST_CLIENTS = 4096
_DESCRIPTORS = 1 << 16
_ASKED = {"profile": str, "limits": dict, "folder": str}


class Supervisor:
    """All zygotes of one address, by what they were asked to be, at most `each` of a kind. It ends `linger` seconds
    after its last client.

    A client may ask for any profile, with any limits, and for no weaker confinement than there is: those that share a
    zygote share a program, and nothing else.
    """

    def __init__(self, address: Address, listener: socket.socket, *, linger: float, each: int) -> None:
        self._address = address
        self._listener = listener
        self._linger = linger
        self._each = each
        self._selector = selectors.DefaultSelector()
        self._clients: dict[int, socket.socket] = {}
        self._zygotes: list[Zygote] = []
        self._apart: set[str] = set()
        self._left_at = time.monotonic()

    def run(self) -> None:
        """Serve until nobody needs it any more."""
        wake, waker = os.pipe()
        for end in (wake, waker):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, lambda *_: self._hurry())
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(wake, selectors.EVENT_READ, lambda: os.read(wake, 1 << 12))
        while not self._ended():
            for key, _ in self._selector.select(self._pause()):
                if key.fileobj in self._selector.get_map():  # what came before it may have closed it
                    key.data()
            now = time.monotonic()
            for zygote in list(self._zygotes):
                if zygote.due is not None and zygote.due <= now:
                    self._lose(zygote)

    def _hurry(self) -> None:
        self._linger = 0.0

    def _pause(self) -> float | None:
        due = [each.due for each in self._zygotes if each.due is not None]
        if not self._clients:
            due.append(self._left_at + self._linger)
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _ended(self) -> bool:
        """Whether nobody has been here for long; then nobody can come any more, as the place is free for another."""
        if self._clients or time.monotonic() - self._left_at < self._linger:
            return False
        try:
            with self._address.lock(wait=False):
                self._accept()
                if self._clients:
                    return False
                self._address.free()
                return True
        except BlockingIOError:  # somebody is about to connect
            self._left_at = time.monotonic()
            return False
        except OSError:  # the folder was cleared away
            return True

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        try:
            peers.own(client)
            if len(self._clients) >= _MOST_CLIENTS:
                raise OSError("too many clients")
            client.setblocking(False)
            client.send(HELLO)
        except OSError:
            client.close()
            return
        self._clients[client.fileno()] = client
        self._selector.register(client, selectors.EVENT_READ, lambda: self._hear(client))

    def _hear(self, client: socket.socket) -> None:
        descriptors: list[int] = []
        try:
            message, descriptors, _, _ = socket.recv_fds(client, MAX_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
            if not message:
                raise EOFError
            body = parse(message)
            if "hangs" in body:
                self._doubt(body["hangs"])
            elif len(descriptors) == 1:
                self._find(_plan(body), body.get("only"), Asked(client, descriptors.pop()))
            else:
                raise Malformed
        except BlockingIOError:
            return
        except (OSError, EOFError, Malformed):
            self._leave(client)
        finally:
            for each in descriptors:
                os.close(each)

    def _leave(self, client: socket.socket) -> None:
        self._selector.unregister(client)
        del self._clients[client.fileno()]
        for zygote in self._zygotes:
            for kind in zygote.kinds.values():
                kind.clients.discard(client)
            for each in [each for each in zygote.waiting if each[1].client is client]:
                zygote.waiting.remove(each)
                os.close(each[1].log)
        client.close()
        self._left_at = time.monotonic()

    def _find(self, plan: dict[str, Any], only: Any, asked: Asked) -> None:
        """Connect to a zygote with this plan, or make one; one that is for a single converter if there is none."""
        if only is not None and not any(each.kinds[key_of(plan)].ready for each in self._of(plan)):
            plan = {**plan, "only": only}
        key, there = key_of(plan), self._of(plan)
        zygote = min(there, key=lambda each: len(each.kinds[key].clients), default=None)
        if zygote is None or (len(zygote.kinds[key].clients) >= _CLIENTS_EACH and len(there) < self._each):
            try:
                zygote = self._grow(plan) or self._start(plan)
            except OSError as error:
                asked.answer({"error": f"no zygote can be started: {error}"})
                return
        zygote.kinds[key].clients.add(asked.client)
        zygote.waiting.append((key, asked))
        self._serve(zygote)

    def _of(self, plan: dict[str, Any]) -> list[Zygote]:
        key = key_of(plan)
        return [each for each in self._zygotes if key in each.kinds]

    def _grow(self, plan: dict[str, Any]) -> Zygote | None:
        """Have a zygote that does other jobs do those of a plan, too, where there is one that may."""
        for zygote in list(self._zygotes):
            if zygote.can_grow(plan) and not self._apart & {key_of(plan), *zygote.kinds}:
                try:
                    zygote.grow(plan)
                except OSError:
                    self._lose(zygote)
                    continue
                return zygote
        return None

    def _start(self, plan: dict[str, Any]) -> Zygote:
        if len(self._zygotes) >= _MOST_ZYGOTES:
            raise OSError("there are too many")
        if "only" not in plan:
            _import_families()
        zygote = Zygote(plan, alone=self._linger, share=1 if "only" in plan else self._each)
        self._zygotes.append(zygote)
        self._selector.register(zygote.launched.leader, selectors.EVENT_READ, lambda: self._listen(zygote))
        return zygote

    def _serve(self, zygote: Zygote) -> None:
        """Connect all who wait, unless it was asked for something and has not answered."""
        while zygote.due is None and zygote.waiting:
            try:
                zygote.connect(*zygote.waiting[0])
            except OSError:
                self._lose(zygote)
                return
            zygote.waiting.pop(0)

    def _listen(self, zygote: Zygote) -> None:
        try:
            zygote.hear()
        except BlockingIOError:
            return
        except (OSError, Malformed):
            self._lose(zygote)
            return
        self._serve(zygote)

    def _doubt(self, pid: Any) -> None:
        """Somebody says that this one hangs: it is asked, and nobody else is given to it before it has answered."""
        for zygote in list(self._zygotes):
            if zygote.launched.process.pid == pid and zygote.due is None:
                try:
                    zygote.doubt()
                except OSError:
                    self._lose(zygote)

    def _lose(self, zygote: Zygote) -> None:
        """It has ended, or hangs: whoever waits for it gets another, unless it never began to work.

        One that had begun, and ended as it grew, is not to end so again: what it was to do has its own from now on.
        """
        self._selector.unregister(zygote.launched.leader)
        self._zygotes.remove(zygote)
        said = zygote.said()
        zygote.bury()
        begun = any(each.ready for each in zygote.kinds.values())
        if begun:
            self._apart |= {key for key, each in zygote.kinds.items() if each.ready is None}
        for key, asked in zygote.waiting:
            if not begun:
                asked.answer({"error": "the zygote does not start", "said": said})
            else:
                plan = dict(zygote.kinds[key].plan)
                self._find(plan, plan.pop("only", None), asked)


def _import_families() -> None:
    """Have in memory what is the same in all zygotes, before the first of them that is for all jobs of a profile."""
    if "conversions.families.registry" not in sys.modules:
        with importing():
            importlib.import_module("conversions.families.registry")
        gc.collect()
        gc.freeze()


def _plan(body: dict[str, Any]) -> dict[str, Any]:
    """What a zygote is to be, of what was asked for; raises Malformed."""
    asked = body.get("zygote")
    if not isinstance(asked, dict) or asked.keys() != _ASKED.keys():
        raise Malformed
    if not all(isinstance(asked[name], kind) for name, kind in _ASKED.items()):
        raise Malformed
    return asked


def main(folder: str, name: str, *, linger: float, each: int) -> None:
    """Listen at an address, whose lock the starter holds, and serve as a process of nobody's; this one ends then."""
    address = Address(folder, name)
    listener = address.bind()
    listens, listening = os.pipe()
    if os.fork():
        os.close(listening)
        sys.exit(0 if os.read(listens, 1) else 1)
    os.close(listens)
    os.umask(0o077)
    # Nobody's memory but its own user's, and of that user only root's, can be looked into: what it holds are channels.
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = _DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, _DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))
    # Here and not before the fork: the peer that clients see is whoever calls listen.
    listener.listen(128)
    address.sweep()
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 2)
    os.close(null)
    os.write(listening, b"!")
    os.close(listening)
    gc.collect()
    gc.freeze()  # zygotes are forked from it, and what is not looked at stays shared
    Supervisor(address, listener, linger=linger, each=each).run()
