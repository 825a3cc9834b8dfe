#!/usr/bin/env bash
# Installs what is missing and starts the outside services on loopback; running again costs nothing.
# Prints `export NAME=value` lines, so:  eval "$(scripts/services/start.sh)"
# Arguments choose among: postgres redis s3 browser (default: all).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
HERE="$REPOSITORY/scripts/services"

[ "$#" -gt 0 ] || set -- postgres redis s3 browser
for service in "$@"; do
  case "$service" in
    postgres)
      url="$("$HERE/postgres.sh" start)"
      printf "export DATABASE_URL='%s'\nexport TEST_DATABASE_URL='%s'\n" "$url" "$url"
      ;;
    redis)
      url="$("$HERE/redis.sh" start)"
      printf "export REDIS_URL='%s'\n" "$url"
      ;;
    s3) "$HERE/s3.sh" start ;;
    browser) "$HERE/browser.sh" install ;;
    *) die "unknown service '$service'" ;;
  esac
done
