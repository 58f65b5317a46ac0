"""Files that are gone with their first download."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('storage', '0003_removals'),
    ]

    operations = [
        migrations.AddField(
            model_name='storedfile',
            name='once',
            field=models.BooleanField(default=False, help_text='The first download takes it away.'),
        ),
    ]
