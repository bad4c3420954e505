#!/usr/bin/env bash
# The library without GMP (TOI_WITH_GMP=OFF): every source compiles where no gmp.h can be found; those that compute with
# limbs take the place of their twins in the built library. Programs link without GMP, tests of the exact level pass, and
# answers, certificates and files have the same bits as with GMP.
set -euo pipefail
if [[ $(nm --undefined-only "$TOI_BUILD_DIR/libtoi.a" 2>/dev/null) != *__gmpn_* ]]; then
  echo "skipped: the whole build is without GMP"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$1"
  exit 1
}

# Whoever includes GMP all the same meets an error.
mkdir "$work/include"
echo '#error "gmp.h is included"' >"$work/include/gmp.h"
cc=${CC:-cc}
if command -v ccache >/dev/null; then
  cc="ccache $cc"
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
flags="-std=c17 -O1 -Wall -Wextra -Werror -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE"
flags+=" -DTOI_SOURCE_DIR=\\\"$PWD\\\" -DTOI_BINARY_DIR=\\\"$TOI_BUILD_DIR\\\""
flags+=" -DTOI_WITHOUT_GMP -I$work/include -Iinclude -Isrc -Icli -Itests"
mapfile -t sources < <(grep -lE '\btoi_limbs?_[a-z]' src/*/*.c)
mapfile -t others < <(grep -lE 'toi_(limb|arena|integer)' src/*/*.c | grep -vxFf <(printf '%s\n' "${sources[@]}"))
((${#sources[@]} >= 8 && ${#others[@]} >= 20)) || fail "${#sources[@]} and ${#others[@]} sources found: is this the root?"
tests=(tests/narrow/test_exact.c tests/narrow/test_hidden_roots.c tests/io/test_decimal.c)
{
  for source in "${sources[@]}" "${tests[@]}" tests/package/exact_bits.c; do
    echo "$cc $flags -c $source -o $work/$(tr / _ <<<"${source%.c}").o"
  done
  echo "$cc $flags -fsyntax-only ${others[*]}"
} | xargs -P 2 -I {} sh -c '{}' || fail "a source does not compile without GMP"

# All of these are linked, so that nothing of what they hold is taken from the archive.
libraries=("$work"/src_*.o "$TOI_BUILD_DIR/libtoi.a" -lz -lm -ldl -lpthread)
for test in "${tests[@]}"; do
  name=$(basename "$test" .c)
  "${CC:-cc}" "$work/tests_$(basename "$(dirname "$test")")_$name.o" "$TOI_BUILD_DIR/libtoi_test_support.a" \
    "${libraries[@]}" -lcmocka -o "$work/$name" || fail "$name does not link without GMP"
  "$work/$name" >"$work/log" 2>&1 || fail "$name fails without GMP: $(cat "$work/log")"
done
"${CC:-cc}" "$work/tests_package_exact_bits.o" "${libraries[@]}" -o "$work/own"
"${CC:-cc}" "$work/tests_package_exact_bits.o" "$TOI_BUILD_DIR/libtoi.a" -lgmp -lz -lm -ldl -lpthread -o "$work/gmp"
own=$("$work/own" "$work/own.csv") || fail "without GMP: $own"
gmp=$("$work/gmp" "$work/gmp.csv") || fail "with GMP: $gmp"
[[ $own == "$gmp" ]] || fail "other answers without GMP: $own, with it: $gmp"
[[ $(objdump -p "$work/own") != *libgmp* ]] || fail "GMP is linked all the same"
echo "misses, hits, near, hash: $own"
