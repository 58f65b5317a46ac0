"""Moves the bytes of stored files from two levels of folders to one."""

from typing import Any

from django.core.files.storage import default_storage
from django.db import migrations


def move(apps: Any, schema_editor: Any) -> None:
    keys = apps.get_model("storage", "StoredFile").objects.order_by("pk").values_list("key", flat=True)
    for key in keys.iterator():
        before = f"{key[:2]}/{key[2:4]}/{key}"
        if default_storage.exists(before):
            after = f"{key[:2]}/{key}"
            default_storage.delete(after)  # what an attempt that was cut off has left
            with default_storage.open(before) as content:
                default_storage.save(after, content)
            default_storage.delete(before)


class Migration(migrations.Migration):
    dependencies = [("storage", "0001_initial")]
    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
