#!/usr/bin/env bash
# Stops what start.sh started. The data stays in .services/ for the next start.
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
"$HERE/postgres.sh" stop
"$HERE/redis.sh" stop
"$HERE/s3.sh" stop
