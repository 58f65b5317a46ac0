"""A pool of a zygote's children for one profile, from forking an idle child until it is reaped."""

from __future__ import annotations

import collections
import contextlib
import errno
import os
import resource
import selectors
import signal
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.sandbox import footprint, groups, peaks, spending, verdicts
from engine.sandbox.children import Child, spawn
from engine.sandbox.demand import Demand
from engine.sandbox.groups import Groups
from engine.sandbox.janitor import Janitor
from engine.sandbox.job_requests import LONGEST_REQUEST, Client, JobRequest, parse
from engine.sandbox.limits import Limits
from engine.sandbox.line import LONG_AFTER, Line, Waiting
from engine.sandbox.machine import Shortage
from engine.sandbox.peaks import Peaks
from engine.sandbox.place import NO_ROOM, Place
from engine.sandbox.process_groups import paused, slow_down
from engine.sandbox.stderr import last_output
from engine.toolkit.declaring import Converter, Profile

_STDERR = 2
_NO_CHILD = (*NO_ROOM, errno.EAGAIN, errno.ENOMEM)
"""The errors of a full disk, and of fork(2) without memory or beyond a limit on processes: one job fails by them, and
not the zygote with the jobs of all others."""
_REFILL_AFTER = 0.005
"""Seconds a job has the processor to itself before an idle child is forked, unless it finishes sooner."""
_RETRY_AFTER = 1.0
_COUNT_EVERY = 5.0
_MAX_FAILED_STARTS = 5
_WAITING_EACH = 16
"""Queued jobs per running job: each occupies a thread of a web process, and sixteen short ones finish unnoticed."""
_LARGE = 4
"""The part of its address space that a large job is expected to take until some have ended."""
_KEPT_FREE = 2
"""Usual jobs whose memory only reserved places may use, so that short jobs pass those that hold the rest."""
_RETRY_QUEUED_AFTER = 0.25
_LONGEST_SLEEP = 60.0
_FIRST_WITHIN = 60.0
"""Minimum seconds from the start to wait for the first job, however short `rest` is: whoever started this zygote is
about to send one, but may wait for a processor."""


@dataclass
class Pool:
    """The children of one zygote and profile: idle ones, working ones by pid, and the queue of jobs.

    Idle children are made for small jobs if there is a place in memory; a child for a large job is forked when it
    arrives, a small cost beside its work.
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
    groups: Groups | None = None
    clients: set[Client] = field(default_factory=set)
    left_at: float = field(default_factory=time.monotonic)
    idle: collections.deque[Child] = field(default_factory=collections.deque)
    working: dict[int, Child] = field(default_factory=dict)
    line: Line[JobRequest] = field(init=False)
    peaks: Peaks = field(init=False)
    refill_at: float = 0.0
    counted_at: float = float("-inf")
    processes: int = 0
    failed_starts: int = 0
    used_at: float = field(default_factory=lambda: time.monotonic() + _FIRST_WITHIN)
    fork: Callable[[], int] = os.fork

    def __post_init__(self) -> None:
        self.line = Line(self.limits.jobs, wall=self.limits.wall)
        self.peaks = Peaks(self.limits.usual, large=self.limits.memory // _LARGE)

    def beside(self, others: int) -> None:
        """Adjust new children to a zygote with this many bytes of other profiles' libraries."""
        self.disk = self.disk.beside(others)
        self.memory = self.memory and self.memory.beside(others)

    def spawn(self, place: Place) -> Child:
        """Fork one more child."""
        place = place.of_one()
        processes = self.process_limit(place)
        return spawn(place, self.converters, processes=processes, groups=self.groups, fork=self.fork)

    def process_limit(self, place: Place) -> int | None:
        """The process limit of a new child's user, recounted now and then if other processes have that user.

        None if the control group of a job limits it and all jobs share one user.
        """
        if self.groups is not None and not place.confinement.apart:
            return None
        now = time.monotonic()
        if now - self.counted_at > _COUNT_EVERY:
            self.processes, self.counted_at = place.confinement.process_limit(), now
        return self.processes

    def spare(self) -> None:
        """Make one more idle child of the usual kind."""
        if self.memory is not None and not os.path.isdir(self.memory.folder):
            # Something removed the folder, as logind does when a user logs out (logind.conf(5), RemoveIPC).
            self.memory = None
            for each in self.idle:
                self.kill(each, "closing")
        try:
            self.idle.append(self.spawn(self.memory or self.disk))
        except OSError as error:
            if error.errno not in _NO_CHILD or self.memory is None:
                raise
            self.idle.append(self.spawn(self.disk))

    def serve_client(self, control: socket.socket, log: int) -> None:
        """Serve one more client, until it closes its end of the control channel."""
        client = Client(control, log)
        control.setblocking(False)
        self.clients.add(client)
        self.selector.register(control, selectors.EVENT_READ, lambda: self.accept(client))

    def leave(self, client: Client) -> None:
        """Accept no more jobs from a client; if it has died, its jobs end, because their results can't be delivered."""
        self.selector.unregister(client.control)
        self.clients.remove(client)
        client.control.close()
        os.close(client.log)
        self.left_at = time.monotonic()

    def accept(self, client: Client) -> None:
        """Accept one job from a client; a client that sends anything else is dropped."""
        try:
            message, descriptors, _, _ = socket.recv_fds(client.control, LONGEST_REQUEST, 2, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            return
        except OSError:
            message, descriptors = b"", []
        job = parse(client, message, descriptors, longest=self.limits.wall)
        if job is None:
            for each in descriptors:
                os.close(each)
            self.leave(client)
            return
        self.used_at = time.monotonic()
        waiting = self.line.join(job, job.owner, quick=job.quick)
        self.begin()
        if waiting in self.line.waiting:
            verdicts.send(job.verdict, "queued")
            if self.line.wait_of(waiting).expected > self.limits.wait:
                self.reject(waiting)
            elif len(self.line.waiting) > _WAITING_EACH * self.limits.jobs:
                self.reject(self.line.last())

    def begin(self) -> None:
        """Start the jobs that may start, as far as memory permits; a single job always may.

        Those that memory is short for don't delay others that a reserved place is free for.
        """
        short = False
        while found := self.line.next(only_reserved=short):
            waiting, reserved = found
            if verdicts.hung_up(waiting.one.verdict):
                self.line.leave(waiting)
                waiting.one.close()
            elif not self.lacks_memory(waiting.one, reserved=reserved):
                self.dispatch(waiting, reserved=reserved)
            elif reserved:
                return
            else:
                short = True

    def lacks_memory(self, job: JobRequest, *, reserved: bool) -> bool:
        """Whether a job must wait for memory: in an ordinary place for as much as those like it have taken."""
        if reserved:
            return bool(self.working) and self.shortage.must_wait(self.limits.usual)
        if all(each.reserved for each in self.line.at_work):
            return False
        running = [(each.kind, peaks.held(each.processes())) for each in self.working.values()]
        left = self.peaks.to_come(running) + _KEPT_FREE * self.limits.usual
        return self.shortage.must_wait(self.peaks.expected(job.kind), left=left)

    def reject(self, waiting: Waiting[JobRequest]) -> None:
        """Tell a queued job that its turn does not come soon, and when to retry."""
        wait = self.line.wait_of(waiting).longest
        self.line.leave(waiting)
        verdicts.send(waiting.one.verdict, f"busy {wait:.1f}")
        waiting.one.close()

    def dispatch(self, waiting: Waiting[JobRequest], *, reserved: bool) -> None:
        """Hand a job to an idle child, or to a new one."""
        job = waiting.one
        while True:
            try:
                child = self.child_for(job)
            except OSError as error:
                if error.errno not in _NO_CHILD:
                    raise
                self.line.leave(waiting)
                verdicts.send(job.verdict, "full")
                job.close()
                return
            try:
                socket.send_fds(child.channel, [b"j"], [job.channel.fileno()])
                break
            except OSError:  # it died while idle
                self.working[child.pid] = child
        job.channel.close()
        now = time.monotonic()
        child.client, child.verdict, child.deadline = job.client, job.verdict, now + job.wall
        child.work, child.kind = self.line.begin(waiting, seconds=job.wall, reserved=reserved), job.kind
        child.check_at = now + footprint.next_check_after(child.place.limits.scratch)
        self.working[child.pid] = child
        self.selector.register(job.verdict, selectors.EVENT_READ, lambda: self.kill(child, "abandoned"))
        self.refill_at = now + _REFILL_AFTER
        verdicts.send(job.verdict, "started")

    def child_for(self, job: JobRequest) -> Child:
        if self.memory is not None:
            crowd = 1 + sum(each.place.memory for each in self.working.values())
            if not job.small or not self.memory.has_room(crowd):
                return self.spawn(self.disk)
        # A killed child stays among the idle ones until it is reaped, and would take the job with it.
        ready = next((each for each in self.idle if not each.killed), None)
        self.demand.job_arrived(found=ready is not None)
        if ready is None:
            self.spare()
            ready = self.idle[-1]
        self.idle.remove(ready)
        return ready

    def kill(self, child: Child, reason: str) -> None:
        """Kill a child with everything it started; it is reaped later."""
        if child.verdict is not None and reason == "abandoned":
            self.selector.unregister(child.verdict)
            child.verdict.close()
            child.verdict = None
        child.killed = child.killed or reason
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
            os.killpg(child.pid, signal.SIGKILL)
        if child.group is not None:
            groups.kill(child.group)

    def reap(self, pid: int, status: int, usage: resource.struct_rusage) -> bool:
        """Report the outcome of the job of a dead process; False if it is not a child of this pool."""
        child = self.working.pop(pid, None)
        if child is None:
            child = next((each for each in self.idle if each.pid == pid), None)
            if child is None:
                return False
            self.idle.remove(child)
            if os.waitstatus_to_exitcode(status) == 1:
                self.failed_starts += 1
        else:
            self.failed_starts = 0
            self.used_at = time.monotonic()
            # Now, while the web process stores the result, rather than during the next request.
            self.refill_at = 0.0
        with last_output(child.stderr) as last:
            ran_out_of_memory = last.reports_no_memory
            # If the client is gone nobody may read the error output: it may quote the file.
            log = _STDERR if child.client is None else child.client.log if child.client in self.clients else None
            if last and log is not None:
                last.write(log, f"engine.sandbox {self.profile} [{pid}]")
        os.close(child.stderr)
        if self.groups is not None and child.group is not None:
            ran_out_of_memory = self.groups.end(child.group) or ran_out_of_memory
        # Its descendants are dead by now: not yet reaped, or included in the time charged to it.
        spent = child.charged + spending.taken(usage, [each for each in child.processes() if each != pid])
        if child.work is not None:
            self.line.end(child.work, processor=spent)
            self.peaks.ended(child.kind, peaks.most(usage))
        if child.verdict is not None:
            not_started = "unbegun" if child.has_read_nothing() else None
            verdict: str = verdicts.reason(status, usage, child.place.limits, ran_out_of_memory=ran_out_of_memory)
            if verdict in ("done", "crashed") and child.place.is_full():
                verdict = child.place.filled  # where a child says so, it is believed only with this
            elif verdict == "crashed":
                verdict = verdicts.crash(status, pid)
            elif verdict == "output":
                verdict = child.place.over
            verdicts.send(child.verdict, f"{child.killed or not_started or verdict} {spent:.3f}")
            self.selector.unregister(child.verdict)
            child.verdict.close()
        child.channel.close()
        self.janitor.child_ended(child.folder)
        if self.failed_starts > _MAX_FAILED_STARTS:
            raise RuntimeError("children can't be confined")
        return True

    def charge(self, group: int, usage: resource.struct_rusage) -> None:
        """Charge a job for a program that outlived the process that started it."""
        if (child := self.working.get(group)) is not None:
            child.charged += spending.taken(usage, ())

    def tick(self) -> None:
        """Kill children over their time or disk limit, slow down long jobs, start or reject queued ones, and fork idle
        children."""
        now = time.monotonic()
        for child in self.working.values():
            if child.deadline <= now:
                self.kill(child, "timeout")
            elif child.check_at <= now and not child.killed:
                self.check_disk(child)
        for work in self.line.grown_long():
            slow_down(next(each.pid for each in self.working.values() if each.work is work))
        self.begin()
        while preempted := self.line.to_preempt():
            self.kill(next(each for each in self.working.values() if each.work is preempted), "later")
        for waiting in [each for each in self.line.waiting if each.since + self.limits.wait <= now]:
            self.reject(waiting)
        wanted = self.demand.wanted()
        for each in list(self.idle)[wanted:]:
            self.kill(each, "closing")
        if self.refill_at <= now and len(self.idle) < wanted and not self.line.waiting:
            try:
                self.spare()
            except OSError as error:
                if error.errno not in _NO_CHILD:
                    raise
                self.refill_at = now + _RETRY_AFTER

    def check_disk(self, child: Child) -> None:
        """Kill a child over its disk limit; it is stopped meanwhile, so that it can't hide files.

        Unlinked files are not searched if all jobs together hold less than one may.
        """
        place = child.place
        with paused(child.pid):
            most = place.most_held()
            processes = child.processes() if most is None else []
            taken = footprint.held(child.folder, place.folder, processes, uid=place.confinement.uid)
        taken = max(taken, most or 0)
        if taken > place.limits.scratch:
            self.kill(child, place.over)
        child.check_at = time.monotonic() + footprint.next_check_after(place.limits.scratch - taken)

    @property
    def is_idle(self) -> bool:
        """Whether it has been without jobs or clients for so long that its memory should be freed."""
        return not self.working and not self.line.waiting and time.monotonic() >= self.idle_from

    @property
    def idle_from(self) -> float:
        at = self.used_at + self.limits.rest
        return at if self.clients or self.alone is None else min(at, self.left_at + self.alone)

    def until_due(self) -> float:
        """Seconds until something is due, at most a minute."""
        now = time.monotonic()
        due = [now + _LONGEST_SLEEP]
        for child in self.working.values():
            if not child.killed:  # otherwise its end is signalled
                due += [child.deadline, child.check_at]
                if child.work is not None and not child.work.slowed:
                    due.append(child.work.began + LONG_AFTER)
        if len(self.idle) < self.demand.wanted():
            if not self.line.waiting:  # queued jobs come before idle children
                due.append(self.refill_at)
        elif self.idle:
            due.append(self.demand.changes_at())
        if self.line.waiting:
            due.append(now + _RETRY_QUEUED_AFTER)
        if not self.working and self.idle_from > now:  # a resting pool stays while other pools of the zygote are in use
            due.append(self.idle_from)
        return max(0.0, min(due) - now)

    def close(self) -> None:
        """Kill all children; the janitor cleans up once this process ends."""
        for child in (*self.working.values(), *self.idle):
            self.kill(child, "closing")
