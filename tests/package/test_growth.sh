#!/usr/bin/env bash
# Structs that grow: a library in which every one of them has one more field serves a program that was compiled before,
# with the same answers, and a library that does not know the field yet refuses a program that was compiled after, with
# a sentence. The structs are found by their first member, `size_t size`, so that one that is added later takes part;
# tests/package/growth.c must use it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$1"
  exit 1
}

# Headers and sources with a field appended to each; their names in a list.
mkdir "$work/grown"
cp -r include src "$work/grown"
rm -r "$work/grown/include/toi/cluster.h" "$work/grown/src/cluster" # another library
for header in "$work"/grown/include/toi/*.h; do
  awk -v list="$work/structs" '
    /^typedef struct toi_[a-z_]+ \{/ {first = NR + 1; grows = 0}
    NR == first && /^  size_t size;/ {grows = 1}
    grows && /^} toi_[a-z_]+;/ {
      name = $2; sub(/;.*/, "", name); print name >>list
      print "  uint64_t grown; /* appended */"
      grows = 0
    }
    {print}' "$header" >"$work/header"
  cp "$work/header" "$header"
done
sort -o "$work/structs" "$work/structs"
count=$(wc -l <"$work/structs")
sizes=$(grep -cE '^ +size_t size;' include/toi/*.h | grep -v /cluster.h: | awk -F: '{n += $2} END {print n}')
((count >= 15 && count == sizes)) || fail "$count structs that grow were found, and $sizes members called size"

# The library of the grown sources, unoptimised: answers do not depend on that.
cc=${CC:-cc}
command -v ccache >/dev/null && cc="ccache $cc"
flags='-std=c17 -O0 -w -Wno-psabi -fPIC -fvisibility=hidden -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE'
flags+=' -Iinclude -Isrc'
# As today's library was built, with GMP or without.
integers=-lgmp
if [[ $(objdump -p "$TOI_BUILD_DIR/libtoi.so") != *libgmp* ]]; then
  integers=
  flags+=' -DTOI_WITHOUT_GMP'
fi
machine=$("${CC:-cc}" -dumpmachine)
soname=$(objdump -p "$TOI_BUILD_DIR/libtoi.so" | awk '$1 == "SONAME" {print $2}')
[[ -n $soname ]] || fail "libtoi.so has no SONAME"
(
  cd "$work/grown"
  for source in src/*/*.c; do
    extra=
    if [[ $source == *_avx2.c ]]; then
      [[ $machine == x86_64* ]] || continue
      extra='-mavx2 -mfma'
    fi
    echo "$cc $flags $extra -c $source -o $(tr / _ <<<"${source%.c}").o"
  done | xargs -P 2 -I {} sh -c '{}'
  "${CC:-cc}" -shared -Wl,-soname,"$soname" -o "$soname" ./*.o ${integers:+"$integers"} -lz -lm -ldl -lpthread
) || fail "the grown library does not build"

# One program for each set of headers, linked with today's library; which one it loads is said when it starts.
program='-std=c17 -O0 -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE'
# shellcheck disable=SC2086
"${CC:-cc}" $program -Iinclude tests/package/growth.c -o "$work/before" "$TOI_BUILD_DIR/libtoi.so"
# shellcheck disable=SC2086
"${CC:-cc}" $program -DGROWN=grown -I"$work/grown/include" tests/package/growth.c -o "$work/after" \
  "$TOI_BUILD_DIR/libtoi.so"
today() { LD_LIBRARY_PATH="$TOI_BUILD_DIR" "$@"; }
grown() { LD_LIBRARY_PATH="$work/grown" "$@"; }
today "$work/before" list | cmp - "$work/structs" || fail "tests/package/growth.c does not use all structs that grow"

# The same answers, from both libraries and by both programs.
today "$work/before" use "$work" >"$work/expected" || fail "$(tail -1 "$work/expected")"
(($(wc -l <"$work/expected") > count)) || fail "the program prints too little"
grown "$work/before" use "$work" >"$work/answers" || fail "grown library: $(tail -1 "$work/answers")"
cmp "$work/expected" "$work/answers" || fail "$(diff "$work/expected" "$work/answers")"
grown "$work/after" use "$work" >"$work/answers" || fail "grown library and program: $(tail -1 "$work/answers")"
cmp "$work/expected" "$work/answers" || fail "$(diff "$work/expected" "$work/answers")"

# What today's library does not know it refuses, and says what. Without a context there is no sentence.
today "$work/after" refuse >"$work/refused" || fail "refusing: $(tail -1 "$work/refused")"
while read -r name; do
  sentence="$name has size [0-9]+, and this library knows [0-9]+; .*newer libtoi"
  [[ $name == toi_context_options ]] && sentence=''
  grep -qE "^$name: status 2: $sentence" "$work/refused" || fail "not refused: $(grep "^$name:" "$work/refused")"
done <"$work/structs"
echo "$count structs grow"
