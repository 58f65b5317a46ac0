"""The zygote: a small process that imports a profile's libraries once and keeps confined children ready for jobs."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import mmap
import os
import resource
import selectors
import signal
import socket
import sys
from collections.abc import Iterator
from typing import Any

from engine.sandbox import child, confinement, groups, identity, janitor, libc, reaping
from engine.sandbox.demand import Demand
from engine.sandbox.janitor import Janitor
from engine.sandbox.limits import TOGETHER, in_memory
from engine.sandbox.machine import Shortage
from engine.sandbox.place import Place
from engine.sandbox.plan import Plan
from engine.sandbox.pool import Pool
from engine.sandbox.preload import converter_of, converters_of, folders_of, preloading, programs_of
from engine.sandbox.protocol import MAX_MESSAGE
from engine.sandbox.rehearsal import rehearsing
from engine.toolkit.declaring import LAUNCHED

_DESCRIPTORS = 1 << 14


class _Zygote:
    """One pool of children for each plan, in the order received.

    The first plan starts it; each further one makes it grow, a module at a time, while the existing pools serve jobs.
    Libraries used by two profiles are in memory once, and a child has only the rights of its own pool.
    """

    def __init__(self, leader: socket.socket, keeper: Janitor) -> None:
        self.leader = leader
        self.keeper = keeper
        self.selector: selectors.BaseSelector = selectors.PollSelector()
        self.pools: list[Pool] = []
        self.growth: list[Iterator[None]] = []
        self.groups: groups.Groups | None = None

    def settle(self, plan: Plan) -> list[str]:
        """Create the folders of a plan's pool, on disk and if possible in memory, and once the control group of all
        jobs."""
        found = [janitor.make_folder(plan.folder)[0]]
        if plan.memory is not None:
            with contextlib.suppress(OSError):
                found.append(janitor.make_folder(plan.memory)[0])
        for folder in found:
            self.keeper.folder_made(folder)
        above = plan.groups or groups.delegated_group()
        if above is not None and self.groups is None:
            with contextlib.suppress(OSError):
                self.groups = groups.Groups(above)
                self.keeper.group_made(self.groups.folder)
        return found

    def grow(self, plan: Plan, folders: list[str]) -> Iterator[None]:
        """Import what a plan needs, make its pool, and report that it is ready."""
        converters = converter_of(*plan.only) if plan.only else converters_of(plan.profile, plan.modules)
        yield from preloading(plan.profile, converters)
        confined = confinement.prepare(
            plan.limits,
            programs=programs_of(converters),
            folders=folders_of(converters),
            beneath=folders,
            abi_at_most=plan.abi_at_most,
            filtered=plan.filtered,
            users=_users(plan),
            launched=plan.profile in LAUNCHED,
        ).shared()
        disk = Place(folders[0], confined)
        memory = None
        if len(folders) > 1:
            memory = Place(folders[1], dataclasses.replace(confined, limits=in_memory(plan.limits)), memory=True)
        if plan.only is None:  # a zygote for a single job would lose time by it
            yield from rehearsing(plan.profile, converters, memory or disk)
        alone = libc.threads() == 1
        if not alone:
            print(f"engine.sandbox {plan.profile}: a library started a thread", file=sys.stderr, flush=True)
        gc.collect()
        gc.freeze()
        shortage = Shortage(pressure=plan.pressure)
        demand = Demand(plan.limits.spares)
        pool = Pool(
            plan.profile, plan.limits, converters, disk, memory, self.keeper, shortage, demand, self.selector,
            alone=plan.alone, groups=self.groups,
        )  # fmt: skip
        self.pools.append(pool)
        size = _address_space()
        for each in self.pools:
            each.fork = libc.fork_of_one_thread if alone else os.fork
            each.beside(max(0, size - TOGETHER.get(each.profile, size)))
        pool.spare()
        ready: dict[str, Any] = {
            "landlock": confined.landlock_abi,
            "seccomp": confined.filter is not None,
            "folders": folders,
            "isolation": "cgroup" if self.groups is not None else "user" if confined.apart else "shared",
        }
        self.leader.send(json.dumps(ready).encode())

    def run(self, parent: int) -> None:
        """Serve until the leader or the process `parent` is gone, which may raise EOFError, or no job arrives."""
        wake, waker = os.pipe()
        for end in (wake, waker):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        watch: list[int] = []
        with contextlib.suppress(OSError):  # without pidfds the closed socket of the leader is enough
            watch.append(os.pidfd_open(parent))
        if os.getppid() != parent:
            return
        self.selector.register(self.leader, selectors.EVENT_READ, self.follow)
        self.selector.register(wake, selectors.EVENT_READ, lambda: os.read(wake, 1 << 12))
        for each in watch:
            self.selector.register(each, selectors.EVENT_READ)
        while self.growth or not all(pool.is_idle for pool in self.pools):
            for key, _ in self.selector.select(0 if self.growth else min(pool.until_due() for pool in self.pools)):
                if key.data is None:
                    return
                if self.selector.get_map().get(key.fd) is key:  # an earlier event may have closed it
                    key.data()
            reaping.reap(self.pools, self.keeper)
            for pool in self.pools:
                pool.tick()
            if self.growth:
                try:
                    next(self.growth[0])
                except StopIteration:
                    self.growth.pop(0)

    def follow(self) -> None:
        """Follow the instructions of the starting process; raises EOFError when it is gone."""
        message, descriptors, _, _ = socket.recv_fds(self.leader, MAX_MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
        if not message:
            raise EOFError
        word, _, number = message.partition(b" ")
        if word == b"client":
            channel, log = descriptors
            self.pools[int(number)].serve_client(socket.socket(fileno=channel), log)
        elif word == b"ping":
            self.leader.send(b'{"pong": true}')
        else:
            plan = Plan.parse(message)
            self.growth.append(self.grow(plan, self.settle(plan)))

    def close(self) -> None:
        for pool in self.pools:
            pool.close()


def _users(plan: Plan) -> range | None:
    """The users that children become."""
    if not plan.drop:
        return None
    return identity.users_of_children() if plan.users is None else range(*plan.users)


def _address_space() -> int:
    """Bytes of address space in use (proc(5), statm)."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * mmap.PAGESIZE


def _raise_descriptors() -> None:
    """Raise the descriptor limit: each job takes two and each client one, more than the default."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = _DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, _DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))


def main(descriptor: int, keeper: Janitor) -> None:
    """Serve jobs on the channels that arrive on the leader's socket, until its other end or the process that holds it
    is gone, or no job arrives."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)  # sent to the whole service: the web process decides when jobs end
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    leader = socket.socket(fileno=descriptor)
    leader.set_inheritable(False)
    plan = Plan.parse(leader.recv(MAX_MESSAGE))
    _raise_descriptors()
    zygote = _Zygote(leader, keeper)
    folders = zygote.settle(plan)
    child.inherit()
    for _ in zygote.grow(plan, folders):
        pass
    try:
        zygote.run(plan.parent)
    except EOFError:
        pass
    finally:
        zygote.close()
