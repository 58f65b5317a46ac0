"""When an address was confirmed, and since when it is waited for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_counting"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="unconfirmed_since",
            field=models.DateTimeField(
                editable=False,
                help_text="Monthly credits and keys are available once the address is confirmed.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="verified_at",
            field=models.DateTimeField(
                editable=False, help_text="When the address was confirmed with an emailed link.", null=True
            ),
        ),
    ]
