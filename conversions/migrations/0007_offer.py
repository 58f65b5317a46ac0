"""What conversions cost, as it is installed at first, and what is switched off: nothing."""

import django.db.models.deletion
from django.db import migrations, models


PRICES = [
    # scope, name, credits, for each begun minute where that is measured
    ("all", "", 1, False),
    ("output", "pdf", 2, False),
    ("family", "media", 1, True),
]


def install(apps, schema_editor):
    Price = apps.get_model("conversions", "Price")
    for scope, name, credits, per_minute in PRICES:
        Price.objects.get_or_create(
            scope=scope, name=name, defaults={"credits": credits, "per_minute": per_minute}
        )


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0015_offers'),
        ('conversions', '0006_counting'),
    ]

    operations = [
        migrations.CreateModel(
            name='Price',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(choices=[('slug', 'One conversion'), ('family', 'A family'), ('output', "All conversions to this format"), ('all', 'All conversions')], max_length=10)),
                ('name', models.CharField(blank=True, help_text='`json-to-csv`, `images`, `pdf`; empty for all.', max_length=60)),
                ('credits', models.PositiveIntegerField(help_text='What one conversion costs.')),
                ('per_minute', models.BooleanField(default=False, help_text="Charge per started minute instead, for conversions that know how long their input is.")),
            ],
            options={
                'ordering': ['scope', 'name'],
                'constraints': [models.UniqueConstraint(fields=('scope', 'name'), name='price_once'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('scope', 'all')), models.Q(models.Q(('scope', 'all'), _negated=True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='price_named'), models.CheckConstraint(condition=models.Q(('credits__gte', 1), ('credits__lte', 1000000)), name='price_bounds')],
            },
        ),
        migrations.CreateModel(
            name='Restriction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(choices=[('slug', 'One conversion'), ('family', 'A family'), ('format', "All conversions from or to this format")], max_length=10)),
                ('name', models.CharField(help_text='`json-to-csv`, `images`, `pdf`.', max_length=60)),
                ('plan', models.ForeignKey(blank=True, help_text="Leave empty to turn it off for everyone. Add one row per plan.", null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.plan', verbose_name='only for')),
            ],
            options={
                'ordering': ['scope', 'name'],
                'constraints': [models.UniqueConstraint(fields=('scope', 'name', 'plan'), name='restriction_once'), models.UniqueConstraint(condition=models.Q(('plan__isnull', True)), fields=('scope', 'name'), name='restriction_off_once')],
            },
        ),
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
