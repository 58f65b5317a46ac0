"""The database itself refuses to change or delete an entry of the audit log."""

from django.db import migrations

REFUSED = "entries of the audit log can only be added"
STATEMENTS = {
    "sqlite": [
        f"""CREATE TRIGGER audit_no_update BEFORE UPDATE ON backoffice_auditentry
            BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END""",
        f"""CREATE TRIGGER audit_no_delete BEFORE DELETE ON backoffice_auditentry
            BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END""",
    ],
    "postgresql": [
        f"""CREATE FUNCTION audit_add_only() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
        """CREATE TRIGGER audit_add_only BEFORE UPDATE OR DELETE ON backoffice_auditentry
           FOR EACH ROW EXECUTE FUNCTION audit_add_only()""",
    ],
}
DROPS = {
    "sqlite": ["DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"],
    "postgresql": ["DROP TRIGGER audit_add_only ON backoffice_auditentry", "DROP FUNCTION audit_add_only()"],
}


def _run(statements):
    def run(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("backoffice", "0001_audit")]
    operations = [migrations.RunPython(_run(STATEMENTS), _run(DROPS))]
