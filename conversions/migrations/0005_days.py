from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('conversions', '0004_receipts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Day',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('slug', models.CharField(max_length=40)),
                ('code', models.CharField(blank=True, max_length=40)),
                ('shard', models.PositiveSmallIntegerField(default=0)),
                ('conversions', models.PositiveBigIntegerField(default=0)),
                ('duration_ms', models.PositiveBigIntegerField(default=0)),
                ('credits', models.PositiveBigIntegerField(default=0)),
                ('bytes_in', models.PositiveBigIntegerField(default=0)),
                ('bytes_out', models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.AddIndex(
            model_name='conversion',
            index=models.Index(fields=['slug', '-created_at', '-id'], name='conversion_slug'),
        ),
        migrations.AddIndex(
            model_name='conversion',
            index=models.Index(fields=['plan', '-created_at', '-id'], name='conversion_plan'),
        ),
        migrations.AddIndex(
            model_name='conversion',
            index=models.Index(condition=models.Q(('status', 'failed')), fields=['-created_at', '-id'], name='conversion_failed'),
        ),
        migrations.AddConstraint(
            model_name='day',
            constraint=models.UniqueConstraint(fields=('day', 'slug', 'code', 'shard'), name='day_once'),
        ),
    ]
