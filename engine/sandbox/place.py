"""Where children have their folders: on disk or, for small jobs, in memory."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass, replace

from engine.sandbox.confinement import Confinement
from engine.sandbox.footprint import MOST_ENTRIES
from engine.sandbox.limits import Limits

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""The errors of a full disk or quota."""
_FULL = 1 << 20


@dataclass(frozen=True)
class Place:
    """A zygote's folder, which contains one for each child, and the confinement of those children.

    Creating files on ext4 slows down after many deletions, as recently freed inodes are skipped for over a minute: up
    to 0.5 ms per file under load. In memory it takes microseconds.
    """

    folder: str
    confinement: Confinement
    memory: bool = False

    def beside(self, others: int) -> Place:
        """The same for children with this many bytes of other profiles' libraries in their address space."""
        return replace(self, confinement=replace(self.confinement, others=others))

    def of_one(self) -> Place:
        """The same for one child."""
        return replace(self, confinement=self.confinement.of_one())

    @property
    def over(self) -> str:
        """Verdict for exceeding the disk limit."""
        return "room" if self.memory else "output"

    @property
    def filled(self) -> str:
        """Verdict for a full place: on disk that is a fault of the service, not a limit."""
        return "room" if self.memory else "full"

    def is_full(self) -> bool:
        """Whether the place is full, which libraries report in many ways or not at all.

        A folder that no longer exists counts as full.
        """
        try:
            free = os.statvfs(self.folder)
        except FileNotFoundError:
            return True
        return free.f_bavail * free.f_frsize < _FULL or (free.f_files > 0 and not free.f_favail)

    def nameless_file(self) -> int:
        """The descriptor of a new unnamed file here, open for reading and writing; raises OSError."""
        try:
            return os.open(self.folder, os.O_RDWR | os.O_TMPFILE | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except (IsADirectoryError, FileNotFoundError):  # a kernel or file system without O_TMPFILE (open(2))
            if not os.path.isdir(self.folder):
                raise
        except OSError as error:
            if error.errno != errno.EOPNOTSUPP:
                raise
        descriptor, name = tempfile.mkstemp(dir=self.folder)
        os.unlink(name)
        return descriptor

    @property
    def limits(self) -> Limits:
        return self.confinement.limits

    def most_held(self) -> int | None:
        """An upper bound on the bytes any job here holds: the usage of this memory file system; None if unknown.

        This takes one call, where measuring one job's unlinked files takes hundreds and pauses the job.
        """
        if not self.memory:
            return None
        try:
            all_of_it = os.statvfs(self.folder)
        except OSError:
            return None
        used = (all_of_it.f_blocks - all_of_it.f_bfree) * all_of_it.f_frsize
        # Without a size limit no usage is reported; and many empty files are too many, too.
        entries = all_of_it.f_files - all_of_it.f_ffree
        if not (all_of_it.f_blocks and all_of_it.f_files) or entries > MOST_ENTRIES or used > self.limits.scratch:
            return None
        return used

    def has_room(self, jobs: int) -> bool:
        """Whether this many jobs could all fill their folders to the limit."""
        try:
            free = os.statvfs(self.folder)
        except OSError:
            return False
        return free.f_bavail * free.f_frsize >= jobs * self.limits.scratch
