#!/usr/bin/env bash
# toi-verify as a command: what it prints, and how it exits.
set -euo pipefail

verify=${TOI_VERIFY_BIN:?the checker to test}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

fail() {
  printf 'test_verify_command: %s\n' "$*" >&2
  exit 1
}

# expect STATUS PATTERN ARGUMENT...: runs it, and looks for the pattern in all it prints.
expect() {
  local status=$1 pattern=$2 got=0 printed
  shift 2
  printed=$("$verify" "$@" 2>&1 <"$folder/input") || got=$?
  [[ $got == "$status" ]] || fail "$*: exit $got, not $status: $printed"
  grep -qE -- "$pattern" <<<"$printed" || fail "$*: '$pattern' is not in: $printed"
}

cat >"$folder/good" <<'TEXT'
toi-certificate 1
kind vertex-vertex
start 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0
end -0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0
t-max 0x1p+0
verdict hit
time 1/2 1/2
polynomial -1 2
last 0 plane 1 0 0
contact weights 1
qed
TEXT
sed 's/weights 1/weights 2/' "$folder/good" >"$folder/wrong"
sed 's/kind/sort/' "$folder/good" >"$folder/other"
cp "$folder/good" "$folder/input"

expect 0 '^1 certificate verified: 1 hit, 0 misses, 1 piece$' "$folder/good"
expect 0 '^3 certificates verified: 3 hits' "$folder/good" - "$folder/good"
expect 1 'wrong:10: rejected: the weights do not show a contact$' "$folder/good" "$folder/wrong"
expect 2 'other:2: not a certificate' "$folder/other"
expect 2 'No such file' "$folder/none"
expect 2 'directory' "$folder"
expect 2 '^toi-verify: a file is missing'
expect 0 '^usage: toi-verify' --help
