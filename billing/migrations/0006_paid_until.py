"""The end of what is paid, apart from the end of the current period, which a provider tells before it is paid."""

from django.db import migrations, models
from django.db.models import F


def install(apps, schema_editor):
    Standing = apps.get_model("billing", "Standing")
    Standing.objects.filter(plan__isnull=False).exclude(status="past_due").update(paid_until=F("period_end"))


class Migration(migrations.Migration):
    dependencies = [("billing", "0005_one_checkout")]
    operations = [
        migrations.AddField(
            model_name="standing",
            name="paid_until",
            field=models.DateTimeField(
                help_text="End of the paid period. Empty if the provider has no periods.", null=True
            ),
        ),
        migrations.RunPython(install, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="standing",
            name="period_end",
            field=models.DateTimeField(help_text="When the current period ends, even if unpaid.", null=True),
        ),
    ]
