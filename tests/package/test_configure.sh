#!/usr/bin/env bash
# Configures with one library hidden at a time: what cannot be built is left out with a line that names the package, or
# the configuration stops and names all that it lacks.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

die() {
  printf '%s\n' "$*"
  exit 1
}

# configure STATUS ARGUMENT...: a fresh configuration must end so; what it says, in one line, in $said.
configure() {
  local expected=$1 status=0
  shift
  rm -rf "$tree/build"
  said=$(cmake -S . -B "$tree/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="${CC:-cc}" "$@" 2>&1) || status=1
  said=$(tr -s ' \n' ' ' <<<"$said")
  [[ $status == "$expected" ]] || die "cmake $* should end with $expected, ended with $status: $said"
}

says() {
  [[ $said == *"$1"* ]] || die "not said: $1; but: $said"
}

says_not() {
  [[ $said != *"$1"* ]] || die "said without reason: $1"
}

# has NAME...: whether the configured build knows all of these targets and tests.
has() {
  local name known
  known=$(cmake --build "$tree/build" --target help && ctest --test-dir "$tree/build" -N)
  for name in "$@"; do
    grep -qE "(^|[[:space:]])$name(:|$)" <<<"$known" || return 1
  done
}

hide() {
  echo "-DCMAKE_DISABLE_FIND_PACKAGE_$1=ON"
}

configure 0
says_not "left out"
has toi_cli toi_verify simulator_main test_layout test_simulator_elements || die "something is not built, although every library is there"

# Nothing can be built without these, and both are named at once.
configure 1 "$(hide GMP)" "$(hide ZLIB)"
says "not found: GMP, zlib (on Debian: apt-get install libgmp-dev zlib1g-dev)"
configure 1 "$(hide ZLIB)"
says "not found: zlib (on Debian: apt-get install zlib1g-dev)"

# The command and the tests are left out, the libraries and the checker of certificates stay.
configure 0 "$(hide JANSSON)"
says "the command toi is left out; not found: jansson (on Debian: apt-get install libjansson-dev)"
says "the tests are left out"
has toi_verify || die "toi-verify needs no jansson"
! has toi_cli || die "toi is built without jansson"
configure 0 "$(hide CMOCKA)" "$(hide MPFR)"
says "the tests are left out; not found: cmocka, MPFR (on Debian: apt-get install libcmocka-dev libmpfr-dev)"
says_not "the command toi is"
has toi_cli || die "toi needs neither cmocka nor MPFR"
! has test_layout || die "the tests are built without cmocka"

# The simulator among the examples is left out alone.
configure 0 "$(hide CHOLMOD)"
says "the simulator among the examples is left out; not found: CHOLMOD (on Debian: apt-get install libsuitesparse-dev)"
has toi_cli test_layout || die "only the simulator needs CHOLMOD"
! has simulator_main || die "the simulator is built without CHOLMOD"
! has test_simulator_elements || die "the simulator's tests are built without it"
configure 0 "$(hide CHOLMOD)" -DTOI_BUILD_EXAMPLES=OFF
says_not "left out"

# Asked for by name, they are required.
configure 1 "$(hide CHOLMOD)" -DTOI_BUILD_SIMULATOR=ON
says "not found: CHOLMOD (on Debian: apt-get install libsuitesparse-dev)"
configure 1 "$(hide JANSSON)" -DTOI_BUILD_COMMANDS=ON
says "not found: jansson (on Debian: apt-get install libjansson-dev)"
configure 1 "$(hide CMOCKA)" "$(hide GMP)" -DTOI_BUILD_TESTS=ON
says "not found: GMP, cmocka (on Debian: apt-get install libgmp-dev libcmocka-dev)"
configure 0 "$(hide JANSSON)" "$(hide CMOCKA)" -DTOI_BUILD_COMMANDS=OFF -DTOI_BUILD_TESTS=OFF \
  -DTOI_BUILD_SIMULATOR=OFF
says_not "left out"

# Without Ninja the presets say so.
mkdir "$tree/bin"
ln -s "$(command -v cmake)" "$tree/bin/cmake"
status=0
said=$(PATH=$tree/bin cmake --preset release -B "$tree/no-ninja" 2>&1) || status=$?
said=$(tr -s ' \n' ' ' <<<"$said")
[[ $status != 0 ]] || die "configured without Ninja"
says "Ninja was not found (on Debian: apt-get install ninja-build)"
