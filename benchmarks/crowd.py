"""Compare lists and totals of accounts with a thousand and a million conversions, and measure the purge of many
files."""

from __future__ import annotations

import sys
from pathlib import Path

import psycopg

from benchmarks import deployment, load, processes
from benchmarks.deployment import Account, Backend
from benchmarks.processes import Failed
from benchmarks.table import Line, Table
from storage.keys import path_of

FEW, MANY = 1_000, 1_000_000
SPAN = 31_000_000
"""Seconds over which both are spread, nearly a year: only their number differs."""
FILES = 100_000
REQUESTS = 40
ALLOWED = 2.0
"""Goal: how much longer a page may take with MANY conversions than with FEW."""

PAGES = {
    "history, first page": "/api/v1/converter/history",
    "history, one slug": "/api/v1/converter/history?slug=html-to-pdf",
    "history, failed ones": "/api/v1/converter/history?status=failed",
    "history, page 50": "/api/v1/converter/history?page=50",
    "history, the last page": "/api/v1/converter/history?page={last}",
    "stats, 30 days": "/api/v1/converter/stats",
    "stats, 365 days": "/api/v1/converter/stats?days=365",
    "API keys": "/api/v1/integrations/api-keys",
}

_CONVERSIONS = """
INSERT INTO conversions_conversion (id, owner_id, plan, slug, status, input_name, input_bytes, output_name,
    output_bytes, content_type, sha256, options, detected, engine, warnings, credits, duration_ms, created_at,
    expires_at, file_key, error_code, error_message)
SELECT gen_random_uuid(), %(owner)s, 'bench',
    (ARRAY['json-to-csv', 'html-to-pdf', 'csv-to-json', 'png-to-jpg'])[1 + n %% 4],
    CASE WHEN n %% 20 = 0 THEN 'failed' ELSE 'completed' END, 'report ' || n || '.json', 1000 + n %% 5000,
    'report ' || n || '.csv', 900 + n %% 4000, 'text/csv', md5(n::text) || md5(n::text), '{}', '{}', 'engine 1.0', '[]',
    CASE WHEN n %% 20 = 0 THEN 0 ELSE 1 END, 1 + (n::bigint * 7919) %% 900, now() - n * %(apart)s * interval '1 second',
    now() + interval '1 day', CASE WHEN n %% 20 = 0 THEN '' ELSE md5(n::text) || '.csv' END,
    CASE WHEN n %% 20 = 0 THEN 'UNSUPPORTED_FORMAT' ELSE '' END, ''
FROM generate_series(%(first)s::int, %(last)s::int) AS n
"""
_USAGE = """
INSERT INTO conversions_usage
    (owner_id, span, start, slug, conversions, failures, credits, bytes_in, bytes_out, durations)
SELECT owner_id, span, start, CASE WHEN of_all THEN '' ELSE slug END, sum(number),
    coalesce(sum(number) FILTER (WHERE failed), 0),
    sum(credits), sum(bytes_in), sum(bytes_out),
    coalesce(jsonb_object_agg(bucket, number) FILTER (WHERE NOT failed), '{}')
FROM (
    SELECT owner_id, span, date_trunc(span, created_at AT TIME ZONE 'UTC')::date AS start, of_all,
        CASE WHEN of_all THEN '' ELSE slug END AS slug, status = 'failed' AS failed,
        lpad(round(ln(duration_ms) / ln(1.1))::text, 3, '0') AS bucket, count(*) AS number, sum(credits) AS credits,
        sum(input_bytes) AS bytes_in, sum(coalesce(output_bytes, 0)) AS bytes_out
    FROM conversions_conversion
    CROSS JOIN (VALUES ('day', true), ('day', false), ('month', false)) AS spans (span, of_all)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
) AS buckets GROUP BY 1, 2, 3, 4, of_all
"""
_FILES = """
INSERT INTO storage_storedfile (key, name, content_type, size, sha256, owner_id, created_at, expires_at)
SELECT md5(n::text) || '.csv', 'report.csv', 'text/csv', 5, md5(n::text) || md5(n::text), %(owner)s,
    now() - interval '2 days', now() - interval '1 day'
FROM generate_series(1, %(last)s) AS n RETURNING key
"""


def measure(table: Table, folder: Path, *, runs: int) -> None:
    try:
        with deployment.postgres() as backend:
            home = folder / "crowd"
            account = deployment.prepare(backend, home)
            few = _pages(backend, home, account, 0, FEW, runs)
            many = _pages(backend, home, account, FEW, MANY, runs)
            for name in PAGES:
                ratio = many[name].p50 / few[name].p50
                table.add(
                    "A million conversions",
                    Line(
                        name=f"{name}, {MANY:,} conversions",
                        ours=f"p50 {many[name].p50:.1f} ms, p99 {many[name].p99:.1f} ms",
                        peer_name=f"{FEW:,} conversions",
                        peer=f"p50 {few[name].p50:.1f} ms, p99 {few[name].p99:.1f} ms",
                        ratio=ratio,
                        goal=f"<= {ALLOWED:g}x",
                        good=ratio <= ALLOWED,
                        runs=runs * REQUESTS,
                    ),
                )
            _purge(table, backend, home, account)
    except Failed as error:
        table.skipped.append(f"a million conversions: {error}")


def _pages(backend: Backend, home: Path, account: Account, first: int, last: int, runs: int) -> dict[str, load.Spread]:
    with psycopg.connect(backend.database, autocommit=True) as database:
        apart = SPAN / last
        database.execute(_CONVERSIONS, {"owner": account.user, "first": first + 1, "last": last, "apart": apart})
        database.execute("TRUNCATE conversions_usage")
        database.execute(_USAGE)
        database.execute("VACUUM ANALYZE")
    token = deployment.prepare(backend, home).token
    found: dict[str, list[float]] = {name: [] for name in PAGES}
    with deployment.serving(deployment.environment(backend, home)) as port:
        for _ in range(runs):
            for name, path in PAGES.items():
                call = load.Call("GET", path.format(last=last // 20), headers={"Authorization": f"Bearer {token}"})
                found[name] += load.times(port, call, number=REQUESTS)
    return {name: load.spread(values) for name, values in found.items()}


def _purge(table: Table, backend: Backend, home: Path, account: Account) -> None:
    with psycopg.connect(backend.database, autocommit=True) as database:
        keys = [key for (key,) in database.execute(_FILES, {"owner": account.user, "last": FILES})]
    for key in keys:
        path = home / "files" / path_of(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a\n1\n\n")
    command = [sys.executable, "manage.py", "purge_expired_files"]
    cost = processes.run(command, environment=deployment.environment(backend, home))
    left = sum(1 for each in (home / "files").rglob("*") if each.is_file())
    table.add(
        "A million conversions",
        Line(
            name=f"purge of {FILES:,} expired files",
            ours=f"{cost.wall:.0f} s ({FILES / cost.wall:,.0f} a second), {cost.peak:.0f} MB",
            goal="none left",
            good=left == 0,
            runs=1,
        ),
    )
