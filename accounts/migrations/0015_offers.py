"""What plans say of themselves where they are sold, and the version of what is offered."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_logins_and_changes'),
    ]

    operations = [
        migrations.AddField(
            model_name='plan',
            name='description',
            field=models.CharField(blank=True, help_text="Who it is for, in one sentence.", max_length=200),
        ),
        migrations.AddField(
            model_name='plan',
            name='offer_version',
            field=models.PositiveBigIntegerField(default=0, editable=False, help_text="Version of the price list: incremented in all plans when prices change."),
        ),
        migrations.AddField(
            model_name='plan',
            name='recommended',
            field=models.BooleanField(default=False, help_text="Highlight on the plans page."),
        ),
    ]
