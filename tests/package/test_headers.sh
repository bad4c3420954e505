#!/usr/bin/env bash
# One name, one meaning: all headers of include/ and src/ compile together, in one unit, in either order. Left out are
# the room that needs MPI, and the templates that kernels are made from: they are included with macros set, once per instruction set; the lanes are taken as one lane.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t headers < <(find include src -name '*.h' -not -name '*_body.h' -not -name 'kernel_*.h' -not -path 'src/cluster/*' | sort)
((${#headers[@]} > 50)) || {
  echo "only ${#headers[@]} headers found: is this the project's root?"
  exit 1
}

# unit NAME HEADER...
unit() {
  local name=$1 option
  [[ $name != *without_gmp ]] || option=-DTOI_WITHOUT_GMP
  printf '#include "%s"\n' "${@:2}" | sed -E 's|"include/(toi/[^"]*)"|<\1>|; s|"src/|"|' >"$work/$1.c"
  "${CC:-cc}" -std=c17 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -Wall -Wextra -Werror \
    -Wno-unused-function -DTOI_LANES=1 ${option:+"$option"} -I include -I src -fsyntax-only "$work/$1.c"
}
unit forwards "${headers[@]}"
mapfile -t headers < <(printf '%s\n' "${headers[@]}" | tac)
unit backwards "${headers[@]}"
unit without_gmp "${headers[@]}"
