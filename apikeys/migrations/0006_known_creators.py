"""The creators of the keys whose member is still one: of the others nobody knows them."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def fill(apps, schema_editor):
    ApiKey, Membership = apps.get_model("apikeys", "ApiKey"), apps.get_model("accounts", "Membership")
    members = Membership.objects.filter(pk=OuterRef("member")).values("member")
    ApiKey.objects.filter(member__isnull=False, created_by=None).update(created_by=Subquery(members))


class Migration(migrations.Migration):
    dependencies = [("apikeys", "0005_creators")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
