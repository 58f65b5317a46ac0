"""A daily budget of processor time for work that fails: what plans have of it, and what was used."""

import django.core.validators
from django.db import migrations, models

ALLOWED = "Processor time per day for failed conversions, in seconds."
BOUNDS = [django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1_000_000)]
# A file that does not parse takes 0.01 to 0.3 s (twelve kinds, measured); one that reaches a limit takes 60 s in most
# families. A guest may send three of these a day, and whoever has more conversions may have more that fail.
SECONDS = {"guest": 180, "free": 300, "starter": 1_200, "pro": 3_600, "scale": 14_400}


def install(apps, schema_editor):
    Plan = apps.get_model("accounts", "Plan")
    for code, seconds in SECONDS.items():
        Plan.objects.filter(code=code).update(failed_seconds=seconds)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0024_no_truncate")]
    operations = [
        migrations.AddField(
            model_name="plan",
            name="failed_seconds",
            field=models.PositiveBigIntegerField(default=600, help_text=ALLOWED, validators=BOUNDS),
        ),
        migrations.RunPython(install, migrations.RunPython.noop),
        migrations.AddField(
            model_name="limitoverride",
            name="failed_seconds",
            field=models.PositiveBigIntegerField(blank=True, help_text=ALLOWED, null=True, validators=BOUNDS),
        ),
        migrations.AddField(
            model_name="user",
            name="failed_ms",
            field=models.PositiveBigIntegerField(
                editable=False,
                help_text="Processor time used by failed conversions that day, in milliseconds.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="failed_on",
            field=models.DateField(
                editable=False, help_text="The day (UTC) of the failed conversions counted here.", null=True
            ),
        ),
        migrations.AddField(
            model_name="guestday",
            name="failed_ms",
            field=models.PositiveBigIntegerField(
                db_default=0, help_text="Processor time used by failed conversions, in milliseconds."
            ),
        ),
    ]
