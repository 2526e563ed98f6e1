#!/bin/sh
# Runs once, when the database server is made: users and databases of Postloom and of Temporal.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres <<SQL
CREATE ROLE postloom LOGIN PASSWORD '$POSTLOOM_PASSWORD';
CREATE DATABASE postloom OWNER postloom;
CREATE ROLE temporal LOGIN PASSWORD '$TEMPORAL_PASSWORD';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
