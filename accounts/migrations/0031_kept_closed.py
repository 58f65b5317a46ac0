"""When staff decided that a closed account stays closed: of none yet."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0030_failed_seconds_of_limited_members")]
    operations = [
        migrations.AddField(
            model_name="user",
            name="kept_closed_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When staff decided that its owner can't restore the closed account.",
                null=True,
            ),
        ),
    ]
