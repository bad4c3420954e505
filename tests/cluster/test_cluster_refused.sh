#!/usr/bin/env bash
# What is wrong on one rank fails on all, within the time.
set -euo pipefail
# shellcheck source=tests/cluster/ranks.sh
source tests/cluster/ranks.sh
for n in 1 2 3; do
  ranks "$n" "$TOI_BUILD_DIR/mpi_refused"
done
