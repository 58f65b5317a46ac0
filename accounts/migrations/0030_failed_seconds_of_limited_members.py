"""The processor time of failed work by members with a limit, for their organisation: none is counted yet."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0029_failed_seconds_of_members")]
    operations = [
        migrations.AddField(
            model_name="user",
            name="limited_failed_ms",
            field=models.PositiveBigIntegerField(
                editable=False,
                help_text="Processor time used by failed conversions that day, in milliseconds.",
                null=True,
            ),
        ),
    ]
