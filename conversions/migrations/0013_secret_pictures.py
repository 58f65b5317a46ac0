"""Pictures to stamp pages with are taken out of the history: only that there was one stays."""

from django.db import migrations

SLUG = "pdf-to-pdf"
PICTURE = "picture"
BATCH = 500


def hide(apps, schema_editor):
    Conversion = apps.get_model("conversions", "Conversion")
    rows = Conversion.objects.filter(slug=SLUG).order_by("pk").only("options")
    batch = list(rows[:BATCH])
    while batch:
        changed = [row for row in batch if PICTURE in row.options]
        for row in changed:
            if row.options.pop(PICTURE) is not None:
                row.options[PICTURE] = True
        Conversion.objects.bulk_update(changed, ["options"])
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:BATCH])


class Migration(migrations.Migration):
    dependencies = [("conversions", "0012_usage_of_keys")]
    operations = [migrations.RunPython(hide, migrations.RunPython.noop)]
