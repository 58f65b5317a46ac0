"""All tasks, by name and by group."""

from __future__ import annotations

from conversions.pages.tasks import documents, images, media, pdf, tables
from conversions.pages.tasks.task import Task
from engine.families.registry import CONVERTERS

ALL = (*pdf.TASKS, *images.TASKS, *documents.TASKS, *tables.TASKS, *media.TASKS)
TASKS = {each.name: each for each in ALL if not CONVERTERS.keys().isdisjoint(each.slugs)}
if len({each.name for each in ALL}) != len(ALL):
    raise ValueError("two tasks have one name")


def offered() -> list[Task]:
    """Tasks with an available conversion."""
    return [each for each in TASKS.values() if each.converters]


def groups() -> dict[str, list[Task]]:
    """The tasks of each group, in order of declaration."""
    found: dict[str, list[Task]] = {}
    for each in offered():
        found.setdefault(each.group, []).append(each)
    return found


def of_several_files(slug: str) -> Task | None:
    """The task that makes one result of several files with this conversion, or of files that it takes one by one."""
    return next((each for each in offered() if each.gathers and slug in each.slugs), None)
