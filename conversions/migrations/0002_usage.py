"""Usage by day and by month with the durations in the row, in place of a row for every duration."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def move(apps, schema_editor):
    cells = apps.get_model("conversions", "UsageCell").objects
    sums = apps.get_model("conversions", "Usage")
    for owner in cells.order_by().values_list("owner_id", flat=True).distinct():
        rows = {}
        for cell in cells.filter(owner_id=owner).iterator():
            for place in (
                ("day", cell.day, ""),
                ("day", cell.day, cell.slug),
                ("month", cell.day.replace(day=1), cell.slug),
            ):
                if place not in rows:
                    span, start, slug = place
                    rows[place] = sums(owner_id=owner, span=span, start=start, slug=slug)
                _add(rows[place], cell)
        sums.objects.bulk_create(rows.values(), batch_size=1_000)


def _add(row, cell):
    for name in ("conversions", "credits", "bytes_in", "bytes_out"):
        setattr(row, name, getattr(row, name) + getattr(cell, name))
    if cell.failed:
        row.failures += cell.conversions
    else:
        bucket = f"{cell.bucket:03}"
        row.durations[bucket] = row.durations.get(bucket, 0) + cell.conversions


class Migration(migrations.Migration):
    dependencies = [
        ("conversions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Usage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("span", models.CharField(choices=[("day", "Day"), ("month", "Month")], max_length=5)),
                ("start", models.DateField()),
                ("slug", models.CharField(blank=True, max_length=40)),
                ("conversions", models.PositiveIntegerField(default=0)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("credits", models.PositiveBigIntegerField(default=0)),
                ("bytes_in", models.PositiveBigIntegerField(default=0)),
                ("bytes_out", models.PositiveBigIntegerField(default=0)),
                ("durations", models.JSONField(default=dict)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "span", "start", "slug"), name="usage_once")
                ],
            },
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
        migrations.DeleteModel(name="UsageCell"),
    ]
