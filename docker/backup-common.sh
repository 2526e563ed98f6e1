# What backup.sh and restore.sh share: the commands for compose.yaml, or with DATABASE_URL for servers of one's own.

fail() {
  echo "✗ $1" >&2
  exit 1
}

# copy_missing_files FROM TO: between folders of this machine. A file may be deleted meanwhile.
copy_missing_files() {
  [ -d "$1" ] || return 0
  (cd "$1" && find . -type f ! -path './start-checks/*') | while IFS= read -r file; do
    if [ ! -e "$2/$file" ]; then
      mkdir -p "$2/$(dirname "$file")"
      if cp -p "$1/$file" "$2/$file.part"; then
        mv "$2/$file.part" "$2/$file"
      elif [ -e "$1/$file" ]; then
        exit 1
      fi
    fi
  done
}

if [ -z "${DATABASE_URL:-}" ]; then
  compose=${COMPOSE:-docker compose}
  cd "$here"
  database=postloom
  media=bucket:postloom/media
  keys_at=$here/.env

  in_postgres() { $compose exec -T postgres "$@"; }
  dump_database() { in_postgres pg_dump --username=postgres --format=custom postloom; }
  list_dump() { in_postgres pg_restore --list; }
  query() { in_postgres psql --username=postgres --dbname=postgres --set=ON_ERROR_STOP=1 -Atc "$1"; }
  query_database() { in_postgres psql --username=postgres --dbname=postloom --set=ON_ERROR_STOP=1 -Atc "$1"; }
  create_database() { query 'CREATE DATABASE postloom OWNER postloom' > /dev/null; }
  restore_database() {
    in_postgres pg_restore --username=postloom --dbname=postloom --no-owner --exit-on-error --single-transaction
  }
  start_servers() { $compose up --detach --wait postgres storage; }
  # `app` waits for a `migrate` without --offline
  migrate_database() { $compose run --rm migrate migrate --offline; }
  postloom() { $compose run --rm app "$@"; }
  print_keys() { grep -q '^SECRET_KEY=.*[[:alnum:]]' .env && cat .env; }
  copy_media() { # between a folder of this machine and the bucket of the service `storage`
    case $1 in bucket:*) local_folder=$2 from=$1 to=/images ;; *) local_folder=$1 from=/images to=$2 ;; esac
    $compose -f compose.yaml -f compose.backup.yaml run --rm --volume "$local_folder:/images" \
      rclone copy --size-only --exclude 'start-checks/**' "$from" "$to"
  }
else
  url=$(printf %s "$DATABASE_URL" | sed 's/^postgres\(ql\)\{0,1\}\(+psycopg\)\{0,1\}:/postgresql:/')
  path=${url%%\?*} parameters=''
  case $url in *\?*) parameters="?${url#*\?}" ;; esac
  database=${path##*/}
  maintenance="${path%/*}/postgres$parameters"
  keys_at="SECRET_KEY, or of DATA_DIR/secret.key"
  case ${MEDIA_URL:-} in
    s3://*)
      media=bucket:${MEDIA_URL#s3://}
      export RCLONE_CONFIG_BUCKET_TYPE=s3 RCLONE_CONFIG_BUCKET_ENV_AUTH=true RCLONE_CONFIG_BUCKET_NO_CHECK_BUCKET=true
      export RCLONE_CONFIG_BUCKET_PROVIDER="${AWS_ENDPOINT_URL:+Other}" RCLONE_CONFIG_BUCKET_REGION="${AWS_REGION:-}"
      export RCLONE_CONFIG_BUCKET_ENDPOINT="${AWS_ENDPOINT_URL:-}"
      # rclone takes a file of certificates by a variable of its own
      [ -z "${AWS_CA_BUNDLE:-}" ] || export RCLONE_CA_CERT="$AWS_CA_BUNDLE"
      [ -n "$RCLONE_CONFIG_BUCKET_PROVIDER" ] || RCLONE_CONFIG_BUCKET_PROVIDER=AWS
      ;;
    file:///*) media=${MEDIA_URL#file://} ;;
    *) fail "MEDIA_URL is needed: file:///folder or s3://bucket/prefix" ;;
  esac

  dump_database() { pg_dump --format=custom "$url"; }
  list_dump() { pg_restore --list; }
  query() { psql --set=ON_ERROR_STOP=1 -Atc "$1" "$maintenance"; }
  query_database() { psql --set=ON_ERROR_STOP=1 -Atc "$1" "$url"; }
  create_database() { query "CREATE DATABASE \"$database\"" > /dev/null; }
  restore_database() { pg_restore --dbname="$url" --no-owner --exit-on-error --single-transaction; }
  start_servers() { :; }
  migrate_database() { postloom migrate --offline; }
  postloom() { ${POSTLOOM:-postloom} "$@"; }
  print_keys() {
    secret_key=${SECRET_KEY:-}
    [ -n "$secret_key" ] || secret_key=$(cat "${DATA_DIR:-data}/secret.key") || return
    [ -n "$secret_key" ] || return
    echo "SECRET_KEY='$secret_key'"
  }
  copy_media() {
    case $1$2 in
      *bucket:*)
        (unset AWS_CA_BUNDLE && rclone --config /dev/null copy --size-only --exclude 'start-checks/**' "$1" "$2") ;;
      *) copy_missing_files "$1" "$2" ;;
    esac
  }
fi
