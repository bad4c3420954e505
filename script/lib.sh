# shellcheck shell=bash
# What the scripts share: packages by name, presets, and times. They source it first.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
jobs=$(nproc)
title=script/$(basename "$0")
SECONDS=0

# A compiler cache is used where there is one, for clones in other places too.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER:-ccache}
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=1
fi

# What each job needs of Debian; dependencies of these are left to apt.
packages_build=(gcc libc6-dev cmake ninja-build libgmp-dev zlib1g-dev libjansson-dev)
packages_simulator=(libsuitesparse-dev libopenblas0-serial)
packages_opencl=(opencl-headers ocl-icd-libopencl1 pocl-opencl-icd)
packages_mpi=(libopenmpi-dev openmpi-bin)
packages_python=(python3 python3-dev python3-numpy python3-cffi python3-setuptools)
packages_wasm=(clang-19 lld-19 llvm-19 wasi-libc libclang-rt-19-dev-wasm32 binaryen cmake ninja-build nodejs)
packages_docs=(python3-sphinx python3-breathe python3-myst-parser furo doxygen libjs-katex node-normalize.css mandoc)
packages_debian=("${packages_build[@]}" "${packages_python[@]}" "${packages_docs[@]}" "${packages_mpi[@]}" opencl-headers
  libcmocka-dev libmpfr-dev git devscripts debhelper dh-python)
packages_viewer=()
command -v npm >/dev/null || packages_viewer=(nodejs npm) # node's own packages bring npm along
packages_test=("${packages_build[@]}" "${packages_simulator[@]}" "${packages_python[@]}" "${packages_wasm[@]}"
  "${packages_viewer[@]}" "${packages_opencl[@]}" "${packages_mpi[@]}" g++ libeigen3-dev pkgconf
  libcmocka-dev libmpfr-dev)
packages_check=("${packages_test[@]}" "${packages_docs[@]}" git python3 clang clang-format clang-tidy cppcheck shellcheck mandoc
  qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross)

say() {
  printf '%s: %s\n' "$title" "$*"
}

stop() {
  printf '%s: %s\n' "$title" "$*" >&2
  exit 1
}

# need PACKAGE...: installs those that are missing; where there are none, apt is not even asked.
need() {
  local package missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "no Debian here: taking it that these are installed: $*"
    return
  fi
  for package in "$@"; do
    if [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
      missing+=("$package")
    fi
  done
  if ((${#missing[@]} == 0)); then
    return
  fi
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || stop "run it as root, or install: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! {
    "${as_root[@]}" apt-get -qq -o Acquire::Retries=3 update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 \
        install --no-install-recommends "${missing[@]}"
  } </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    stop "packages could not be installed"
  fi
  rm -f "$log"
}

# library_version: as the public header says.
library_version() {
  sed -nE 's/^#define TOI_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$root/include/toi/base.h" | paste -sd.
}

# quietly COMMAND...: shows what it says only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if ((status != 0)); then
    cat "$log"
  fi
  rm -f "$log"
  return "$status"
}

# build PRESET [TARGET...]: configures, with the arguments in `configure`, and builds; everything, where no target is
# named.
configure=()
build() {
  local preset=$1
  shift
  if (($# > 0)); then
    set -- --target "$@"
  fi
  quietly cmake --preset "$preset" "${configure[@]}" && quietly cmake --build --preset "$preset" -j "$jobs" "$@"
}

# viewer_packages: node, and what viewer/package-lock.json names, installed beside it. Where npm's registry cannot be
# reached: a sentence, and status 77.
viewer_packages() {
  need "${packages_viewer[@]}"
  if cmp -s viewer/package-lock.json viewer/node_modules/.installed; then
    return
  fi
  if ! (cd viewer && quietly npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier); then
    say "skipped: the packages of viewer/package-lock.json cannot be had"
    exit 77
  fi
  cp viewer/package-lock.json viewer/node_modules/.installed
}
