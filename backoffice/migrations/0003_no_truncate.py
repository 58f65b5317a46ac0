"""PostgreSQL refuses to truncate the audit log, too: TRUNCATE fires no trigger that is for each row."""

from django.db import migrations

MADE = """CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON backoffice_auditentry
FOR EACH STATEMENT EXECUTE FUNCTION audit_add_only()"""
DROPPED = "DROP TRIGGER audit_no_truncate ON backoffice_auditentry"


def _on_postgresql(statement):
    def run(apps, schema_editor):
        # SQLite has no TRUNCATE: it knows DELETE only, which it refuses.
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("backoffice", "0002_add_only")]
    operations = [migrations.RunPython(_on_postgresql(MADE), _on_postgresql(DROPPED))]
