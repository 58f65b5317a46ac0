"""What a key may do: those made before convert, as ever."""
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('apikeys', '0003_members'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='scope',
            field=models.CharField(db_default='convert', default='convert', max_length=100, verbose_name='access'),
        ),
    ]
