"""PostgreSQL refuses to truncate the ledger, too: TRUNCATE fires no trigger that is for each row."""

from django.db import migrations

MADE = """CREATE TRIGGER credit_entry_no_truncate BEFORE TRUNCATE ON accounts_creditentry
FOR EACH STATEMENT EXECUTE FUNCTION credit_entry_add_only()"""
DROPPED = "DROP TRIGGER credit_entry_no_truncate ON accounts_creditentry"


def _on_postgresql(statement):
    def run(apps, schema_editor):
        # SQLite has no TRUNCATE: it knows DELETE only, which it refuses.
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("accounts", "0023_language")]
    operations = [migrations.RunPython(_on_postgresql(MADE), _on_postgresql(DROPPED))]
