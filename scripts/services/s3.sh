#!/usr/bin/env bash
# An S3 server in a directory of its own, from the package's own dependencies. Usage: s3.sh start | stop.
# S3_PORT asks for a port. `start` prints `export NAME=value` lines.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
DIRECTORY="$SERVICES_DIR/s3"
PID_FILE="$DIRECTORY/s3.pid"
BUCKET=pig-test

is_running() { [ -s "$PID_FILE" ] && kill -0 "$(cat "$PID_FILE")" 2>/dev/null; }

start() {
  mkdir -p "$DIRECTORY/data"
  if ! is_running; then
    local port
    port="$(choose_port s3 "${S3_PORT:-}")"
    say "starting S3 on port $port"
    S3_SERVER_KEY="$(service_password)" nohup \
      node "$REPOSITORY/scripts/services/s3-server.mjs" "$DIRECTORY/data" "$port" "$BUCKET" \
      >"$DIRECTORY/s3.log" 2>&1 </dev/null &
    echo $! >"$PID_FILE"
    await_port "$port"
  fi
  cat <<EXPORTS
export TEST_S3_BUCKET='$BUCKET'
export TEST_S3_ENDPOINT='http://127.0.0.1:$(cat "$SERVICES_DIR/s3.port")'
export TEST_S3_ACCESS_KEY_ID='$(service_password)'
export TEST_S3_SECRET_ACCESS_KEY='$(service_password)'
EXPORTS
}

await_port() {
  local i
  for i in $(seq 100); do
    if ! port_is_free "$1"; then return; fi
    sleep 0.1
  done
  die "S3 does not answer on port $1, see $DIRECTORY/s3.log"
}

stop() {
  if is_running; then kill "$(cat "$PID_FILE")"; fi
  rm -f "$PID_FILE"
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  *) die 'usage: s3.sh start | stop' ;;
esac
