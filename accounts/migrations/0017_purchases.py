"""Credits that are bought or refunded are entries of their own kinds."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0016_support_notes'),
    ]

    operations = [
        migrations.AlterField(
            model_name='creditentry',
            name='kind',
            field=models.CharField(choices=[('top_up', 'Monthly top-up'), ('conversion', 'Conversion'), ('grant', 'Granted by staff'), ('plan_change', "Plan change"), ('purchase', 'Bought'), ('refund', 'Refunded')], max_length=20),
        ),
    ]
