#!/usr/bin/env python
"""Django's command line, and a `convert` that needs no Django."""

import os
import sys


def main() -> int:
    if sys.argv[1:2] == ["convert"]:
        from config import engines, environment
        from engine import shell

        return shell.main(
            sys.argv[2:],
            prefix="manage.py convert",
            data=environment.data_path(),
            engine=engines.office_pdf(),
            unconfined=environment.boolean("DEBUG", False),
        )
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    execute_from_command_line(sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
