"""The database itself refuses to change or delete an entry of the ledger."""

from django.db import migrations

SQLITE = [
    """CREATE TRIGGER credit_entry_no_update BEFORE UPDATE ON accounts_creditentry
       BEGIN SELECT RAISE(ABORT, 'credit entries can only be added'); END""",
    """CREATE TRIGGER credit_entry_no_delete BEFORE DELETE ON accounts_creditentry
       BEGIN SELECT RAISE(ABORT, 'credit entries can only be added'); END""",
]
SQLITE_DROP = ["DROP TRIGGER credit_entry_no_update", "DROP TRIGGER credit_entry_no_delete"]

POSTGRESQL = [
    """CREATE FUNCTION credit_entry_add_only() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'credit entries can only be added' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    """CREATE TRIGGER credit_entry_add_only BEFORE UPDATE OR DELETE ON accounts_creditentry
       FOR EACH ROW EXECUTE FUNCTION credit_entry_add_only()""",
]
POSTGRESQL_DROP = ["DROP TRIGGER credit_entry_add_only ON accounts_creditentry", "DROP FUNCTION credit_entry_add_only()"]


def _run(statements):
    def run(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_plans")]
    operations = [
        migrations.RunPython(
            _run({"sqlite": SQLITE, "postgresql": POSTGRESQL}),
            _run({"sqlite": SQLITE_DROP, "postgresql": POSTGRESQL_DROP}),
        )
    ]
