#!/usr/bin/env bash
# examples/rolling.c: its events, their order and their times beside closed forms that are computed here.
set -euo pipefail

program=$TOI_BUILD_DIR/example_rolling
if [[ ! -x $program ]]; then
  echo "skipped: the examples are not built (TOI_BUILD_EXAMPLES)"
  exit 77
fi
printed=$("$program")
awk '
  function fail(why) {print "line " NR ": " why ": " $0; bad = 1; exit 1}
  # Time number n is this, to within a part of it.
  function expect(n, words, time, part) {what[n] = words; at[n] = time; most[n] = part; count = n}
  BEGIN {
    g = 9.81
    expect(1, "it meets the wall", sqrt(2 * 2 / (2 / 3 * g * sin(0.2))), 1e-9)
    time = fall = sqrt(2 / g)
    for (i = 2; i <= 7; i++) {
      expect(i, "bounce", time, 1e-9)
      fall *= 0.9
      time += 2 * fall
    }
    # The end of a contact is known to within a millionth of a second.
    leaves = (6 - sqrt(36 - 2 * 0.3 * g * 1.1)) / (0.3 * g)
    expect(8, "it leaves the table", leaves, 2e-5)
    expect(9, "it meets the floor", leaves + sqrt(2 * 1.25 / g), 1e-5)
  }
  / t = / {
    if (index($0, what[++seen]) == 0) fail("expected: " what[seen])
    split($0, parts, " t = ")
    off = parts[2] / at[seen] - 1
    if (off < 0) off = -off
    if (off > most[seen]) fail("off by " off)
  }
  /1 contact tracked/ {tracked++}
  /it still lies/ {lies++}
  END {
    if (bad) exit 1
    if (seen != count || tracked != 2 || lies != 1) {print "events are missing, or there are too many"; exit 1}
  }' <<<"$printed" || {
  echo "$printed"
  exit 1
}
