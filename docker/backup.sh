#!/bin/sh
# Back up Postloom while it runs: ./backup.sh FOLDER [--plain-keys]
#   FOLDER/<time>/  one backup: database.dump, and the keys if wanted
#   FOLDER/media/   the images of all backups: a file never changes under its name, so each is copied once
# Without DATABASE_URL, of the installation that compose.yaml describes. With it, of that database, and of the folder or
# bucket MEDIA_URL (with its AWS_… variables); that needs pg_dump, of the server's version or newer, and for a bucket
# rclone.
# Temporal's databases are not backed up: the workers make all workflows anew from Postloom's rows.
#
# The keys decrypt the tokens in the dump, so they are kept elsewhere, unless
#   BACKUP_PASSPHRASE_FILE=…  adds them encrypted by this passphrase (keys.enc), or
#   --plain-keys              adds them as they are (keys.env)
# A backup that is to have the keys and finds none fails.
# keys.env is docker/.env, or a line with SECRET_KEY. Settings in docker/postloom.env are yours to keep.
set -eu
umask 077
case ${1:-} in '' | -*) echo "usage: $0 FOLDER [--plain-keys]" >&2; exit 2 ;; esac
mkdir -p "$1/media"
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/backup-common.sh"
case ${2:-} in '' | --plain-keys) ;; *) fail "unknown: $2" ;; esac

# read before the long part: a backup that lacks the keys is found out when it is needed
keys=''
if [ -n "${BACKUP_PASSPHRASE_FILE:-}" ] || [ "${2:-}" = --plain-keys ]; then
  keys=$(print_keys) || fail "there are no keys to add: $keys_at"
fi

name=$(date -u +%Y%m%dT%H%M%SZ)
new=$folder/$name.incomplete
mkdir "$new"
trap 'rm -rf "$new"' EXIT

# the database first: every image that its rows name is there when the images are copied
dump_database > "$new/database.dump"
list_dump < "$new/database.dump" > /dev/null || fail "the dump cannot be read"
copy_media "$media" "$folder/media" # a copy adds, so older backups keep their images

if [ -n "${BACKUP_PASSPHRASE_FILE:-}" ]; then
  printf '%s\n' "$keys" |
    openssl enc -aes-256-cbc -pbkdf2 -iter 600000 -salt -pass "file:$BACKUP_PASSPHRASE_FILE" > "$new/keys.enc"
elif [ "${2:-}" = --plain-keys ]; then
  printf '%s\n' "$keys" > "$new/keys.env"
else
  echo "the keys are not in the backup: keep a copy of $keys_at elsewhere" >&2
fi
mv "$new" "$folder/$name"
echo "$folder/$name"
