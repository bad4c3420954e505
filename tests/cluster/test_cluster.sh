#!/usr/bin/env bash
# The cluster's answers on random meshes, with 1, 2, 3 and 5 ranks.
set -euo pipefail
# shellcheck source=tests/cluster/ranks.sh
source tests/cluster/ranks.sh
seed=${TOI_TEST_SEED:-1}
ranks 2 "$TOI_BUILD_DIR/mpi_scene" 1 23 # an inner edge that comes with a face of the seam alone
for n in 1 2 3 5; do
  ranks "$n" "$TOI_BUILD_DIR/mpi_scene" "$(times 3)" "$((seed + 100 * n))"
done
