"""What is sold, who has bought what, and the events that said so."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0017_purchases'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CreditPack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.PositiveIntegerField(help_text="In the currency's smallest unit: 900 for 9.00. 0 is shown as “On request”.")),
                ('currency', models.CharField(default='EUR', max_length=3, validators=[django.core.validators.RegexValidator('\\A[A-Z]{3}\\Z', 'Three capital letters, such as EUR.')])),
                ('provider_price', models.CharField(blank=True, help_text="The provider's name for this price, such as Stripe's `price_...`.", max_length=100)),
                ('checkout_url', models.URLField(blank=True, help_text="An external page that sells it. The button links to it.")),
                ('name', models.CharField(max_length=50)),
                ('credits', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1)])),
                ('position', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'ordering': ['position'],
                'constraints': [models.CheckConstraint(condition=models.Q(('credits__gte', 1), ('credits__lte', 1000000000)), name='credit_pack_credits')],
            },
        ),
        migrations.CreateModel(
            name='Customer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20)),
                ('reference', models.CharField(max_length=100)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='customers', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20)),
                ('reference', models.CharField(help_text="The provider's event ID, so that each event takes effect once.", max_length=100)),
                ('kind', models.CharField(help_text="The provider's name for it.", max_length=60)),
                ('occurred_at', models.DateTimeField()),
                ('received_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('facts', models.JSONField(default=dict)),
                ('amount', models.BigIntegerField(default=0, help_text="Payment or refund, in the currency's smallest unit.")),
                ('currency', models.CharField(blank=True, max_length=3)),
                ('outcome', models.CharField(blank=True, max_length=300)),
                ('customer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='billing.customer')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-received_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='PlanPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.PositiveIntegerField(help_text="In the currency's smallest unit: 900 for 9.00. 0 is shown as “On request”.")),
                ('currency', models.CharField(default='EUR', max_length=3, validators=[django.core.validators.RegexValidator('\\A[A-Z]{3}\\Z', 'Three capital letters, such as EUR.')])),
                ('provider_price', models.CharField(blank=True, help_text="The provider's name for this price, such as Stripe's `price_...`.", max_length=100)),
                ('checkout_url', models.URLField(blank=True, help_text="An external page that sells it. The button links to it.")),
                ('period', models.CharField(choices=[('month', 'a month'), ('year', 'a year')], default='month', max_length=5)),
                ('plan', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='accounts.plan')),
            ],
            options={
                'ordering': ['plan__position', 'period'],
            },
        ),
        migrations.CreateModel(
            name='Order',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('cancels', models.BooleanField(default=False, help_text="A request to end the current plan.")),
                ('state', models.CharField(choices=[('open', 'Open'), ('approved', 'Approved'), ('declined', 'Declined')], default='open', max_length=10)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_at', models.DateTimeField(editable=False, null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pack', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='billing.creditpack')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='orders', to=settings.AUTH_USER_MODEL)),
                ('price', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='billing.planprice')),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to=settings.AUTH_USER_MODEL)),
                ('status', models.CharField(choices=[('none', 'No subscription'), ('active', 'Paid'), ('past_due', 'Past due'), ('ending', "Ends after the current period")], default='none', max_length=10)),
                ('period_end', models.DateTimeField(help_text='Until when it is paid.', null=True)),
                ('ends_at', models.DateTimeField(db_index=True, help_text="When the plan ends unless another event arrives: the end of the grace period, "
"or of the period.", null=True)),
                ('credits', models.BigIntegerField(default=0, help_text="Amount bought minus refunds, as in the ledger.")),
                ('plan', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.plan')),
            ],
        ),
        migrations.AddConstraint(
            model_name='customer',
            constraint=models.UniqueConstraint(fields=('provider', 'reference'), name='customer_once'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['user', 'occurred_at'], name='event_of_account'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('provider', 'reference'), name='event_once'),
        ),
        migrations.AddConstraint(
            model_name='planprice',
            constraint=models.UniqueConstraint(fields=('plan', 'period'), name='plan_price_once'),
        ),
        migrations.AddConstraint(
            model_name='planprice',
            constraint=models.UniqueConstraint(condition=models.Q(('provider_price', ''), _negated=True), fields=('provider_price',), name='plan_price_of_provider'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cancels', False), ('pack__isnull', True), ('price__isnull', False)), models.Q(('cancels', False), ('pack__isnull', False), ('price__isnull', True)), models.Q(('cancels', True), ('pack__isnull', True), ('price__isnull', True)), _connector='OR'), name='order_of_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('decided_at__gte', models.F('created_at'))), _connector='OR'), name='order_decided'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('user', 'price'), name='order_plan_once'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('user', 'pack'), name='order_pack_once'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.UniqueConstraint(condition=models.Q(('cancels', True), ('state', 'open')), fields=('user',), name='order_end_once'),
        ),
    ]
