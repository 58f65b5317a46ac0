"""Plans that can be ordered at once, at prices that their owner has still to name."""

from django.db import migrations

PLANS = [
    ("starter", "For one program and a few files a day."),
    ("pro", "For a team that converts every day."),
    ("scale", "For products that convert for others."),
]
RECOMMENDED = "pro"


def install(apps, schema_editor):
    Plan, PlanPrice = apps.get_model("accounts", "Plan"), apps.get_model("billing", "PlanPrice")
    for code, description in PLANS:
        plan = Plan.objects.filter(code=code).first()
        if plan is None:
            continue
        Plan.objects.filter(pk=plan.pk, description="").update(description=description, recommended=code == RECOMMENDED)
        PlanPrice.objects.get_or_create(plan=plan, period="month", defaults={"amount": 0})


class Migration(migrations.Migration):
    dependencies = [("accounts", "0017_purchases"), ("billing", "0001_initial")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
