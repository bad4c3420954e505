#!/usr/bin/env bash
# Builds libtoi inside somebody else's project with add_subdirectory: only the libraries are built, the project's own
# flags stay what they were, and nothing of ours is installed unless TOI_INSTALL is on.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp tests/package/consumer.c "$tree/own.c"
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(parent LANGUAGES C)
enable_testing()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_STANDARD 11)
add_subdirectory(${LIBTOI} libtoi)
add_executable(own own.c)
target_link_libraries(own PRIVATE toi::toi_static)
add_executable(own_shared own.c)
target_link_libraries(own_shared PRIVATE toi::toi)
install(TARGETS own)
END

die() {
  printf '%s\n' "$*"
  exit 1
}

# Not optimised: it is compiled only to be linked.
configure() {
  cmake -S "$tree" -B "$tree/build" -DLIBTOI="$PWD" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DCMAKE_C_COMPILER="${CC:-cc}" "$@" >"$tree/log" 2>&1 || die "$(cat "$tree/log")"
}
configure
cmake --build "$tree/build" -j "$(nproc)" >"$tree/log" 2>&1 || die "$(cat "$tree/log")"
"$tree/build/own" >"$tree/said" || die "the program in the project fails"
"$tree/build/own_shared" >"$tree/said" || die "the program with the shared library fails"

# No tests, commands, examples or benchmarks.
[[ $(ctest --test-dir "$tree/build" -N | tail -n 1) == "Total Tests: 0" ]] || die "tests in somebody else's project"
ours=$(cmake --build "$tree/build" --target help | grep -oE '\b(toi_cli|toi_verify|(test|example|bench|plugin)_[a-z_]+)\b' || true)
[[ -z $ours ]] || die "built in somebody else's project: $ours"

# Its own source is compiled with its own flags.
command=$(grep -E '"command".*own\.c"' "$tree/build/compile_commands.json" | head -n 1)
[[ $command == *-std=gnu11* ]] || die "the project's C standard changed: $command"
[[ $command != *-W* && $command != *-ffp-contract* && $command != *-fstack* && $command != *visibility* ]] ||
  die "our flags reach the project's source: $command"

cmake --install "$tree/build" --prefix "$tree/plain" >/dev/null
installed=$(cd "$tree/plain" && find . -type f -o -type l)
[[ $installed == ./bin/own ]] || die "installed with the project: $installed"
configure -DTOI_INSTALL=ON
cmake --build "$tree/build" >/dev/null
cmake --install "$tree/build" --prefix "$tree/asked" >/dev/null
[[ -s $tree/asked/include/toi/toi.h && -n $(find "$tree/asked" -name libtoi.a) ]] || die "TOI_INSTALL installs nothing"
