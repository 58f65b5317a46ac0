"""What was to be redacted, or filled into a form, is taken out of the history: only that there was one stays."""

from django.db import migrations

SLUG = "pdf-to-pdf"
SECRET = ("redactText", "redactPattern", "fields")
BATCH = 500


def hide(apps, schema_editor):
    Conversion = apps.get_model("conversions", "Conversion")
    rows = Conversion.objects.filter(slug=SLUG).order_by("pk").only("options")
    batch = list(rows[:BATCH])
    while batch:
        changed = []
        for row in batch:
            kept = {name: value for name, value in row.options.items() if name not in SECRET}
            given = {name: True for name in SECRET if row.options.get(name) is not None}
            if row.options != kept | given:
                row.options = kept | given
                changed.append(row)
        Conversion.objects.bulk_update(changed, ["options"])
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:BATCH])


class Migration(migrations.Migration):
    dependencies = [("conversions", "0009_made_by")]
    operations = [migrations.RunPython(hide, migrations.RunPython.noop)]
