#!/usr/bin/env bash
# The viewer: its types, its lint, and its tests in node. script/check-viewer drives it in a browser.
set -euo pipefail

if ! command -v npm >/dev/null; then
  echo "skipped: npm was not found"
  exit 77
fi
for part in --check --test; do
  status=0
  script/viewer "$part" >"$TOI_BUILD_DIR/viewer.log" 2>&1 || status=$?
  if ((status == 77)); then
    echo "skipped: the packages of viewer/package-lock.json cannot be had"
    exit 77
  elif ((status != 0)); then
    cat "$TOI_BUILD_DIR/viewer.log"
    exit 1
  fi
done
grep -E '^# (tests|fail) ' "$TOI_BUILD_DIR/viewer.log"
