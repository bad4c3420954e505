#!/usr/bin/env bash
# What is wrong on one rank fails on all, within the time.
set -euo pipefail
# shellcheck source=tests/cluster/ranks.sh
source tests/cluster/ranks.sh
for n in 1 2 3; do
  ranks "$n" "$TOI_BUILD_DIR/mpi_refused"
done

# The last rank has another version of the library. A sanitizer must be loaded first, and does not go together with this.
if ! ldd "$TOI_BUILD_DIR/mpi_refused" | grep -qE 'lib[at]san'; then
  ranks 1 "$TOI_BUILD_DIR/mpi_refused" other : -n 1 env LD_PRELOAD="$TOI_BUILD_DIR/other_rank.so" \
    "$TOI_BUILD_DIR/mpi_refused" other
fi
