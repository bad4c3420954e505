#!/usr/bin/env bash
# Compiles the README's C program as a reader would, runs it, and expects what the README says it prints: the first
# block marked `c`, and the first marked `text`.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# block LANGUAGE: the first fenced block of that language.
block() {
  awk -v fence="\`\`\`$1" '$0 == fence && !seen {inside = seen = 1; next} /^```/ {inside = 0} inside' README.md
}
block c >"$tree/sample.c"
block text >"$tree/expected"
if [[ ! -s $tree/sample.c || ! -s $tree/expected ]]; then
  echo "README.md has no C program, or does not say what it prints"
  exit 1
fi

strict=(-std=c17 -Wall -Wextra -Wpedantic -Werror)
${CC:-cc} "${strict[@]}" -I include "$tree/sample.c" -L "$TOI_BUILD_DIR" -ltoi -o "$tree/sample"
LD_LIBRARY_PATH=$TOI_BUILD_DIR "$tree/sample" >"$tree/printed"
diff "$tree/expected" "$tree/printed"
