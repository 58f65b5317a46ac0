"""A zygote's preparations and then jobs in forks of it: `python -m tests.sandbox.imports FAMILY FOLDER`.

FOLDER has one folder a job, named by its slug, with the input and its options. For each job that imported modules of
this project, a line with its slug and their names is printed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import cast

from engine.sandbox.limits import NOT_PRELOADED
from engine.sandbox.preload import converters_of, preload
from engine.toolkit.declaring import Profile
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn


def main(profile: Profile, folder: Path) -> None:
    converters = converters_of(profile, ())
    preload(profile, converters)
    before = set(sys.modules)
    for job in sorted(folder.iterdir()):
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            assert os.waitpid(pid, 0)[1] == 0, job.name
            continue
        converter = converters[job.name]
        os.environ["TMPDIR"] = str(job)
        options = build(converter.options, json.loads((job / "options.json").read_text()))
        target = job / f"output.{converter.output.id}"
        converter.run(job / f"input.{converter.input.id}", target, options, Warn())
        new = set(sys.modules) - before
        own = sorted(each for each in new if each.startswith("conversions."))
        # What is too large for every child takes with it what is built on it.
        if own and not new & {*NOT_PRELOADED[profile], *converter.engine.lazy}:
            print(job.name, *own, flush=True)
        os._exit(0)


if __name__ == "__main__":
    main(cast("Profile", sys.argv[1]), Path(sys.argv[2]))
