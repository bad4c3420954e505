#!/usr/bin/env bash
# Installs to a temporary prefix and builds somebody else's program in C, in C++ and with the C++ headers, each through
# pkg-config and through find_package, shared and static; and looks whether everything that a package should hold is there.
set -euo pipefail
here=$PWD/tests/package
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# Not where the build expected it: the package must be movable.
prefix=$tree/some/where
cmake --install "$TOI_BUILD_DIR" --prefix "$prefix" >"$tree/install.log"

die() {
  echo "$*"
  exit 1
}

# Present: each header, both libraries with their names, the manual, the completions, the documents.
libraries=$(dirname "$(find "$prefix" -name libtoi.a)")
for file in include/toi/{toi,base,narrow,explain,proof,plugin,io,scene,surface,formula,motion,contact}.h \
  include/toi/toi.hpp include/toi/cpp/{base,contact,formula,io,mesh,narrow,options,scene,surface,view}.hpp share/man/man1/toi.1 \
  share/bash-completion/completions/toi share/zsh/site-functions/_toi \
  share/doc/libtoi/{README.md,LICENSE,CHANGELOG.md,docs/{surfaces.svg,contact-scene.schema.json}} \
  share/doc/libtoi/examples/{surface.c,newton.cpp,surfaces/teapot.json,contact/two-spheres.json}; do
  [[ -s $prefix/$file ]] || die "$file is not installed, or empty"
done
[[ -x $prefix/bin/toi ]] || die "the command is not installed"
# The checker computes with GMP, and is not there without it; then the package does not name GMP either.
if [[ -n ${TOI_VERIFY_BIN:-} ]]; then
  [[ -x $prefix/bin/toi-verify && -s $prefix/share/man/man1/toi-verify.1 ]] || die "toi-verify is not installed"
elif grep -rqE '\bl?gmp\b' "$libraries/pkgconfig" "$libraries/cmake"; then
  die "the package names GMP"
fi
version=$(sed -nE "s/^#define TOI_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p" include/toi/base.h | paste -sd.)
[[ $("$prefix/bin/toi" --version) == *"$version"* ]] || die "the installed toi does not say its version"
# While the major version is 0 the minor one belongs to the name that programs ask the loader for.
soname=libtoi.so.${version%%.*}
[[ $version != 0.* ]] || soname=libtoi.so.${version%.*}
objdump -p "$libraries/libtoi.so" | grep -q "SONAME *$soname\$" || die "the SONAME of the shared library is not $soname"
[[ $(readlink "$libraries/libtoi.so") == "$soname" && $(readlink "$libraries/$soname") == "libtoi.so.$version" ]] ||
  die "libtoi.so does not lead to libtoi.so.$version through $soname"

# Through pkg-config, with every warning an error in their compiler too.
export PKG_CONFIG_PATH=$libraries/pkgconfig
cp "$here/consumer.c" "$tree/consumer.cpp"
strict=(-Wall -Wextra -Wpedantic -Werror)
read -ra compile < <(pkg-config --cflags toi)
read -ra shared < <(pkg-config --libs toi)
read -ra static < <(pkg-config --static --libs toi)
mapfile -t static < <(printf '%s\n' "${static[@]}" | sed 's/^-ltoi$/-l:libtoi.a/')
${CC:-cc} -std=c17 "${strict[@]}" "${compile[@]}" "$here/consumer.c" "${shared[@]}" -o "$tree/pc_c_shared"
${CC:-cc} -std=c17 "${strict[@]}" "${compile[@]}" "$here/consumer.c" "${static[@]}" -o "$tree/pc_c_static"
${CXX:-c++} -std=c++11 "${strict[@]}" "${compile[@]}" "$tree/consumer.cpp" "${shared[@]}" -o "$tree/pc_cpp_shared"
${CXX:-c++} -std=c++11 "${strict[@]}" "${compile[@]}" "$tree/consumer.cpp" "${static[@]}" -o "$tree/pc_cpp_static"
${CXX:-c++} -std=c++17 "${strict[@]}" "${compile[@]}" "$here/consumer_hpp.cpp" "${shared[@]}" -o "$tree/pc_hpp_shared"

# Through CMake.
if ! { cmake -S "$here" -B "$tree/build" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$tree/build"; } \
  >"$tree/cmake.log" 2>&1; then
  die "$(cat "$tree/cmake.log")"
fi

# A find_package() that asks for an incompatible version is refused.
if [[ $version == 0.* ]] && cmake -S "$here" -B "$tree/older" -DCMAKE_PREFIX_PATH="$prefix" -DTOI_ASKED=0.1 \
  >"$tree/older.log" 2>&1; then
  die "find_package(toi 0.1) accepts $version"
fi

# All of them run; the static ones without the shared library in reach.
for program in "$tree"/pc_*_shared; do
  objdump -p "$program" | grep -q "NEEDED *$soname\$" || die "$program does not ask for $soname"
  LD_LIBRARY_PATH=$libraries "$program" || die "$program fails"
done
for program in "$tree"/build/{c,cpp}_shared "$tree"/pc_*_static "$tree"/build/{c,cpp}_static "$tree"/build/hpp_toi{,_static}; do
  "$program" || die "$program fails"
done
# On several ranks, where libtoi-cluster was built.
if [[ -e $TOI_BUILD_DIR/libtoi-cluster.so ]]; then
  # shellcheck source=tests/cluster/ranks.sh
  source tests/cluster/ranks.sh
  [[ -e $libraries/libtoi-cluster.so ]] || die "libtoi-cluster is not installed"
  read -ra cluster < <(pkg-config --cflags --libs toi-cluster)
  ${CC:-cc} -std=c17 "${strict[@]}" "$here/consumer_cluster.c" "${cluster[@]}" -o "$tree/pc_cluster"
  for program in "$tree/pc_cluster" "$tree/build/c_cluster"; do
    LD_LIBRARY_PATH=$libraries ranks 2 "$program" | grep -q "on 2 ranks" || die "$program fails"
  done
fi
for program in "$tree"/pc_*_static "$tree"/build/{c,cpp}_static; do
  if objdump -p "$program" | grep -q 'NEEDED *libtoi'; then
    die "$program is not static"
  fi
done
