#!/bin/sh
# Make `.env` beside this script, with new secrets: ./setup.sh DOMAIN [SENDER [SMTP_URL [OPENAI_API_KEY]]]
# What is not given is asked for. An existing file is never overwritten: its secrets decrypt the data.
set -eu
cd "$(dirname "$0")"
umask 077
if [ -e .env ]; then
  echo "docker/.env is there already; edit it, or move it away first" >&2
  exit 1
fi

ask() { # ask VALUE QUESTION
  if [ -n "$1" ] || [ ! -t 0 ]; then
    answer=$1
  else
    printf '%s: ' "$2" >&2
    read -r answer
  fi
}
random() { # random BYTES: in hexadecimal digits, which need no quotes anywhere
  od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'
}

ask "${1:-}" 'Domain under which browsers reach this server (posts.example.org)'; domain=$answer
case $domain in
  '' | *[!A-Za-z0-9.-]*) echo "a domain is needed, without https:// and without a port" >&2; exit 1 ;;
esac
ask "${2:-}" "Sender of all mails (default: Postloom <postloom@$domain>)"; sender=${answer:-"Postloom <postloom@$domain>"}
ask "${3:-}" 'Mail server (smtp://user:password@host:587; empty: no mails)'; smtp=$answer
ask "${4:-}" 'OpenAI API key (empty: a demo writer writes the texts)'; openai=$answer
for value in "$sender" "$smtp" "$openai"; do
  case $value in *"'"*) echo "a value must not contain an apostrophe" >&2; exit 1 ;; esac
done

cat > .env <<FILE
# of a person
DOMAIN='$domain'
MAIL_FROM='$sender'
SMTP_URL='$smtp'
OPENAI_API_KEY='$openai'

# made by setup.sh. Keep a copy of these two outside of this machine: without SECRET_KEY no account stays connected, without
# TEMPORAL_CODEC_KEYS no workflow goes on
SECRET_KEY='$(random 32)'
TEMPORAL_CODEC_KEYS='$(date +%F):$(head -c 32 /dev/urandom | base64)'

POSTGRES_PASSWORD='$(random 24)'
POSTLOOM_POSTGRES_PASSWORD='$(random 24)'
TEMPORAL_POSTGRES_PASSWORD='$(random 24)'
S3_ACCESS_KEY='GK$(random 12)'
S3_SECRET_KEY='$(random 32)'
S3_RPC_SECRET='$(random 32)'
CODEC_TOKEN='$(random 32)'
# of the user "operator" at Temporal's Web UI
TEMPORAL_UI_PASSWORD='$(random 12)'
FILE
echo "docker/.env is made. Next: docker compose up -d"
