"""How many bytes of results are kept at once, and what a plan weighs in the sandbox's line."""

import django.core.validators
from django.db import migrations, models

GB = 1_000_000_000
KEPT = "Storage for results, in bytes."
KEPT_OF_PLAN = "Storage for results, in bytes. Guests in a network of 256 addresses share it."
BOUNDS = [django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10**15)]
# A result has at most 1 GB, and nearly all have less than 20 MB. Guests of a network share what one of them could fill
# with two of the largest, for an hour.
ROOM = {"guest": 2 * GB, "free": 2 * GB, "starter": 20 * GB, "pro": 100 * GB, "scale": 500 * GB}


def install(apps, schema_editor):
    Plan = apps.get_model("accounts", "Plan")
    for code, room in ROOM.items():
        Plan.objects.filter(code=code).update(stored_bytes=room)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0025_failed_seconds")]
    operations = [
        migrations.AddField(
            model_name="plan",
            name="stored_bytes",
            field=models.PositiveBigIntegerField(default=10 * GB, help_text=KEPT_OF_PLAN, validators=BOUNDS),
        ),
        migrations.AddField(
            model_name="plan",
            name="weight",
            field=models.PositiveSmallIntegerField(
                default=1,
                help_text="Share of processor time when conversions queue. A plan with 2 gets twice as "
"much as a plan with 1.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(100),
                ],
            ),
        ),
        migrations.RunPython(install, migrations.RunPython.noop),
        migrations.AddField(
            model_name="limitoverride",
            name="stored_bytes",
            field=models.PositiveBigIntegerField(blank=True, help_text=KEPT, null=True, validators=BOUNDS),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(("stored_bytes__gte", 1), ("weight__gte", 1), ("weight__lte", 100)),
                name="plan_weight",
            ),
        ),
    ]
