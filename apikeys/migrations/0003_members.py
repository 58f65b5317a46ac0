"""The member of an organisation that a key counts for."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0022_organisations'),
        ('apikeys', '0002_lists'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='member',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='api_keys', to='accounts.membership'),
        ),
    ]
