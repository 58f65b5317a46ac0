"""Fork the children of a zygote, and keep what the zygote knows of each."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.sandbox import groups as control_groups
from engine.sandbox import process_groups
from engine.sandbox.child import serve
from engine.sandbox.groups import Groups
from engine.sandbox.job_requests import Client
from engine.sandbox.line import Work
from engine.sandbox.peaks import Kind
from engine.sandbox.place import Place
from engine.toolkit.declaring import Converter


@dataclass
class Child:
    """One child process: idle and waiting on `channel`, or working, its verdict due on `verdict`."""

    pid: int
    channel: socket.socket
    place: Place
    folder: str
    stderr: int
    group: str | None = None
    client: Client | None = None
    work: Work | None = None
    kind: Kind = (True, True)
    verdict: socket.socket | None = None
    deadline: float = 0.0
    check_at: float = 0.0
    killed: str | None = None
    charged: float = 0.0

    def processes(self) -> list[int]:
        """Its process and, if it may run programs, the rest of its process group."""
        return process_groups.members(self.pid) if self.place.confinement.programs else [self.pid]

    def has_read_nothing(self) -> bool:
        """Whether it died without reading its job (unix(7), ECONNRESET)."""
        try:
            self.channel.recv(1, socket.MSG_DONTWAIT)
        except ConnectionResetError:
            return True
        except OSError:
            return False
        return False


def spawn(
    place: Place,
    converters: Mapping[str, Converter],
    *,
    processes: int | None,
    groups: Groups | None,
    fork: Callable[[], int],
) -> Child:
    """Fork a child, which confines itself to a new folder in its `place` and waits for a job.

    `processes` limits the processes of its user, and `groups` is where it gets a control group. Raises OSError, and
    then leaves nothing behind.
    """
    with contextlib.ExitStack() as undo:
        # First, as both may fail on a full disk.
        errors = place.nameless_file()
        undo.callback(os.close, errors)
        folder = os.path.join(place.folder, os.urandom(8).hex())
        os.mkdir(folder, 0o700)
        undo.callback(os.rmdir, folder)
        ours, theirs = map(undo.enter_context, socket.socketpair())
        uid = place.confinement.uid
        if uid is not None:
            os.chown(folder, uid, uid)
        rules = place.confinement.ruleset(folder)
        if rules is not None:
            undo.callback(rules.close)
        group = entrance = None
        if groups is not None:
            group = groups.make(place.limits, in_memory=place.memory)
            undo.callback(control_groups.remove, group)
            entrance = control_groups.procs(group)
            undo.callback(os.close, entrance)
        zygote = os.getpid()
        pid = fork()
        if not pid:
            serve(
                theirs,
                errors,
                folder,
                rules=None if rules is None else rules.descriptor,
                parent=zygote,
                processes=processes,
                group=entrance,
                place=place,
                converters=converters,
            )
        undo.pop_all()
    theirs.close()
    if rules is not None:
        rules.close()
    if entrance is not None:
        os.close(entrance)
    return Child(pid, ours, place, folder, errors, group)
