#!/bin/sh
# Make or update the schemas of Temporal's two databases, before each start of the server. The tool leaves a schema that is
# newer as it is.
set -eu
update() { # update DATABASE SCHEMA
  tool="temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db $1"
  $tool setup-schema -v 0.0
  $tool update-schema -d "/etc/temporal/schema/postgresql/v12/$2/versioned"
}
update temporal temporal
update temporal_visibility visibility
