"""The supervisor: one process per machine that forks zygotes and gives clients channels to them."""

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

from engine.sandbox import libc, peers
from engine.sandbox.address import HELLO, Address
from engine.sandbox.importing import importing
from engine.sandbox.offspring import Request, Zygote, key_of
from engine.sandbox.protocol import MAX_MESSAGE, Malformed, parse

_MOST_ZYGOTES = 64
_CLIENTS_EACH = 6
"""Clients per zygote of a kind before another is started, processors permitting: handing over a job takes a millisecond
of processor time."""
_MOST_CLIENTS = 4096
_DESCRIPTORS = 1 << 16
_ASKED = {"profile": str, "limits": dict, "folder": str}


class Supervisor:
    """All zygotes of one address, by plan, at most `each` of a kind; ends `linger` seconds after its last client.

    A client may ask for any profile with any limits, but not for weaker confinement: clients that share a zygote share
    a program, and nothing else.
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
        """Serve until the idle timeout."""
        wake, waker = os.pipe()
        for end in (wake, waker):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, lambda *_: self._end_soon())
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(wake, selectors.EVENT_READ, lambda: os.read(wake, 1 << 12))
        while not self._ended():
            for key, _ in self._selector.select(self._timeout()):
                if self._selector.get_map().get(key.fd) is key:  # an earlier event may have closed it
                    key.data()
            now = time.monotonic()
            for zygote in list(self._zygotes):
                if zygote.due is not None and zygote.due <= now:
                    self._drop(zygote)

    def _end_soon(self) -> None:
        self._linger = 0.0

    def _timeout(self) -> float | None:
        due = [each.due for each in self._zygotes if each.due is not None]
        if not self._clients:
            due.append(self._left_at + self._linger)
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _ended(self) -> bool:
        """True after the idle timeout; the address is then free, so that no further client can connect."""
        if self._clients or time.monotonic() - self._left_at < self._linger:
            return False
        try:
            with self._address.lock(wait=False):
                self._accept()
                if self._clients:
                    return False
                self._address.free()
                return True
        except BlockingIOError:  # a client is about to connect
            self._left_at = time.monotonic()
            return False
        except OSError:  # the folder was removed
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
        self._selector.register(client, selectors.EVENT_READ, lambda: self._read_request(client))

    def _read_request(self, client: socket.socket) -> None:
        descriptors: list[int] = []
        try:
            message, descriptors, _, _ = socket.recv_fds(client, MAX_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
            if not message:
                raise EOFError
            body = parse(message)
            if "hangs" in body:
                self._check_hanging(body["hangs"])
            elif len(descriptors) == 1:
                self._find(_plan(body), body.get("only"), Request(client, descriptors.pop()))
            else:
                raise Malformed
        except BlockingIOError:
            return
        except (OSError, EOFError, Malformed):
            self._remove_client(client)
        finally:
            for each in descriptors:
                os.close(each)

    def _remove_client(self, client: socket.socket) -> None:
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

    def _find(self, plan: dict[str, Any], only: Any, asked: Request) -> None:
        """Connect to a zygote with this plan, or start one; falls back to one for a single converter."""
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
        """Make a zygote of other profiles serve a plan as well, if one may."""
        for zygote in list(self._zygotes):
            if zygote not in self._zygotes:  # dropped meanwhile, when its clients moved to another
                continue
            if zygote.can_grow(plan) and not self._apart & {key_of(plan), *zygote.kinds}:
                try:
                    zygote.grow(plan)
                except OSError:
                    self._drop(zygote)
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
        self._selector.register(zygote.launched.leader, selectors.EVENT_READ, lambda: self._read_zygote(zygote))
        return zygote

    def _serve(self, zygote: Zygote) -> None:
        """Answer all waiting clients, unless the zygote has a pending request."""
        while zygote.due is None and zygote.waiting:
            try:
                zygote.connect(*zygote.waiting[0])
            except OSError:
                self._drop(zygote)
                return
            zygote.waiting.pop(0)

    def _read_zygote(self, zygote: Zygote) -> None:
        try:
            zygote.read_messages()
        except BlockingIOError:
            return
        except (OSError, Malformed):
            self._drop(zygote)
            return
        self._serve(zygote)

    def _check_hanging(self, pid: Any) -> None:
        """A client reports that this one hangs: check it, and give it to nobody else until it answers."""
        for zygote in list(self._zygotes):
            if zygote.launched.process.pid == pid and zygote.due is None:
                try:
                    zygote.ping()
                except OSError:
                    self._drop(zygote)

    def _drop(self, zygote: Zygote) -> None:
        """Drop a zygote that ended or hangs; clients that wait for it get another, unless it never started properly.

        If it was ready and died while growing, the new plan gets a zygote of its own, so that this does not recur.
        Clients may be given another zygote that has ended in the meantime; one that was dropped already is left alone.
        """
        if zygote not in self._zygotes:
            return
        self._selector.unregister(zygote.launched.leader)
        self._zygotes.remove(zygote)
        errors = zygote.take_stderr()
        zygote.close()
        begun = any(each.ready for each in zygote.kinds.values())
        if begun:
            self._apart |= {key for key, each in zygote.kinds.items() if each.ready is None}
        for key, asked in zygote.waiting:
            if not begun:
                asked.answer({"error": "the zygote does not start", "stderr": errors})
            else:
                plan = dict(zygote.kinds[key].plan)
                self._find(plan, plan.pop("only", None), asked)


def _import_families() -> None:
    """Import what all zygotes have in common before forking the first one that serves a whole profile."""
    if "engine.families.registry" not in sys.modules:
        with importing():
            importlib.import_module("engine.families.registry")
        gc.collect()
        gc.freeze()


def _plan(body: dict[str, Any]) -> dict[str, Any]:
    """The plan for a request; raises Malformed."""
    asked = body.get("zygote")
    if not isinstance(asked, dict) or asked.keys() != _ASKED.keys():
        raise Malformed
    if not all(isinstance(asked[name], kind) for name, kind in _ASKED.items()):
        raise Malformed
    return asked


def main(folder: str, name: str, *, linger: float, each: int) -> None:
    """Listen at an address, whose lock the starter holds, and serve as a detached process; the caller exits."""
    address = Address(folder, name)
    listener = address.bind()
    listens, listening = os.pipe()
    if os.fork():
        os.close(listening)
        sys.exit(0 if os.read(listens, 1) else 1)
    os.close(listens)
    os.umask(0o077)
    # Only root may inspect its memory, not other processes of its user: it holds channels.
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = _DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, _DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))
    # Here and not before the fork: clients see the process that called listen as their peer.
    listener.listen(128)
    address.sweep()
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 2)
    os.close(null)
    os.write(listening, b"!")
    os.close(listening)
    gc.collect()
    gc.freeze()  # Zygotes are forked from it, and frozen objects stay shared.
    Supervisor(address, listener, linger=linger, each=each).run()
