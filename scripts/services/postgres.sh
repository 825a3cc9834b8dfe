#!/usr/bin/env bash
# PostgreSQL with pgvector in a cluster of its own. Usage: postgres.sh install | start | stop [fast | immediate] | url
# PG_PORT asks for a port, PG_DATABASE names the database (default pig_test).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
DATABASE="${PG_DATABASE:-pig_test}"

newest_installed() {
  local bin
  for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
    if [ -x "$bin/initdb" ]; then basename "$(dirname "$bin")"; return; fi
  done
}

ensure_server() {
  VERSION="$(newest_installed)"
  if [ -z "$VERSION" ]; then
    say 'installing PostgreSQL'
    install_packages postgresql
    VERSION="$(newest_installed)"
  fi
  [ -n "$VERSION" ] && [ "$VERSION" -ge 15 ] || die "PostgreSQL 15 or newer is needed, found '${VERSION:-none}'"
  BIN="/usr/lib/postgresql/$VERSION/bin"
}

ensure_vector() {
  [ ! -f "/usr/share/postgresql/$VERSION/extension/vector.control" ] || return 0
  if has_candidate "postgresql-$VERSION-pgvector"; then
    install_packages "postgresql-$VERSION-pgvector"
  else
    build_vector
  fi
}

# Debian 12 has no binary package of pgvector; the source package of Debian 13 builds against its PostgreSQL 15.
# The list of sources is derived from the machine's own and kept apart from it.
build_vector() {
  local codename next work
  codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
  case "$codename" in
    bookworm) next=trixie ;;
    *) die "no pgvector package for PostgreSQL $VERSION on '$codename': install it by hand and start again" ;;
  esac
  say "building pgvector for PostgreSQL $VERSION"
  install_packages "postgresql-server-dev-$VERSION" build-essential dpkg-dev
  work="$(mktemp -d)"
  chmod 755 "$work"
  mkdir -p "$work/lists/partial" "$work/parts" "$work/source"
  derive_sources "$codename" "$next" "$work/parts"
  local apt=(apt-get -q -o "Dir::State::Lists=$work/lists" -o Dir::Etc::SourceList=/dev/null
    -o "Dir::Etc::SourceParts=$work/parts" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=")
  as_root "${apt[@]}" update >&2
  (cd "$work/source" && as_root "${apt[@]}" source pgvector >&2)
  # OPTFLAGS empty: no -march=native, the library may be kept for another processor.
  (cd "$work"/source/pgvector-*/ &&
    as_root make -s -j2 OPTFLAGS="" PG_CONFIG="$BIN/pg_config" all install >&2)
  as_root rm -rf "$work"
}

derive_sources() {
  local from="$1" to="$2" parts="$3" file
  for file in /etc/apt/sources.list.d/*.sources; do
    if [ -f "$file" ] && grep -q "^Suites:.*\b$from\b" "$file"; then
      sed -e "s/\b$from\b/$to/g" -e 's/^Types:.*/Types: deb-src/' "$file" >"$parts/$(basename "$file")"
    fi
  done
  if [ -f /etc/apt/sources.list ]; then
    sed -n -E "s/\b$from\b/$to/g; s/^deb(-src)? /deb-src /p" /etc/apt/sources.list | sort -u >"$parts/next.list"
  fi
}

ensure_cluster() {
  DATA="$DATA_ROOT/postgres-$VERSION"
  SOCKETS="$DATA_ROOT/sockets"
  if [ -f "$DATA/PG_VERSION" ]; then return; fi
  say "creating a PostgreSQL $VERSION cluster"
  rm -rf "$DATA"
  mkdir -p "$DATA"
  chmod 700 "$DATA"
  chown "$SERVICE_ACCOUNT" "$DATA"
  local secret
  secret="$(mktemp)"
  service_password >"$secret"
  chown "$SERVICE_ACCOUNT" "$secret"
  (cd / && as_service "$BIN/initdb" -D "$DATA" -U pig --auth=scram-sha-256 --pwfile="$secret" \
    --encoding=UTF8 --locale=C.UTF-8) >&2
  rm -f "$secret"
  cat >>"$DATA/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
max_connections = 200
shared_buffers = 256MB
max_wal_size = 2GB
log_min_messages = warning
shared_preload_libraries = 'pg_stat_statements'
CONF
}

is_running() { [ -n "${DATA:-}" ] && as_service "$BIN/pg_ctl" -D "$DATA" status >/dev/null 2>&1; }

running_port() { sed -n 4p "$DATA/postmaster.pid"; }

install() {
  ensure_server
  ensure_vector
}

start() {
  install
  choose_account
  ensure_cluster
  cd /
  if ! is_running; then
    mkdir -p "$SOCKETS"
    chown "$SERVICE_ACCOUNT" "$SOCKETS"
    local port
    port="$(choose_port postgres "${PG_PORT:-}")"
    say "starting PostgreSQL $VERSION on port $port"
    as_service "$BIN/pg_ctl" -D "$DATA" -w -t 60 -l "$DATA/server.log" \
      -o "-p $port -k '$SOCKETS' ${PG_OPTIONS:-}" start >&2 </dev/null || { tail -n 20 "$DATA/server.log" >&2; exit 1; }
  fi
  PORT="$(running_port)"
  ensure_database
  url
}

ensure_database() {
  local ask=("$BIN/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$PORT" -U pig)
  export PGPASSWORD
  PGPASSWORD="$(service_password)"
  if [ "$("${ask[@]}" -d postgres -Atc "SELECT 1 FROM pg_database WHERE datname = '$DATABASE'")" != 1 ]; then
    "${ask[@]}" -d postgres -c "CREATE DATABASE \"$DATABASE\"" >&2
  fi
  "${ask[@]}" -d "$DATABASE" -c 'SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS vector' >&2
}

url() { echo "postgres://pig:$(service_password)@127.0.0.1:$PORT/$DATABASE"; }

locate() {
  VERSION="$(newest_installed)"
  [ -n "$VERSION" ] || return 1
  BIN="/usr/lib/postgresql/$VERSION/bin"
  choose_account
  DATA="$DATA_ROOT/postgres-$VERSION"
  cd /
  is_running
}

case "${1:-}" in
  install) install ;;
  start) start ;;
  stop) if locate; then as_service "$BIN/pg_ctl" -D "$DATA" -m "${2:-fast}" -w stop >&2; fi ;;
  url) locate || die 'PostgreSQL is not running'; PORT="$(running_port)"; url ;;
  *) die 'usage: postgres.sh install | start | stop | url' ;;
esac
