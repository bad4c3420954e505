#!/usr/bin/env bash
# Looks into the built library: it exports what the public headers declare and nothing else, uses no name but toi_...,
# and neither exits, prints, reads the environment, allocates behind the context's back, nor keeps mutable globals.
set -euo pipefail
wrong=0
complain() {
  echo "$1"
  [[ -n ${2:-} ]] && printf '  %s\n' "$2"
  wrong=1
}

# compare LIBRARY MACRO LIST: exported and declared, with that macro in front, are the same; toi_plugin_entry is what a
# plug-in exports. Debian's package lists them too, so that what depends on one of them finds it.
compare() {
  local exported declared listed difference
  exported=$(nm -D --defined-only "$TOI_BUILD_DIR/$1" | awk '{print $3}' | sort)
  declared=$(cat include/toi/*.h | tr '\n' ' ' | grep -oE "\b$2 [^;(]*\(" | grep -oE '\btoi_[a-z0-9_]+\($' | tr -d '(' |
    grep -v '^toi_plugin_entry$' | sort -u)
  [[ -n $exported && -n $declared ]] || complain "$1: no symbols found"
  difference=$(comm -3 <(echo "$exported") <(echo "$declared"))
  [[ -z $difference ]] || complain "$1: exported but not declared, or (indented) declared but not there:" "$difference"
  listed=$(sed -nE 's/^ (toi_[a-z0-9_]+)@Base .*/\1/p' "$3" | sort)
  difference=$(comm -3 <(echo "$declared") <(echo "$listed"))
  [[ -z $difference ]] || complain "not in $3, or (indented) there but not declared:" "$difference"
}
compare libtoi.so TOI_API "$(echo debian/libtoi[0-9]*.symbols)"
if [[ -e $TOI_BUILD_DIR/libtoi-cluster.so ]]; then
  compare libtoi-cluster.so TOI_CLUSTER_API "$(echo debian/libtoi-cluster[0-9]*.symbols)"
fi

# A program that links the static library keeps all other names to itself.
foreign=$(nm -g --defined-only "$TOI_BUILD_DIR/libtoi.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^toi_/ {print $3}')
[[ -z $foreign ]] || complain "names without our prefix:" "$foreign"

# What a library must not call. Of GMP only the mpn layer is used; memory comes from src/base/memory.c alone, but for
# single queries of extreme magnitude, which have no context to ask (src/narrow/method.c; src/base/platform_*.c).
calls=$(nm -A --undefined-only "$TOI_BUILD_DIR/libtoi.a" 2>/dev/null | sed -E 's/^[^:]*:([^:]*): *U (.*)$/\1 \2/')
forbidden='exit|_exit|quick_exit|abort|getenv|secure_getenv|setenv|printf|vprintf|puts|putchar|putc|perror'
forbidden+='|stdout|stderr|__printf_chk|__vprintf_chk|setlocale|signal|sigaction|rand|srand|strtok|system|__gmp[zqf]_.*'
found=$(awk -v p="^($forbidden)\$" '$2 ~ p' <<<"$calls")
[[ -z $found ]] || complain "the library calls:" "$found"
memory='malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup'
found=$(awk -v p="^($memory)\$" '$2 ~ p && $1 !~ /^(memory|method|platform_posix)\.c\.o$/' <<<"$calls")
[[ -z $found ]] || complain "memory behind the context's back:" "$found"

# Data that can be written, of any linkage: none but what the loader relocates and then protects.
globals=$(objdump -t "$TOI_BUILD_DIR/libtoi.a" | awk '
  NF < 4 || $(NF - 2) ~ /^\.data\.rel\.ro/ || $NF ~ /^\./ {next}
  $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ {print $NF}')
[[ -z $globals ]] || complain "mutable globals:" "$globals"
exit "$wrong"
