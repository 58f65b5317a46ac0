"""An order keeps what was offered when it was made; those there are take what is offered now."""

from django.db import migrations, models


def take(apps, schema_editor):
    for order in apps.get_model("billing", "Order").objects.select_related("price", "pack"):
        sold = order.price or order.pack
        if sold is not None:
            order.amount, order.currency = sold.amount, sold.currency
            order.credits = order.pack.credits if order.pack else 0
            order.save(update_fields=["amount", "currency", "credits"])


class Migration(migrations.Migration):
    dependencies = [("billing", "0002_prices")]

    operations = [
        migrations.AddField(
            model_name="order",
            name="amount",
            field=models.PositiveIntegerField(
                default=0, help_text="The price version when it was ordered."
            ),
        ),
        migrations.AddField(
            model_name="order",
            name="currency",
            field=models.CharField(blank=True, max_length=3),
        ),
        migrations.AddField(
            model_name="order",
            name="credits",
            field=models.PositiveIntegerField(default=0, help_text="The pack's credits when it was ordered."),
        ),
        migrations.RunPython(take, migrations.RunPython.noop),
    ]
