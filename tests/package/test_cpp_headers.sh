#!/usr/bin/env bash
# The C++ headers are whole: every public function of C is called by one of them, or has a line with a reason in
# tests/cpp/exceptions.txt, and no line is out of date. And they are clean, with every warning that our own sources are
# compiled with: each alone, in C++17 and C++20, without exceptions, and with the C headers before them. So is the C++ of
# the documents.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
  printf '%s\n' "$*"
  wrong=1
}

declared=$(cat include/toi/*.h | tr '\n' ' ' | grep -oE 'TOI_API [^;(]*\(' | grep -oE '\btoi_[a-z0-9_]+\($' | tr -d '(' | sort -u)
called=$(cat include/toi/cpp/*.hpp | tr '\n' ' ' | sed -E 's:/\*([^*]|\*+[^*/])*\*+/::g' | grep -oE '\btoi_[a-z0-9_]+\b' | sort -u)
excepted=$(grep -oE '^toi_[a-z0-9_]+ +[^ ]' tests/cpp/exceptions.txt | grep -oE '^[a-z0-9_]+' | sort -u)
(($(wc -l <<<"$declared") > 100)) || complain "only $(wc -l <<<"$declared") public functions found"
missing=$(comm -23 <(comm -23 <(echo "$declared") <(echo "$called")) <(echo "$excepted"))
[[ -z $missing ]] || complain "neither called in include/toi/cpp nor in tests/cpp/exceptions.txt:" "${missing//$'\n'/ }"
stale=$(comm -23 <(echo "$excepted") <(comm -23 <(echo "$declared") <(echo "$called")))
[[ -z $stale ]] || complain "in tests/cpp/exceptions.txt, but called, or not declared:" "${stale//$'\n'/ }"
for header in include/toi/cpp/*.hpp; do
  grep -q "<${header#include/}>" include/toi/toi.hpp || complain "toi.hpp does not include $header"
done

if [[ -z ${CXX:-} ]]; then
  echo "skipped: no C++ compiler"
  exit $((wrong ? 1 : 77))
fi
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I include -fsyntax-only)
for header in include/toi/toi.hpp include/toi/cpp/*.hpp; do
  printf '#include <%s>\n' "${header#include/}" >"$work/one.cpp"
  "$CXX" -std=c++17 "${strict[@]}" "$work/one.cpp" || complain "$header does not compile alone"
done
printf '#include <toi/toi.h>\n#include <toi/toi.hpp>\n' >"$work/both.cpp"
"$CXX" -std=c++11 "${strict[@]}" -x c++ include/toi/toi.h || complain "the C headers do not compile as C++11"
"$CXX" -std=c++20 "${strict[@]}" "$work/both.cpp" || complain "not clean in C++20"
"$CXX" -std=c++17 -fno-exceptions -fno-rtti "${strict[@]}" "$work/both.cpp" || complain "not clean without exceptions"
# All templates are used in the tests, which the build compiles in C++17; here in C++20, by clang where there is one.
other=$(command -v clang++ || echo "$CXX")
for unit in tests/cpp/test_*.cpp; do
  "$other" -std=c++20 "${strict[@]}" -DTOI_SOURCE_DIR='"."' "$unit" || complain "$unit: not clean in C++20"
done

# What would leave a view of nothing, or write to what is constant, is refused with a sentence.
# refused SENTENCE STATEMENT
refused() {
  printf '#include <toi/toi.hpp>\nvoid f(const std::vector<float> &c);\nvoid f(const std::vector<float> &c) {\n%s\n(void)c;\n}\n' \
    "$2" >"$work/refused.cpp"
  if said=$("$CXX" -std=c++17 -I include -fsyntax-only "$work/refused.cpp" 2>&1) || [[ $said != *"$1"* ]]; then
    complain "should not compile, and say '$1': $2"
  fi
}
refused "a temporary array: give it a name" 'toi::points p(std::vector<double>(6));'
refused "a temporary array: give it a name" 'toi::mesh m(c); m.thickness(std::vector<double>(6));'
refused "cannot be written to" 'toi::points_out p(c);'
refused "coordinates are double or float" 'std::vector<long double> d; toi::points p(d);'

# The C++ of the documents compiles: programs as they are, other blocks inside of a function, each in a scope of its own.
if [[ -n ${TOI_EIGEN:-} ]]; then
  for document in README.md docs/cpp.md docs/migrating.md; do
    awk -v name="$work/$(basename "$document")" '
      $0 == "```cpp" {inside = 1; file = name "." ++count ".cpp"; next}
      /^```/ {inside = 0}
      inside {print > file}' "$document"
  done
  {
    printf '#include <Eigen/Core>\n#include <cstdio>\n#include <toi/toi.hpp>\nvoid all();\nvoid all() {\n'
    printf 'toi::context context; toi::options options; Eigen::MatrixXd V0(4, 3), V1(4, 3), V(4, 3); Eigen::MatrixXi F;\n'
    printf 'Eigen::Vector3d v0, a0, b0, c0, v1, a1, b1, c1;\n'
    for block in "$work"/*.md.*.cpp; do
      grep -q '^int main' "$block" || printf '{\n%s\n}\n' "$(cat "$block")"
    done
    printf '}\n'
  } >"$work/fragments.cpp"
  (($(find "$work" -name '*.md.*.cpp' | wc -l) > 10)) || complain "the documents have lost their C++"
  for unit in "$work/fragments.cpp" $(grep -l '^int main' "$work"/*.md.*.cpp); do
    "$CXX" -std=c++17 -Wall -Wextra -Werror -Wno-unused -Wno-uninitialized -I include -isystem "$TOI_EIGEN" -fsyntax-only \
      "$unit" || complain "the C++ of the documents does not compile"
  done
fi
exit "$wrong"
