#!/usr/bin/env bash
# Runs a command with the outside services up:  with-services.sh <command> [arguments]
# The command finds them by TEST_DATABASE_URL, REDIS_URL and TEST_S3_…. Services that were already running stay up.
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if [ "$#" -eq 0 ]; then
  echo 'usage: with-services.sh <command> [arguments]' >&2
  exit 2
fi

if ! "$HERE/postgres.sh" url >/dev/null 2>&1; then
  trap '"$HERE/stop.sh" >/dev/null 2>&1' EXIT
fi
# The S3 server is a package; in a fresh clone nothing is installed yet.
node -e 'import(process.argv[1]).then(({ install }) => install())' "$HERE/../prepare.mjs" || exit 1
# What tests leave behind need not outlive a loss of power.
export PG_OPTIONS='-c fsync=off -c full_page_writes=off'
exports="$("$HERE/start.sh")" || exit 1
eval "$exports"
# The tests decide which world runs on what; the service must not pick the database up by itself.
unset DATABASE_URL
"$@"
