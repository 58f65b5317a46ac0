"""Confinement: what a child may do, prepared once by the zygote and applied by each child before its job."""

from __future__ import annotations

import dataclasses
import itertools
import os
import resource
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.sandbox import identity, landlock, libc, seccomp
from engine.sandbox.limits import PROCESSES_BEYOND, Limits
from engine.toolkit import own_fonts

_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_DATA = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null")


@dataclass(frozen=True)
class Confinement:
    """Everything that confines a child.

    The Landlock ABI version used (0: none), the system call filter (None: none), the readable paths, the programs that
    may be run, the limits, the `users` a child may become (None: it keeps its user) and the one it becomes. If programs
    are `launched`, only a process beside the child may start them. Libraries of `others` occupy that many bytes of the
    child's address space, which are added to its limit. `legible` children let processes of the same user inspect their
    open files; those are equally confined, and prevented by Landlock and the filter.
    """

    landlock_abi: int
    filter: bytes | None
    readable: tuple[str, ...]
    programs: tuple[str, ...]
    limits: Limits
    users: range | None
    keep_search: bool
    legible: bool
    launched: bool = False
    common: tuple[bytes, ...] = ()
    others: int = 0
    uid: int | None = None

    def shared(self) -> Confinement:
        """The same for any number of children, with their common Landlock rules made once."""
        if not self.landlock_abi:
            return self
        made = [landlock.rules(self.landlock_abi, *each) for each in self._granted()]
        return dataclasses.replace(self, common=tuple(itertools.chain(*made)))

    def of_one(self) -> Confinement:
        """The same for one child, with the user it becomes."""
        return self if self.users is None else dataclasses.replace(self, uid=identity.draw(self.users))

    def _granted(self) -> Sequence[tuple[Iterable[str], int]]:
        return (
            (self.readable, landlock.READ),
            (() if self.launched else self.programs, landlock.RUN),
            (("/dev/null",), landlock.READ_FILE | landlock.WRITE_FILE),
        )

    def ruleset(self, folder: str) -> landlock.Ruleset | None:
        """The Landlock ruleset for a process with this folder, made while paths can still be opened.

        None if the kernel has no Landlock; raises OSError if it refuses.
        """
        if not self.landlock_abi:
            return None
        made = landlock.Ruleset(self.landlock_abi)
        made.add(*self.common)
        for paths, rights in () if self.common else self._granted():
            made.allow(paths, rights)
        made.allow((folder,), landlock.WRITE)
        return made

    def apply(self, rules: int | None, *, parent: int, processes: int | None) -> None:
        """Confine this process to a ruleset, by descriptor, and limit the number of processes of its user.

        None sets no process limit, for jobs whose control group has one. The process dies with its parent, and at once
        if the parent is no longer `parent`. The order matters: changing the user resets the parent-death signal
        (prctl(2), PR_SET_PDEATHSIG), ids change before their limits are set, and the filter comes last as it forbids
        all of these calls. Raises OSError if the kernel refuses; the child must not run then.
        """
        identity.drop(self.uid, keep_search=self.keep_search)
        limits = self.limits
        memory = limits.memory + self.others
        for which, soft, hard in (
            # The gap between the soft and the hard limit lets a child that ran out of memory report it.
            (resource.RLIMIT_AS, memory, memory + (32 << 20)),
            (resource.RLIMIT_CPU, limits.cpu, limits.cpu + 1),
            (resource.RLIMIT_FSIZE, limits.scratch, limits.scratch),
            (resource.RLIMIT_NOFILE, limits.files, limits.files),
            (resource.RLIMIT_CORE, 0, 0),
        ):
            resource.setrlimit(which, (soft, hard))
        if processes is not None:
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
        libc.prctl(libc.PR_SET_DUMPABLE, int(self.legible))
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        if rules is not None:
            landlock.enforce(rules)
            os.close(rules)
        if self.filter is not None:
            seccomp.load(self.filter)

    @property
    def forks(self) -> bool:
        """Whether the child itself may start processes."""
        return bool(self.programs) and not self.launched

    def process_limit(self) -> int:
        """The process limit for a job's user, counting processes that it already has."""
        if self.apart:
            return PROCESSES_BEYOND
        uid = os.geteuid() if self.users is None else self.users[0]
        return identity.processes_of(uid) + PROCESSES_BEYOND

    @property
    def apart(self) -> bool:
        """Whether each job has its own user id."""
        return self.users is not None and len(self.users) > 1


def prepare(
    limits: Limits,
    *,
    programs: tuple[str, ...],
    folders: tuple[str, ...],
    beneath: Sequence[str],
    abi_at_most: int | None,
    filtered: bool,
    users: range | None,
    launched: bool = False,
) -> Confinement:
    """The strictest confinement this kernel supports, for children with folders below `beneath`.

    They may run `programs`, themselves unless `launched`, and read `folders` besides the interpreter, libraries and
    fonts, also those of FONTS_DIR. `abi_at_most` and `filtered` weaken it, to test the behaviour of older kernels.
    """
    abi = landlock.abi() if abi_at_most is None else min(landlock.abi(), abi_at_most)
    imports = [os.path.realpath(each) for each in sys.path if os.path.isabs(each)]
    fonts = (own_fonts.folder(),) if own_fonts.folder() else ()
    python = (*imports, os.path.join(sys.base_prefix, "lib"), os.path.realpath(sys.executable), str(_PACKAGE))
    project = str(_PACKAGE.parent)
    readable = _outermost(each for each in (*python, *_LIBRARIES, *_DATA, *fonts, *folders) if each != project)
    user = os.geteuid() if users is None else users[0]
    # A service running as root may have its interpreter in a folder only root can enter.
    unreachable = not all(
        identity.reachable(each, user) for each in (*python, *(os.path.join(each, "job") for each in beneath))
    )
    return Confinement(
        landlock_abi=abi,
        filter=seccomp.build(programs=bool(programs) and not launched) if filtered else None,
        readable=readable,
        programs=programs,
        limits=limits,
        users=users,
        keep_search=bool(abi) and unreachable and identity.can_search(),
        # Nothing else accounts for what a job stores in unnamed files.
        legible=not identity.has_capability(identity.CAP_SYS_PTRACE),
        launched=launched,
    )


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """The existing paths, resolved, without those below another: each costs every child a rule."""
    found: list[str] = []
    for each in sorted({os.path.realpath(each) for each in paths}):
        if os.path.exists(each) and not (found and each.startswith(found[-1] + os.sep)):
            found.append(each)
    return tuple(found)
