"""The pool: a zygote's children for one profile, from the fork of a spare over its one job until it is reaped."""

from __future__ import annotations

import collections
import contextlib
import os
import resource
import select
import selectors
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from conversions.sandbox import footprint, verdicts
from conversions.sandbox.child import serve
from conversions.sandbox.demand import Demand
from conversions.sandbox.janitor import Janitor
from conversions.sandbox.limits import Limits
from conversions.sandbox.line import Line
from conversions.sandbox.machine import Shortage
from conversions.sandbox.place import NO_ROOM, Place
from conversions.toolkit.declaring import Converter, Profile

_REFILL_AFTER = 0.005
"""Seconds for which a job has the processor to itself before a spare is made, unless it is done sooner."""
_RETRY_AFTER = 1.0
_STOPS_WITHIN = 0.01
_COUNT_EVERY = 5.0
_STILLBORN_ALLOWED = 5
_WAITING_EACH = 1024
_HELD_BACK = 0.25
_NOTHING_DUE = 60.0
_FIRST_WITHIN = 60.0
"""Seconds from the start for which the first job is waited for, however short the rest after a job is: whoever had this
zygote started is about to ask, and may wait for a processor."""


@dataclass
class _Child:
    """One process: waiting for a job on `channel`, or at work, its verdict owed on `verdict`."""

    pid: int
    channel: socket.socket
    place: Place
    folder: str
    stderr: int
    client: Client | None = None
    verdict: socket.socket | None = None
    deadline: float = 0.0
    look_at: float = 0.0
    killed: str | None = None


@dataclass(frozen=True, eq=False)
class Client:
    """A process that has jobs: it asks for them on `control`, and `log` is where is said what goes wrong with them."""

    control: socket.socket
    log: int

    def say(self, text: str) -> None:
        """Write to the log as much as its reader is ready to take."""
        poll = select.poll()
        poll.register(self.log, select.POLLOUT)
        data = text.encode()
        with contextlib.suppress(OSError):
            # A pipe that is ready takes at least this much at once (pipe(7), PIPE_BUF); nobody else waits for a reader.
            while data and poll.poll(0):
                data = data[os.write(self.log, data[: select.PIPE_BUF]) :]


@dataclass(frozen=True)
class _Job:
    """What a client asks for: the job itself comes on `channel`, what becomes of it is told on `verdict`."""

    client: Client
    channel: socket.socket
    verdict: socket.socket
    small: bool
    wall: float

    def close(self) -> None:
        self.channel.close()
        self.verdict.close()


@dataclass
class Pool:
    """The children of one zygote and profile: idle ones, working ones by pid, and the jobs that wait for one.

    Spares are made for small jobs where there is a place in memory; a child for a large one is made when it comes,
    which is little beside its work.
    """

    profile: Profile
    limits: Limits
    converters: Mapping[str, Converter]
    disk: Place
    memory: Place | None
    janitor: Janitor
    shortage: Shortage
    demand: Demand
    selector: selectors.BaseSelector
    alone: float | None = None
    clients: set[Client] = field(default_factory=set)
    left_at: float = field(default_factory=time.monotonic)
    idle: collections.deque[_Child] = field(default_factory=collections.deque)
    working: dict[int, _Child] = field(default_factory=dict)
    waiting: Line[_Job] = field(default_factory=Line)
    refill_at: float = 0.0
    counted_at: float = float("-inf")
    processes: int = 0
    stillborn: int = 0
    used_at: float = field(default_factory=lambda: time.monotonic() + _FIRST_WITHIN)
    fork: Callable[[], int] = os.fork

    def beside(self, others: int) -> None:
        """Have new children in a zygote with so many bytes of other profiles' libraries."""
        self.disk = self.disk.beside(others)
        self.memory = self.memory and self.memory.beside(others)

    def spawn(self, place: Place) -> _Child:
        """Fork one more child; it confines itself and waits."""
        now = time.monotonic()
        if now - self.counted_at > _COUNT_EVERY:
            self.processes, self.counted_at = place.confinement.process_limit(), now
        # First, as either may fail where there is no room.
        errors = place.nameless_file()
        folder = os.path.join(place.folder, os.urandom(8).hex())
        os.mkdir(folder, 0o700)
        ours, theirs = socket.socketpair()
        uid = place.confinement.uid
        if uid is not None:
            os.chown(folder, uid, uid)
        rules = place.confinement.ruleset(folder)
        zygote = os.getpid()
        pid = self.fork()
        if not pid:
            serve(
                theirs,
                errors,
                folder,
                rules=None if rules is None else rules.descriptor,
                parent=zygote,
                processes=self.processes,
                place=place,
                converters=self.converters,
            )
        self.janitor.child_started(pid)
        theirs.close()
        if rules is not None:
            rules.close()
        return _Child(pid, ours, place, folder, errors)

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

    def welcome(self, control: socket.socket, log: int) -> None:
        """Serve one more client, until it closes its end of the control channel."""
        client = Client(control, log)
        control.setblocking(False)
        self.clients.add(client)
        self.selector.register(control, selectors.EVENT_READ, lambda: self.accept(client))

    def leave(self, client: Client) -> None:
        """Take no more jobs from a client; one that has died waits for no verdict either, and that ends its jobs."""
        self.selector.unregister(client.control)
        self.clients.remove(client)
        client.control.close()
        os.close(client.log)
        self.left_at = time.monotonic()

    def accept(self, client: Client) -> None:
        """Take one job from a client; one that asks for anything else is served no more."""
        try:
            message, descriptors, _, _ = socket.recv_fds(client.control, 64, 2, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            return
        except OSError:
            message, descriptors = b"", []
        job = self.asked(client, message, descriptors)
        if job is None:
            for each in descriptors:
                os.close(each)
            self.leave(client)
            return
        self.used_at = time.monotonic()
        if not self.waiting and self.may_begin():
            self.dispatch(job)
        elif self.waiting.length(client) < _WAITING_EACH:
            verdicts.tell(job.verdict, "queued")
            self.waiting.join(client, job)
        else:
            job.close()

    def may_begin(self) -> bool:
        """Whether one more job may be at work now; a single one may, however short memory is."""
        return not self.working or (len(self.working) < self.limits.jobs and not self.shortage.holds_back())

    def asked(self, client: Client, message: bytes, descriptors: list[int]) -> _Job | None:
        """The job that a message stands for, None where it is none."""
        try:
            kind, wall = message.split()
            if not float(wall) > 0 or kind not in (b"small", b"large"):
                return None
            first, second = descriptors
            if not all(stat.S_ISSOCK(os.fstat(each).st_mode) for each in descriptors):
                return None
        except ValueError:
            return None
        channel, verdict = socket.socket(fileno=first), socket.socket(fileno=second)
        verdict.setblocking(False)
        return _Job(client, channel, verdict, kind == b"small", min(float(wall), self.limits.wall))

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
        child.client, child.verdict, child.deadline = job.client, job.verdict, now + job.wall
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
        # One that was killed stays among them until it is buried, and would take the job with it.
        ready = next((each for each in self.idle if not each.killed), None)
        self.demand.comes(found=ready is not None)
        if ready is None:
            self.spare()
            ready = self.idle[-1]
        self.idle.remove(ready)
        return ready

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

    def bury(self, pid: int, status: int, usage: resource.struct_rusage) -> bool:
        """Tell what became of the job of a process that has ended; False where it is no child of this pool."""
        child = self.working.pop(pid, None)
        if child is None:
            child = next((each for each in self.idle if each.pid == pid), None)
            if child is None:
                return False
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
            line = f"conversions.sandbox {self.profile} [{pid}]: {said}"
            if child.client in self.clients:
                child.client.say(line + "\n")
            else:
                print(line, file=sys.stderr, flush=True)
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
        return True

    def look(self) -> None:
        """Kill what is over its time or its disk space, start what has waited, and make new spares."""
        now = time.monotonic()
        for child in self.working.values():
            if child.deadline <= now:
                self.kill(child, "timeout")
            elif child.look_at <= now and not child.killed:
                self.weigh(child)
        while self.waiting and self.may_begin():
            job = self.waiting.next()
            if verdicts.hung_up(job.verdict):
                job.close()
            else:
                self.dispatch(job)
        wanted = self.demand.wanted()
        for each in list(self.idle)[wanted:]:
            self.kill(each, "closing")
        if self.refill_at <= now and len(self.idle) < wanted and not self.waiting:
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
        """Whether nobody has had a job, or been here, for so long that the memory is better given back."""
        return not self.working and not self.waiting and time.monotonic() >= self.rests_at

    @property
    def rests_at(self) -> float:
        at = self.used_at + self.limits.rest
        return at if self.clients or self.alone is None else min(at, self.left_at + self.alone)

    def pause(self) -> float:
        """Seconds until something is due; a minute where nothing is."""
        now = time.monotonic()
        due = [now + _NOTHING_DUE]
        for child in self.working.values():
            if not child.killed:  # else its end is told
                due += [child.deadline, child.look_at]
        if len(self.idle) < self.demand.wanted():
            if not self.waiting:  # who waits goes before a spare
                due.append(self.refill_at)
        elif self.idle:
            due.append(self.demand.changes_at())
        if self.waiting:
            due.append(now + _HELD_BACK)
        if not self.working and self.rests_at > now:  # one that rests stays for the others of its zygote
            due.append(self.rests_at)
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
