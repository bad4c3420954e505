#!/usr/bin/env bash
# The WebAssembly modules and the npm package, built from this tree: their own tests in node, beside the library and the
# command of this build.
set -euo pipefail

missing=()
for program in clang-19 wasm-ld-19 llvm-ar-19 node; do
  command -v "$program" >/dev/null || missing+=("$program")
done
[[ -e /usr/include/wasm32-wasi/stdio.h ]] || missing+=(wasi-libc)
if ((${#missing[@]} > 0)); then
  echo "skipped: not found: ${missing[*]}"
  exit 77
fi

script/wasm >"$TOI_BUILD_DIR/wasm.log" 2>&1 || {
  cat "$TOI_BUILD_DIR/wasm.log"
  exit 1
}
libraries=("$TOI_BUILD_DIR/libtoi.a" -lz -lm -ldl -lpthread)
if grep -q '^TOI_WITH_GMP:BOOL=ON$' "$TOI_BUILD_DIR/CMakeCache.txt"; then
  libraries+=(-lgmp)
fi
"$CC" -O1 -Iinclude wasm/check/answers.c "${libraries[@]}" -o "$TOI_BUILD_DIR/wasm-answers"
TOI_WASM_ANSWERS=$TOI_BUILD_DIR/wasm-answers node --test wasm/test/*.test.js
