#!/usr/bin/env bash
# Installs the packages of all services that are missing, and starts nothing.
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for service in postgres redis browser; do "$HERE/$service.sh" install || exit 1; done
