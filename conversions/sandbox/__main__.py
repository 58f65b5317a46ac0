"""The sandbox's programs: a zygote (`python -I __main__.py DESCRIPTOR`, its leader's socket), or a supervisor
(`FOLDER NAME`, where it listens, `LINGER` seconds without a client, and how many zygotes of a kind there may be)."""

from __future__ import annotations

import os
import sys

# Last, so that no folder of the project can stand in for a module of the standard library.
sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

if len(sys.argv) == 2:
    from conversions.sandbox import janitor, libc

    # What they have in memory and open are all jobs of a profile: no other process of their user is to look into it.
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    keeper = janitor.start()  # before all that follows is in memory

    from conversions.sandbox import zygote

    zygote.main(int(sys.argv[1]), keeper)
else:
    from conversions.sandbox import supervisor

    supervisor.main(sys.argv[1], sys.argv[2], linger=float(sys.argv[3]), each=int(sys.argv[4]))
