from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('apikeys', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='apikey',
            index=models.Index(fields=['-created_at', 'id'], name='apikey_newest'),
        ),
        migrations.AddIndex(
            model_name='apikey',
            index=models.Index(fields=['revoked_at'], name='apikey_revoked'),
        ),
        migrations.AddIndex(
            model_name='apikey',
            index=models.Index(fields=['expires_at'], name='apikey_expires'),
        ),
    ]
