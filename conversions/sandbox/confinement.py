"""Confinement: what a child may still do, prepared once by the zygote and put on by each child before its job."""

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

from conversions.sandbox import identity, landlock, libc, seccomp
from conversions.sandbox.limits import PROCESSES_BEYOND, Limits

_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_DATA = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null")


@dataclass(frozen=True)
class Confinement:
    """All that holds a child: the kernel's Landlock version used (0: none), the system call filter (None: none), the
    readable paths, the programs that may be run, the limits, and the user it becomes (None: stays).

    Where programs are `launched`, a process beside the child may start them, and the child itself may not. Libraries of
    `others` are in the child's memory, too: so many bytes more of address space it may have.

    `legible` children let processes of their own user look at what they have open; those are confined as they are,
    and are kept from it by Landlock and the filter.
    """

    landlock_abi: int
    filter: bytes | None
    readable: tuple[str, ...]
    programs: tuple[str, ...]
    limits: Limits
    uid: int | None
    keep_search: bool
    legible: bool
    launched: bool = False
    common: tuple[bytes, ...] = ()
    others: int = 0

    def shared(self) -> Confinement:
        """The same for any number of children, with the Landlock rules that all of them have made once: `common`."""
        if not self.landlock_abi:
            return self
        made = [landlock.rules(self.landlock_abi, *each) for each in self._granted()]
        return dataclasses.replace(self, common=tuple(itertools.chain(*made)))

    def _granted(self) -> Sequence[tuple[Iterable[str], int]]:
        return (
            (self.readable, landlock.READ),
            (() if self.launched else self.programs, landlock.RUN),
            (("/dev/null",), landlock.READ_FILE | landlock.WRITE_FILE),
        )

    def ruleset(self, folder: str) -> landlock.Ruleset | None:
        """What Landlock is to allow a process whose own folder this is, made while paths can be opened.

        None where the kernel has no Landlock; raises OSError where it refuses.
        """
        if not self.landlock_abi:
            return None
        made = landlock.Ruleset(self.landlock_abi)
        made.add(*self.common)
        for paths, rights in () if self.common else self._granted():
            made.allow(paths, rights)
        made.allow((folder,), landlock.WRITE)
        return made

    def apply(self, rules: int | None, *, parent: int, processes: int) -> None:
        """Confine this process to a ruleset, by its descriptor, and to as many processes as its user may have.

        It ends with its parent, and at once if that is no longer the process `parent`. The order matters: to change who
        it is makes a process outlive its parent again (prctl(2), PR_SET_PDEATHSIG), ids go before the limits on them,
        and the filter, which forbids all of these calls, comes last. Raises OSError where the kernel refuses; nothing
        may run then.
        """
        identity.drop(self.uid, keep_search=self.keep_search)
        limits = self.limits
        memory = limits.memory + self.others
        for which, soft, hard in (
            # The rest between soft and hard is what a child that ran out of memory needs to say so.
            (resource.RLIMIT_AS, memory, memory + (32 << 20)),
            (resource.RLIMIT_CPU, limits.cpu, limits.cpu + 1),
            (resource.RLIMIT_FSIZE, limits.scratch, limits.scratch),
            (resource.RLIMIT_NOFILE, limits.files, limits.files),
            (resource.RLIMIT_NPROC, processes, processes),
            (resource.RLIMIT_CORE, 0, 0),
        ):
            resource.setrlimit(which, (soft, hard))
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
        """How many processes and threads a job's user may have from now on."""
        uid = os.geteuid() if self.uid is None else self.uid
        return identity.processes_of(uid) + PROCESSES_BEYOND


def prepare(
    limits: Limits,
    *,
    programs: tuple[str, ...],
    folders: tuple[str, ...],
    beneath: Sequence[str],
    abi_at_most: int | None,
    filtered: bool,
    uid: int | None,
    launched: bool = False,
) -> Confinement:
    """The strictest confinement that this kernel has for children that work beneath the folders `beneath`.

    They may run `programs`, themselves unless `launched`, and read `folders` beside the interpreter, the libraries and
    the fonts.
    `abi_at_most` and `filtered` make it weaker, to see what an older kernel would hold.
    """
    abi = landlock.abi() if abi_at_most is None else min(landlock.abi(), abi_at_most)
    imports = [os.path.realpath(each) for each in sys.path if os.path.isabs(each)]
    python = (*imports, os.path.join(sys.base_prefix, "lib"), os.path.realpath(sys.executable), str(_PACKAGE))
    project = str(_PACKAGE.parent)
    readable = _outermost(each for each in (*python, *_LIBRARIES, *_DATA, *folders) if each != project)
    user = os.geteuid() if uid is None else uid
    # A service that is run by root may have its interpreter in a folder that only root can enter.
    unreachable = not all(
        identity.reachable(each, user) for each in (*python, *(os.path.join(each, "job") for each in beneath))
    )
    return Confinement(
        landlock_abi=abi,
        filter=seccomp.build(programs=bool(programs) and not launched) if filtered else None,
        readable=readable,
        programs=programs,
        limits=limits,
        uid=uid,
        keep_search=bool(abi) and unreachable and identity.can_search(),
        # What a job holds in files without a name can be counted by nobody else.
        legible=not identity.has_capability(identity.CAP_SYS_PTRACE),
        launched=launched,
    )


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Those that exist and are beneath none of the others, by their real names: each is a rule that a child makes."""
    found: list[str] = []
    for each in sorted({os.path.realpath(each) for each in paths}):
        if os.path.exists(each) and not (found and each.startswith(found[-1] + os.sep)):
            found.append(each)
    return tuple(found)
