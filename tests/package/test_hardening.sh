#!/usr/bin/env bash
# Looks at what is shipped: the shared library and the commands are hardened as Debian's packages are.
set -euo pipefail
if [[ ${TOI_BUILD_TYPE:-} != Release && ${TOI_BUILD_TYPE:-} != RelWithDebInfo ]]; then
  echo "skipped: only release builds are hardened"
  exit 77
fi
wrong=0
complain() {
  echo "$*"
  wrong=1
}

for file in "$TOI_BUILD_DIR/libtoi.so" "$TOI_BIN" ${TOI_VERIFY_BIN:+"$TOI_VERIFY_BIN"}; do
  name=$(basename "$file")
  dynamic=$(readelf --dynamic --wide "$file")
  segments=$(readelf --segments --wide "$file")
  symbols=$(nm --dynamic "$file")
  [[ $segments == *GNU_RELRO* ]] || complain "$name: no segment becomes read-only after loading (GNU_RELRO)"
  [[ $dynamic == *BIND_NOW* ]] || complain "$name: symbols are bound late (no BIND_NOW)"
  grep -q 'GNU_STACK.* RW ' <<<"$segments" || complain "$name: the stack is executable"
  [[ $symbols == *__stack_chk_fail* ]] || complain "$name: no stack protector"
  # snprintf writes to a buffer of known size everywhere, memcpy in the library.
  grep -qE '__[a-z]+_chk' <<<"${symbols//__stack_chk_fail/}" || complain "$name: no fortified call"
  if [[ $file != *.so ]]; then
    [[ $(readelf --file-header "$file") == *"DYN (Position-Independent Executable file)"* ]] || complain "$name: no PIE"
  fi
done

# All of it, not only what happens to show: each file of the library and of the commands is compiled so.
while read -r command; do
  for flag in -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Werror=format-security -fPI[CE]; do
    # shellcheck disable=SC2053
    [[ $command == *$flag* ]] || complain "compiled without $flag: ${command##* }"
  done
done < <(grep -E '"command".*-c [^ ]*/(src|cli)/' "$TOI_BUILD_DIR/compile_commands.json")
exit "$wrong"
