"""The zygote: a small process that imports a profile's libraries once and keeps confined children ready for jobs."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any

from conversions.sandbox import confinement, janitor, libc
from conversions.sandbox.limits import Limits, in_memory
from conversions.sandbox.place import Place
from conversions.sandbox.pool import Pool
from conversions.sandbox.preload import converter_of, converters_of, folders_of, preload, programs_of
from conversions.sandbox.protocol import MAX_MESSAGE
from conversions.toolkit.declaring import LAUNCHED, Profile


@dataclass(frozen=True)
class Plan:
    """What a zygote is told once, as JSON: whom it serves, and how it confines. `uid` None is its own.

    One that serves a single converter is told in `only` the module that declares it, and the slug.
    """

    profile: Profile
    limits: Limits
    parent: int
    folder: str
    memory: str | None = None
    modules: tuple[str, ...] = ()
    only: tuple[str, str] | None = None
    abi_at_most: int | None = None
    filtered: bool = True
    uid: int | None = None

    @classmethod
    def parse(cls, text: bytes) -> Plan:
        body = json.loads(text)
        body |= {"limits": Limits(**body["limits"]), "modules": tuple(body["modules"])}
        return cls(**body)


def _run(pool: Pool, parent: int) -> None:
    wake, waker = os.pipe()
    for end in (wake, waker):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    watch: list[int] = []
    with contextlib.suppress(OSError):  # a kernel or container without pidfds; then the control channel's end tells
        watch.append(os.pidfd_open(parent))
    if os.getppid() != parent:
        return
    pool.selector.register(pool.control, selectors.EVENT_READ, pool.accept)
    pool.selector.register(wake, selectors.EVENT_READ, lambda: os.read(wake, 1 << 12))
    for each in watch:
        pool.selector.register(each, selectors.EVENT_READ)
    while not pool.rests:
        for key, _ in pool.selector.select(pool.pause()):
            if key.data is None:
                return
            key.data()
        pool.reap()
        pool.look()


def _folders(plan: Plan) -> list[str]:
    """A folder on disk, and one in memory where there can be one."""
    found = [janitor.make_folder(plan.folder)[0]]
    if plan.memory is not None:
        with contextlib.suppress(OSError):
            found.append(janitor.make_folder(plan.memory)[0])
    return found


def main(descriptor: int) -> None:
    """Serve jobs on the control socket until its other end, or the process that holds it, is gone, or no job comes."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)  # sent to the whole service: jobs end when the web process says so
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    control = socket.socket(fileno=descriptor)
    control.set_inheritable(False)
    plan = Plan.parse(control.recv(MAX_MESSAGE))
    folders = _folders(plan)
    keeper = janitor.start(folders)
    converters = converter_of(*plan.only) if plan.only else converters_of(plan.profile, plan.modules)
    preload(plan.profile, converters)
    if len(os.listdir("/proc/self/task")) > 1:
        print(f"conversions.sandbox {plan.profile}: a library started a thread on import", file=sys.stderr, flush=True)
    confined = confinement.prepare(
        plan.limits,
        programs=programs_of(converters),
        folders=folders_of(converters),
        beneath=folders,
        abi_at_most=plan.abi_at_most,
        filtered=plan.filtered,
        uid=plan.uid,
        launched=plan.profile in LAUNCHED,
    )
    gc.collect()
    gc.freeze()
    disk = Place(folders[0], confined)
    memory = None
    if len(folders) > 1:
        memory = Place(folders[1], dataclasses.replace(confined, limits=in_memory(plan.limits)), memory=True)
    pool = Pool(plan.profile, plan.limits, control, converters, disk, memory, keeper)
    pool.spare()
    ready: dict[str, Any] = {
        "landlock": confined.landlock_abi,
        "seccomp": confined.filter is not None,
        "folders": folders,
    }
    control.send(json.dumps(ready).encode())
    try:
        _run(pool, plan.parent)
    except EOFError:
        pass
    finally:
        pool.close()
