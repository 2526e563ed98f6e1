#!/bin/sh
# Make or update the schemas of Temporal's two databases. Idempotent; runs before each start of the server.
set -eu
update() { # update DATABASE SCHEMA
  tool="temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database $1"
  # a new database has no version yet; an existing one keeps its own
  $tool setup-schema --version 0.0 2>/dev/null || true
  $tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$2/versioned"
}
update temporal temporal
update temporal_visibility visibility
