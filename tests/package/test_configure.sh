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
  said=$(cmake -G Ninja -S . -B "$tree/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="${CC:-cc}" "$@" 2>&1) || status=1
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

# lacks NAME...: dies if it knows one of them.
lacks() {
  local name known
  known=$(cmake --build "$tree/build" --target help && ctest --test-dir "$tree/build" -N)
  for name in "$@"; do
    ! grep -qE "(^|[[:space:]])$name(:|$)" <<<"$known" || die "$name is built, although a library that it needs is not there"
  done
}

hide() {
  echo "-DCMAKE_DISABLE_FIND_PACKAGE_$1=ON"
}

configure 0
says_not "left out"
has toi_cli toi_verify simulator_main test_layout test_simulator_elements test_cpp_mesh example_newton ||
  die "something is not built, although every library is there"

# Nothing can be built without these, and both are named at once.
configure 1 "$(hide GMP)" "$(hide ZLIB)"
says "not found: GMP, zlib (on Debian: apt-get install libgmp-dev zlib1g-dev)"
configure 1 "$(hide ZLIB)"
says "not found: zlib (on Debian: apt-get install zlib1g-dev)"

# Asked for without GMP, what computes with it is left out, and only that.
configure 0 -DTOI_WITH_GMP=OFF "$(hide GMP)" "$(hide MPFR)"
says "toi-verify and toi demo --queries are left out; they compute with GMP, and TOI_WITH_GMP is OFF"
says "the tests that compare with GMP or MPFR are left out; not found: GMP, MPFR (on Debian: apt-get install libgmp-dev"
has toi_cli simulator_main test_layout test_exact test_command test_fuzz_narrow || die "more than GMP's is left out"
lacks toi_verify toi_planted bench_prove test_limbs test_limbs_halves test_integer test_verify test_fuzz_prove
! grep -q gmp "$tree/build/toi.pc" || die "toi.pc names GMP"
! grep -rq gmp "$tree/build/CMakeFiles/Export" || die "the CMake package names GMP"
configure 0 -DTOI_WITH_GMP=OFF
says_not "the tests that compare"
has toi_cli test_limbs test_integer || die "tests that compare with GMP are left out, although it is there"

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

# Without a C++ compiler, or Eigen, the tests and examples that need it are left out.
configure 0 "$(hide EIGEN)"
says "the examples with Eigen are left out; not found: Eigen (on Debian: apt-get install libeigen3-dev)"
has test_cpp_mesh || die "the tests in C++ do without Eigen"
! has example_newton || die "an example with Eigen is built without it"
configure 0 "$(hide CXX)"
says "the examples and tests in C++ are left out; not found: a C++ compiler (on Debian: apt-get install g++)"
has test_layout || die "the tests in C need no C++ compiler"
! has test_cpp_mesh || die "a test in C++ is built without a compiler"

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
