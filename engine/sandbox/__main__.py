"""The sandbox's entry points: a zygote (`python -I __main__.py DESCRIPTOR`, where the descriptor is its leader's
socket), or a supervisor (`FOLDER NAME LINGER EACH`: where it listens, its seconds without clients before it ends, and
the most zygotes of a kind)."""

from __future__ import annotations

import os
import sys

# Last, so that no folder of the project can shadow a module of the standard library.
sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

if len(sys.argv) == 2:
    from engine.sandbox import janitor, libc

    # All jobs of a profile share its memory and open files: no other process of the same user may inspect them.
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    keeper = janitor.start()  # before anything else is loaded

    from engine.sandbox import zygote

    zygote.main(int(sys.argv[1]), keeper)
else:
    from engine.sandbox import supervisor

    supervisor.main(sys.argv[1], sys.argv[2], linger=float(sys.argv[3]), each=int(sys.argv[4]))
