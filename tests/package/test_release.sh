#!/usr/bin/env bash
# script/release, in a clone: what it refuses, with a sentence and without a trace.
set -euo pipefail
git rev-parse --git-dir >/dev/null 2>&1 || {
  echo "skipped: this is no git repository"
  exit 77
}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git clone -q . "$tree/libtoi"
cp script/release script/lib.sh "$tree/libtoi/script"
cd "$tree/libtoi"
git config user.name "The libtoi authors"
git config user.email maintainers@libtoi.example
git commit -qam "As in the tree" >/dev/null || true
version=$(sed -nE 's/^#define TOI_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/toi/base.h | paste -sd.)
before=$(git rev-parse HEAD)

# refused SENTENCE ARGUMENT...: ends with 1 and a sentence in which this stands.
refused() {
  local status=0 said
  said=$(script/release "${@:2}" 2>&1) || status=$?
  if [[ $status != 1 || $said != *"$1"* || $(wc -l <<<"$said") != 1 ]]; then
    echo "script/release ${*:2} should end with 1 and '$1', ended with $status: $said"
    exit 1
  fi
  if [[ $(git rev-parse HEAD) != "$before" || -n $(git tag) || -e build ]]; then
    echo "script/release ${*:2} left something behind"
    exit 1
  fi
}

refused "usage: script/release VERSION"
refused "usage: script/release VERSION" "$version" --publish
refused "is not a version" "${version%.*}"
refused "is not a version" "v$version"
refused "is older than $version" 0.0.1
refused "CHANGELOG.md begins with" 999.0.0
touch left-behind
refused "uncommitted changes" "$version"
rm left-behind
echo >>README.md
refused "uncommitted changes" "$version"
git checkout -q README.md
git checkout -q --detach
refused "no branch is checked out" "$version"
git checkout -q -
git config --unset user.email
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null refused "git has no user.email" "$version"
git config user.email maintainers@libtoi.example
git tag "v$version"
status=0
said=$(script/release "$version" 2>&1) || status=$?
[[ $status == 1 && $said == *"the tag v$version exists already"* ]] || {
  echo "an existing tag: $status: $said"
  exit 1
}
