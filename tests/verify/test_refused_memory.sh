#!/usr/bin/env bash
# toi-verify, whose rational arithmetic is GMP's, with malloc refused once, or from some request on: exit 2 and one line
# on standard error.
set -euo pipefail

verify=${TOI_VERIFY_BIN:?the checker to test}
if [[ -z ${TOI_REFUSE:-} ]]; then
  echo "skipped: memory cannot be refused under a sanitizer, or without the command (TOI_REFUSE is not set)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

fail() {
  printf 'test_refused_memory: %s\n' "$*" >&2
  exit 1
}

# A hit at an irrational time: divisions, signs and areas are checked.
cat >"$folder/certificate" <<'TEXT'
toi-certificate 1
kind vertex-face
start 0x1p-2 0x1p-3 0x1p-2 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0
end 0x1p-1 0x1p-3 0x1p-2 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0 0x1p+0 0x0p+0 0x1p+0 0x0p+0
t-max 0x1p+0
verdict hit
time 19p-5 5p-3
polynomial -1 1 1
last 0 sign
contact inside z
qed
TEXT

run() {
  env LD_PRELOAD="$TOI_REFUSE" "$1" "$verify" "$folder/certificate" >"$folder/stdout" 2>"$folder/stderr"
}

run "REFUSE_COUNT=$folder/count" || fail "not accepted: $(cat "$folder/stderr")"
requests=$(cat "$folder/count")
[[ $requests -ge 100 ]] || fail "only $requests requests for memory"

# Every one of the first fifty requests, then ever larger steps. Where memory is only for speed, it does without.
for variable in REFUSE_AT REFUSE_FROM; do
  failed=0
  for ((n = 1; n <= requests; n += 1 + (n > 50 ? n / 20 : 0))); do
    got=0
    run "$variable=$n" || got=$?
    lines=$(wc -l <"$folder/stderr")
    if [[ $got == 0 ]]; then
      [[ $lines == 0 ]] || fail "$variable=$n: accepted, but: $(cat "$folder/stderr")"
    else
      [[ $got == 2 && $lines == 1 && ! -s $folder/stdout ]] || fail "$variable=$n: exit $got: $(cat "$folder/stderr")"
      failed=$((failed + 1))
    fi
  done
  [[ $failed -ge 50 ]] || fail "$variable: only $failed runs were ended by a refusal"
done
