"""Which request holds the claim of an idempotency key; an older version that still runs may leave it out."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('conversions', '0002_usage'),
    ]

    operations = [
        migrations.AddField(
            model_name='idempotencykey',
            name='token',
            field=models.CharField(db_default='', max_length=32),
        ),
    ]
