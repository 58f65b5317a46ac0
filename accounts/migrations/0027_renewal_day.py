"""The day of the month when an account's credits renew: that of its last purchase, by default the first."""

import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0026_room_and_weight")]
    operations = [
        migrations.AddField(
            model_name="user",
            name="renewal_day",
            field=models.PositiveSmallIntegerField(
                editable=False,
                help_text="Day of the month when credits renew: the day of the last purchase. Empty for "
"the first.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="period",
            field=models.DateField(
                default=datetime.date(1970, 1, 1),
                editable=False,
                help_text="First day of the month of the last top-up.",
            ),
        ),
    ]
