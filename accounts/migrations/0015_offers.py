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
            field=models.CharField(blank=True, help_text='For whom it is, in a sentence.', max_length=200),
        ),
        migrations.AddField(
            model_name='plan',
            name='offer_version',
            field=models.PositiveBigIntegerField(default=0, editable=False, help_text='Of what is offered: counted up in all plans where prices change.'),
        ),
        migrations.AddField(
            model_name='plan',
            name='recommended',
            field=models.BooleanField(default=False, help_text='Stands out on the page of plans.'),
        ),
    ]
