"""`python -m config.serve`: migrate the database, compile languages, print the address, and serve."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from gunicorn.app.wsgiapp import WSGIApplication

from languages.compiled import outdated

BANNER = """
{name} is at http://127.0.0.1:{port}   (API reference: /docs, admin: /admin/)

  Make an admin:   {python} manage.py createsuperuser
  Convert a file:  echo '[{{"id": 1, "name": "Ada"}}]' > people.json
                   curl -F file=@people.json http://127.0.0.1:{port}/api/v1/converter/json-to-csv

Stop with Ctrl-C.
"""


def migrate() -> None:
    """Apply missing migrations; checking the recorded ones is much cheaper than the command."""
    connection = connections[DEFAULT_DB_ALIAS]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    # Workers are forked from this process and must not inherit its connections or a pool of them.
    for each in connections.all(initialized_only=True):
        each.close()
        if hasattr(each, "close_pool"):
            each.close_pool()


def main() -> None:
    gc.disable()  # imports stay in memory; config.gunicorn enables collection again
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("check", tags=["site"])
    # In a separate process, parallel to the migrations, as the compiler is not needed afterwards.
    compiling = [sys.executable, "manage.py", "messages", "compile"]
    compiler = subprocess.Popen(compiling, stdout=subprocess.DEVNULL) if any(outdated()) else None
    migrate()
    if compiler and compiler.wait():
        raise SystemExit("The languages can't be compiled: `manage.py messages compile`.")
    python = os.path.relpath(sys.executable) if sys.executable.startswith(os.getcwd()) else "python"
    sys.stdout.write(BANNER.format(name=settings.SERVICE_NAME, port=settings.PORT, python=python))
    sys.stdout.flush()
    sys.argv = ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
    WSGIApplication("%(prog)s [OPTIONS] [APP_MODULE]", prog="gunicorn").run()


if __name__ == "__main__":
    main()
