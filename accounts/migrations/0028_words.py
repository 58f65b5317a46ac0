"""Names of fields as the admin shows them."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0027_renewal_day'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='identity',
            options={'ordering': ['id'], 'verbose_name_plural': 'identities'},
        ),
        migrations.AlterField(
            model_name='limitoverride',
            name='api_access',
            field=models.BooleanField(blank=True, null=True, verbose_name='API access'),
        ),
        migrations.AlterField(
            model_name='limitoverride',
            name='api_keys',
            field=models.PositiveBigIntegerField(blank=True, help_text="Maximum number of active API keys.", null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(10000)], verbose_name='API keys'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='api_access',
            field=models.BooleanField(default=False, verbose_name='API access'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='api_keys',
            field=models.PositiveBigIntegerField(help_text="Maximum number of active API keys.", validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(10000)], verbose_name='API keys'),
        ),
        migrations.AlterField(
            model_name='user',
            name='is_active',
            field=models.BooleanField(default=True, verbose_name='active'),
        ),
        migrations.AlterField(
            model_name='user',
            name='is_staff',
            field=models.BooleanField(default=False, help_text="Can use the admin.", verbose_name='staff'),
        ),
    ]
