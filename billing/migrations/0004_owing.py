"""Who has not paid in the days of grace is told apart from who has bought nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('billing', '0003_what_was_ordered'),
    ]

    operations = [
        migrations.AlterField(
            model_name='standing',
            name='status',
            field=models.CharField(choices=[('none', 'No subscription'), ('active', 'Paid'), ('past_due', 'Past due'), ('unpaid', "Ended without payment"), ('ending', "Ends after the current period")], default='none', max_length=10),
        ),
    ]
