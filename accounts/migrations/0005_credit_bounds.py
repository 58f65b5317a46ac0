"""The database refuses an entry of more than 1,000,000,000 credits, and one that raises a balance beyond 10^12.

Triggers, not CHECK constraints: what an account has already stays valid, and can be used up and taken back.
"""

from django.db import migrations

BEYOND = "NEW.amount NOT BETWEEN -1000000000 AND 1000000000 OR (NEW.amount > 0 AND NEW.balance > 1000000000000)"

STATEMENTS = {
    "sqlite": [
        f"""CREATE TRIGGER credit_entry_bounds BEFORE INSERT ON accounts_creditentry WHEN {BEYOND}
            BEGIN SELECT RAISE(ABORT, 'credit entry out of bounds'); END""",
    ],
    "postgresql": [
        """CREATE FUNCTION credit_entry_bounds() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'credit entry out of bounds' USING ERRCODE = 'check_violation'; END $$""",
        f"""CREATE TRIGGER credit_entry_bounds BEFORE INSERT ON accounts_creditentry
            FOR EACH ROW WHEN ({BEYOND}) EXECUTE FUNCTION credit_entry_bounds()""",
    ],
}
DROPS = {
    "sqlite": ["DROP TRIGGER credit_entry_bounds"],
    "postgresql": ["DROP TRIGGER credit_entry_bounds ON accounts_creditentry", "DROP FUNCTION credit_entry_bounds()"],
}


def _run(statements):
    def run(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_credit_entry_token")]
    operations = [migrations.RunPython(_run(STATEMENTS), _run(DROPS))]
