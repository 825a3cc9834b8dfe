#!/usr/bin/env bash
# Redis in a directory of its own. Usage: redis.sh install | start | stop.  REDIS_PORT asks for a port.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
DIRECTORY="$SERVICES_DIR/redis"
PID_FILE="$DIRECTORY/redis.pid"

is_running() { [ -s "$PID_FILE" ] && kill -0 "$(cat "$PID_FILE")" 2>/dev/null; }

install() {
  if ! command -v redis-server >/dev/null; then
    say 'installing Redis'
    install_packages redis-server
  fi
}

start() {
  install
  mkdir -p "$DIRECTORY"
  if ! is_running; then
    local port
    port="$(choose_port redis "${REDIS_PORT:-}")"
    say "starting Redis on port $port"
    # The password goes through standard input: an argument would be in the process list.
    redis-server - >&2 <<CONF
bind 127.0.0.1
port $port
requirepass $(service_password)
dir $DIRECTORY
daemonize yes
pidfile $PID_FILE
logfile $DIRECTORY/redis.log
save ""
CONF
    await_port "$port"
  fi
  echo "redis://:$(service_password)@127.0.0.1:$(cat "$SERVICES_DIR/redis.port")"
}

await_port() {
  local i
  for i in $(seq 100); do
    if ! port_is_free "$1"; then return; fi
    sleep 0.1
  done
  die "Redis does not answer on port $1, see $DIRECTORY/redis.log"
}

stop() {
  if is_running; then kill "$(cat "$PID_FILE")"; fi
  rm -f "$PID_FILE"
}

case "${1:-}" in
  install) install ;;
  start) start ;;
  stop) stop ;;
  *) die 'usage: redis.sh install | start | stop' ;;
esac
