"""The pool: a zygote's children, from the fork of a spare over its one job until it is reaped."""

from __future__ import annotations

import collections
import contextlib
import os
import resource
import selectors
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from conversions.sandbox import footprint, verdicts
from conversions.sandbox.child import serve
from conversions.sandbox.janitor import Janitor
from conversions.sandbox.limits import Limits
from conversions.sandbox.place import NO_ROOM, Place
from conversions.toolkit.declaring import Converter, Profile

_REFILL_AFTER = 0.005
"""Seconds for which a job has the processor to itself before a spare is made, unless it is done sooner."""
_RETRY_AFTER = 1.0
_STOPS_WITHIN = 0.01
_COUNT_EVERY = 5.0
_STILLBORN_ALLOWED = 5


@dataclass
class _Child:
    """One process: waiting for a job on `channel`, or at work, its verdict owed on `verdict`."""

    pid: int
    channel: socket.socket
    place: Place
    folder: str
    stderr: int
    verdict: socket.socket | None = None
    deadline: float = 0.0
    look_at: float = 0.0
    killed: str | None = None


@dataclass(frozen=True)
class _Job:
    """What the web process asks for: the job itself comes on `channel`, what becomes of it is told on `verdict`."""

    channel: socket.socket
    verdict: socket.socket
    small: bool
    wall: float

    def close(self) -> None:
        self.channel.close()
        self.verdict.close()


@dataclass
class Pool:
    """The children of one zygote: idle ones, working ones by pid, and the jobs that wait for one.

    Spares are made for small jobs where there is a place in memory; a child for a large one is made when it comes,
    which is little beside its work.
    """

    profile: Profile
    limits: Limits
    control: socket.socket
    converters: Mapping[str, Converter]
    disk: Place
    memory: Place | None
    janitor: Janitor
    selector: selectors.BaseSelector = field(default_factory=selectors.PollSelector)
    idle: collections.deque[_Child] = field(default_factory=collections.deque)
    working: dict[int, _Child] = field(default_factory=dict)
    waiting: collections.deque[_Job] = field(default_factory=collections.deque)
    refill_at: float = 0.0
    counted_at: float = float("-inf")
    processes: int = 0
    stillborn: int = 0
    used_at: float = field(default_factory=time.monotonic)

    def spawn(self, place: Place) -> _Child:
        """Fork one more child; it confines itself and waits."""
        now = time.monotonic()
        if now - self.counted_at > _COUNT_EVERY:
            self.processes, self.counted_at = place.confinement.process_limit(), now
        # First, as either may fail where there is no room.
        errors = tempfile.TemporaryFile(dir=place.folder, buffering=0)  # noqa: SIM115
        folder = os.path.join(place.folder, os.urandom(8).hex())
        os.mkdir(folder, 0o700)
        ours, theirs = socket.socketpair()
        uid = place.confinement.uid
        if uid is not None:
            os.chown(folder, uid, uid)
        zygote = os.getpid()
        pid = os.fork()
        if not pid:
            serve(
                theirs,
                errors.fileno(),
                folder,
                parent=zygote,
                processes=self.processes,
                place=place,
                converters=self.converters,
            )
        self.janitor.child_started(pid)
        theirs.close()
        with errors:
            return _Child(pid, ours, place, folder, os.dup(errors.fileno()))

    def spare(self) -> None:
        """Make one more child that waits for a job of the usual kind."""
        if self.memory is not None and not os.path.isdir(self.memory.folder):
            # Somebody has cleared up, as logind does when a user has left (logind.conf(5), RemoveIPC).
            self.memory = None
            for each in self.idle:
                self.kill(each, "closing")
        try:
            self.idle.append(self.spawn(self.memory or self.disk))
        except OSError as error:
            if error.errno not in NO_ROOM or self.memory is None:
                raise
            self.idle.append(self.spawn(self.disk))

    def accept(self) -> None:
        """Take one job from the control channel; raises EOFError when the web process is gone."""
        message, descriptors, _, _ = socket.recv_fds(self.control, 64, 2, socket.MSG_CMSG_CLOEXEC)
        if not message:
            raise EOFError
        kind, wall = message.split()
        channel, verdict = (socket.socket(fileno=each) for each in descriptors)
        verdict.setblocking(False)
        self.used_at = time.monotonic()
        job = _Job(channel, verdict, kind == b"small", min(float(wall), self.limits.wall))
        if len(self.working) >= self.limits.jobs:
            verdicts.tell(verdict, "queued")
            self.waiting.append(job)
        else:
            self.dispatch(job)

    def dispatch(self, job: _Job) -> None:
        """Hand a job to an idle child, or to a new one."""
        while True:
            try:
                child = self.child_for(job)
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise
                verdicts.tell(job.verdict, "full")
                job.close()
                return
            try:
                socket.send_fds(child.channel, [b"j"], [job.channel.fileno()])
                break
            except OSError:  # it died while it waited
                self.working[child.pid] = child
        job.channel.close()
        now = time.monotonic()
        child.verdict, child.deadline = job.verdict, now + job.wall
        child.look_at = now + footprint.look_again_after(child.place.limits.scratch)
        self.working[child.pid] = child
        self.selector.register(job.verdict, selectors.EVENT_READ, lambda: self.kill(child, "abandoned"))
        self.refill_at = now + _REFILL_AFTER
        verdicts.tell(job.verdict, "started")

    def child_for(self, job: _Job) -> _Child:
        if self.memory is not None:
            crowd = 1 + sum(each.place.memory for each in self.working.values())
            if not job.small or not self.memory.has_room(crowd):
                return self.spawn(self.disk)
        if not self.idle:
            self.spare()
        return self.idle.popleft()

    def kill(self, child: _Child, reason: str) -> None:
        """Kill a child with all that it started; what is left of it is reaped later."""
        if child.verdict is not None and reason == "abandoned":
            self.selector.unregister(child.verdict)
            child.verdict.close()
            child.verdict = None
        child.killed = child.killed or reason
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
            os.killpg(child.pid, signal.SIGKILL)

    def reap(self) -> None:
        """Collect every dead process; raises EOFError if the janitor is among them."""
        while True:
            try:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if found is None:
                return
            pid = found.si_pid
            # Before the number is free for others: the group may still have members, programs that it started.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
            if pid == self.janitor.pid:
                raise EOFError
            self.bury(pid, status, usage)

    def bury(self, pid: int, status: int, usage: resource.struct_rusage) -> None:
        child = self.working.pop(pid, None)
        if child is None:
            child = next((each for each in self.idle if each.pid == pid), None)
            if child is None:
                return  # an orphan of a program
            self.idle.remove(child)
            if os.waitstatus_to_exitcode(status) == 1:
                self.stillborn += 1
        else:
            self.stillborn = 0
            self.used_at = time.monotonic()
            # Now, while the web process stores what came out, rather than during the next request.
            self.refill_at = 0.0
        said = verdicts.last_words(child.stderr)
        os.close(child.stderr)
        if said:
            print(f"conversions.sandbox {self.profile} [{pid}]: {said}", file=sys.stderr, flush=True)
        if child.verdict is not None:
            unbegun = "unbegun" if _unread(child.channel) else None
            verdict: str = verdicts.reason(status, usage, said, child.place.limits)
            if verdict == "crashed" and child.place.is_full():
                verdict = child.place.filled
            elif verdict == "output":
                verdict = child.place.over
            verdicts.tell(child.verdict, child.killed or unbegun or verdict)
            self.selector.unregister(child.verdict)
            child.verdict.close()
        child.channel.close()
        self.janitor.child_ended(pid, child.folder)
        if self.stillborn > _STILLBORN_ALLOWED:
            raise RuntimeError("children can't be confined")

    def look(self) -> None:
        """Kill what is over its time or its disk space, start what has waited, and make new spares."""
        now = time.monotonic()
        for child in self.working.values():
            if child.deadline <= now:
                self.kill(child, "timeout")
            elif child.look_at <= now and not child.killed:
                self.weigh(child)
        while self.waiting and len(self.working) < self.limits.jobs:
            job = self.waiting.popleft()
            if verdicts.hung_up(job.verdict):
                job.close()
            else:
                self.dispatch(job)
        if self.refill_at <= now and len(self.idle) < self.limits.spares and not self.waiting:
            try:
                self.spare()
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise
                self.refill_at = now + _RETRY_AFTER

    def weigh(self, child: _Child) -> None:
        """Kill a child that holds more than it may; it stands still meanwhile, so that it can't hide what it has.

        What it holds without a name is not looked for where all jobs together hold less than one may.
        """
        place = child.place
        with _stopped(child.pid):
            most = place.most_held()
            processes = self.members(child) if most is None else []
            taken = footprint.held(child.folder, place.folder, processes, uid=place.confinement.uid)
        taken = max(taken, most or 0)
        if taken > place.limits.scratch:
            self.kill(child, place.over)
        child.look_at = time.monotonic() + footprint.look_again_after(place.limits.scratch - taken)

    def members(self, child: _Child) -> list[int]:
        """The processes of a job: the child, and where it may run programs all others of its group."""
        if not child.place.confinement.programs:
            return [child.pid]
        found = []
        for each in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(ProcessLookupError):
                if os.getpgid(int(each)) == child.pid:
                    found.append(int(each))
        return found

    @property
    def rests(self) -> bool:
        """Whether nobody has had a job for so long that the memory is better given back."""
        return not self.working and not self.waiting and time.monotonic() - self.used_at >= self.limits.rest

    def pause(self) -> float:
        """Seconds until something is due."""
        now = time.monotonic()
        due = [child.deadline for child in self.working.values()]
        due += [child.look_at for child in self.working.values() if not child.killed]
        if len(self.idle) < self.limits.spares:
            due.append(self.refill_at)
        if not self.working:
            due.append(self.used_at + self.limits.rest)
        return max(0.0, min(due) - now)

    def close(self) -> None:
        """Kill all children; the janitor, which sees this process end, clears up."""
        for child in (*self.working.values(), *self.idle):
            self.kill(child, "closing")


@contextlib.contextmanager
def _stopped(group: int) -> Iterator[None]:
    """Have a process group stand still for a while; one that is stuck in the kernel is not waited for.

    One that stands still already, by somebody else's will, is left so.
    """
    if _stands_still(group):
        yield
        return
    try:
        os.killpg(group, signal.SIGSTOP)
    except (ProcessLookupError, PermissionError):
        yield  # it has ended, or is about to
        return
    try:
        until = time.monotonic() + _STOPS_WITHIN
        while os.waitid(os.P_PID, group, os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > until:
                break
            time.sleep(0.0002)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGCONT)


def _stands_still(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] == [b"T"]
    except OSError:
        return False


def _unread(channel: socket.socket) -> bool:
    """Whether the child that had the other end died without having taken its job (unix(7), ECONNRESET)."""
    try:
        channel.recv(1, socket.MSG_DONTWAIT)
    except ConnectionResetError:
        return True
    except OSError:
        return False
    return False
