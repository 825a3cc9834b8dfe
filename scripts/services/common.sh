# Sourced by the scripts beside it: where things live, who runs them, how packages are installed.
# Everything a service needs stays below SERVICES_DIR, so that nothing of the machine's own is touched.
set -euo pipefail

REPOSITORY="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
SERVICES_DIR="${SERVICES_DIR:-$REPOSITORY/.services}"
mkdir -p "$SERVICES_DIR"

say() { printf '%s\n' "services: $*" >&2; }
die() { say "$*"; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# apt-get update runs at most once per start, and only when something is missing.
install_packages() {
  if [ -z "${PACKAGES_UPDATED:-}" ]; then
    as_root apt-get update -q >&2
    PACKAGES_UPDATED=1
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >&2 </dev/null
}

has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }

# PostgreSQL refuses to run as root: then the account of its own package runs the services. That account
# may be unable to reach a clone in somebody's home directory, so data has a second place to live.
choose_account() {
  if [ "$(id -u)" != 0 ]; then
    SERVICE_ACCOUNT="$(id -un)"
    DATA_ROOT="$SERVICES_DIR"
    return
  fi
  SERVICE_ACCOUNT=postgres
  DATA_ROOT="$SERVICES_DIR"
  if ! runuser -u "$SERVICE_ACCOUNT" -- test -x "$SERVICES_DIR"; then
    DATA_ROOT="/var/tmp/pig-services-$(printf '%s' "$SERVICES_DIR" | cksum | cut -d' ' -f1)"
    mkdir -p "$DATA_ROOT"
    # The name can be guessed and everybody may write to /var/tmp.
    [ -O "$DATA_ROOT" ] || die "$DATA_ROOT belongs to somebody else"
  fi
}

as_service() {
  if [ "$(id -un)" = "$SERVICE_ACCOUNT" ]; then "$@"; else runuser -u "$SERVICE_ACCOUNT" -- "$@"; fi
}

# The port asked for, else the one used last time, else a free one chosen by the kernel.
choose_port() {
  local name="$1" asked="$2" remembered="$SERVICES_DIR/$1.port"
  if [ -n "$asked" ]; then
    echo "$asked" >"$remembered"
  elif [ ! -s "$remembered" ] || ! port_is_free "$(cat "$remembered")"; then
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); });' >"$remembered"
  fi
  cat "$remembered"
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# One random password per clone: other accounts of the machine must not get in through loopback.
service_password() {
  local file="$SERVICES_DIR/password"
  if [ ! -s "$file" ]; then
    (umask 077 && node -p 'require("crypto").randomBytes(18).toString("hex")' >"$file")
  fi
  cat "$file"
}
