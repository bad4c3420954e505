#!/usr/bin/env bash
# Compiles the C programs of the documents as a reader would, runs them, and expects what the documents say they print:
# the blocks marked `c`, each followed by one marked `text`; then the `text` of programs in examples/.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# block LANGUAGE NUMBER DOCUMENT: that fenced block of that language, counted from 1.
block() {
  awk -v fence="\`\`\`$1" -v number="$2" '
    $0 == fence {inside = ++seen == number; next} /^```/ {inside = 0} inside' "$3"
}

# check DOCUMENT COUNT [EXAMPLE...]: it has that many programs, shows what the examples print, and all of it is true.
check() {
  local document=$1 number example strict=(-std=c17 -Wall -Wextra -Wpedantic -Werror)
  if [[ $(grep -cx '```c' "$document") != "$2" || $(grep -cx '```text' "$document") != $(($2 + $# - 2)) ]]; then
    echo "$document does not have $2 C programs, or does not say what each prints"
    exit 1
  fi
  for ((number = 1; number <= $2; number++)); do
    block c "$number" "$document" >"$tree/sample.c"
    block text "$number" "$document" >"$tree/expected"
    ${CC:-cc} "${strict[@]}" -I include "$tree/sample.c" -L "$TOI_BUILD_DIR" -ltoi -o "$tree/sample"
    LD_LIBRARY_PATH=$TOI_BUILD_DIR "$tree/sample" >"$tree/printed"
    diff "$tree/expected" "$tree/printed"
  done
  for example in "${@:3}"; do
    block text $((number++)) "$document" >"$tree/expected"
    "$TOI_BUILD_DIR/example_$example" >"$tree/printed"
    diff "$tree/expected" "$tree/printed"
  done
}
check docs/scenes.md 1 crossings
check docs/stencils.md 0 stencils
check docs/surfaces.md 1
check docs/contact.md 2

# README.md and the quick starts, in C and C++; and every other block of C, JSON and shell is well formed.
python3 tests/package/snippets.py c cpp -- README.md docs/start-*.md
python3 tests/package/snippets.py c json sh -- README.md docs/*.md
