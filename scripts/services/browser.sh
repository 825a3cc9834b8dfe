#!/usr/bin/env bash
# A headless browser for the test that opens the Swagger page. Usage: browser.sh install
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "${1:-}" = install ] || die 'usage: browser.sh install'
for name in chromium google-chrome chromium-browser; do
  if [ -x "/usr/bin/$name" ]; then exit 0; fi
done
say 'installing Chromium'
install_packages chromium
