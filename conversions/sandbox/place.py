"""Places: where the folder of a child is, on disk, or in memory for a job that is small."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass, replace

from conversions.sandbox.confinement import Confinement
from conversions.sandbox.footprint import MOST_ENTRIES
from conversions.sandbox.limits import Limits

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""What the system says where nothing more can be stored."""
_FULL = 1 << 20


@dataclass(frozen=True)
class Place:
    """A zygote's folder, beneath which each child that works here has its own, and what holds those children.

    Making a file costs a disk more the more files were deleted a moment ago: ext4 passes over each of their inodes for
    a minute and more, which came to half a millisecond a file under load. In memory it is a few microseconds.
    """

    folder: str
    confinement: Confinement
    memory: bool = False

    def beside(self, others: int) -> Place:
        """The same for children that have so many bytes of others' libraries in their address space."""
        return replace(self, confinement=replace(self.confinement, others=others))

    @property
    def over(self) -> str:
        """What it is called to have written more than the limits allow."""
        return "room" if self.memory else "output"

    @property
    def filled(self) -> str:
        """What it is called when there is no room here at all: on a disk that is the service's fault and no limit."""
        return "room" if self.memory else "full"

    def is_full(self) -> bool:
        """Whether there is no room here; libraries say in many ways, or not at all, that this is why they failed.

        A folder that was taken away has none.
        """
        try:
            free = os.statvfs(self.folder)
        except FileNotFoundError:
            return True
        return free.f_bavail * free.f_frsize < _FULL

    def nameless_file(self) -> int:
        """A new file of no name here, open for reading and writing, by its descriptor; raises OSError."""
        try:
            return os.open(self.folder, os.O_RDWR | os.O_TMPFILE | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except (IsADirectoryError, FileNotFoundError):  # a kernel that does not know of it (open(2))
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
        """Bytes that no job here can be over, as all that is in this memory is no more; None where that says nothing.

        It takes one call, where to find what one job holds without a name takes hundreds, and the job stands still.
        """
        if not self.memory:
            return None
        try:
            all_of_it = os.statvfs(self.folder)
        except OSError:
            return None
        used = (all_of_it.f_blocks - all_of_it.f_bfree) * all_of_it.f_frsize
        # One without a limit says nothing of its use, and many files of no size are too many, too.
        entries = all_of_it.f_files - all_of_it.f_ffree
        if not (all_of_it.f_blocks and all_of_it.f_files) or entries > MOST_ENTRIES or used > self.limits.scratch:
            return None
        return used

    def has_room(self, jobs: int) -> bool:
        """Whether so many jobs could each fill their folder to its limit."""
        try:
            free = os.statvfs(self.folder)
        except OSError:
            return False
        return free.f_bavail * free.f_frsize >= jobs * self.limits.scratch
