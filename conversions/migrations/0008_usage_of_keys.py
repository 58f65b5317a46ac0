"""Days of one API key are counted beside those of its account."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('conversions', '0007_offer'),
    ]

    operations = [
        migrations.AlterField(
            model_name='usage',
            name='span',
            field=models.CharField(choices=[('day', 'Day'), ('month', 'Month'), ('key', 'Key')], max_length=5),
        ),
    ]
