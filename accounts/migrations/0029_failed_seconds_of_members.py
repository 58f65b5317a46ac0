"""The processor time of members' failed work: none is counted yet."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0028_words")]
    operations = [
        migrations.AddField(
            model_name="membership",
            name="failed_ms",
            field=models.PositiveBigIntegerField(
                editable=False,
                help_text="Processor time used by failed conversions that day, in milliseconds.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="failed_on",
            field=models.DateField(
                editable=False, help_text="The day (UTC) of the failed conversions counted here.", null=True
            ),
        ),
    ]
