#!/bin/sh
# Restore a backup of backup.sh: ./restore.sh FOLDER/<time> [--replace] [--moved]
# Stop web app and workers first, everywhere. The variables are those of backup.sh, for the place to restore to; there,
# SECRET_KEY has to be that of the backup. A database in use is never touched.
#   --replace  the database has tables: keep it under another name, and restore beside it
#   --moved    everything was stopped before the backup, and nothing ran since: nothing was published that the backup
#              lacks
set -eu
case ${1:-} in '' | -*) echo "usage: $0 FOLDER/<time> [--replace] [--moved]" >&2; exit 2 ;; esac
backup=$(cd "$1" && pwd)
images=$(cd "$backup/.." && pwd)/media
shift
here=$(cd "$(dirname "$0")" && pwd)
. "$here/backup-common.sh"

replace='' moved=''
for option; do
  case $option in
    --replace) replace=yes ;;
    --moved) moved=--moved ;;
    *) fail "unknown: $option" ;;
  esac
done
case $backup in *.incomplete) fail "$backup was not finished" ;; esac
[ -f "$backup/database.dump" ] || fail "there is no database.dump in $backup"

start_servers
users=$(query "SELECT string_agg(DISTINCT coalesce(nullif(application_name, ''), usename), ', ')
  FROM pg_stat_activity WHERE datname = '$database'")
[ -z "$users" ] || fail "the database $database is in use ($users): stop web app and workers first"
if [ -n "$(query "SELECT 1 FROM pg_database WHERE datname = '$database'")" ]; then
  if [ "$(query_database "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")" = 0 ]; then
    query "DROP DATABASE \"$database\"" > /dev/null
  else
    [ -n "$replace" ] || fail "the database $database has tables: --replace keeps it under another name"
    aside=${database}_until_$(date -u +%Y%m%dT%H%M%SZ)
    # PostgreSQL refuses this while anybody is connected
    query "ALTER DATABASE \"$database\" RENAME TO \"$aside\"" > /dev/null
    echo "the database that was there is kept as $aside"
  fi
fi
create_database
restore_database < "$backup/database.dump"
copy_media "$images" "$media"
migrate_database # everything is stopped, so migrations may run that a running release does not bear
postloom temporal-setup
postloom restored $moved
