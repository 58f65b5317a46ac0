"""The plans that are installed at first; staff edit them afterwards."""

from django.db import migrations

MB = 1_000_000

PLANS = [
    # code, name, credits, API access, keys, largest file, requests a minute, jobs, hours kept
    ("guest", "Guest", 10, False, 0, 5 * MB, 30, 2, 1),
    ("free", "Free", 100, False, 0, 10 * MB, 60, 2, 24),
    ("starter", "Starter", 2_000, True, 3, 25 * MB, 120, 3, 24),
    ("pro", "Pro", 10_000, True, 10, 100 * MB, 300, 6, 72),
    ("scale", "Scale", 50_000, True, 50, 250 * MB, 1_200, 16, 168),
]


def install(apps, schema_editor):
    Plan = apps.get_model("accounts", "Plan")
    for position, (code, name, credits, access, keys, size, rate, jobs, hours) in enumerate(PLANS):
        Plan.objects.get_or_create(
            code=code,
            defaults={
                "name": name,
                "position": position,
                "credits": credits,
                "api_access": access,
                "api_keys": keys,
                "max_file_bytes": size,
                "requests_per_minute": rate,
                "concurrent_jobs": jobs,
                "retention_hours": hours,
            },
        )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
