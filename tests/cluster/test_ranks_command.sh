#!/usr/bin/env bash
# toi under mpirun: the same lists, byte by byte, and the same first impact as without; errors once, by the first rank;
# no list half-written.
set -euo pipefail
# shellcheck source=tests/cluster/ranks.sh
source tests/cluster/ranks.sh
[[ -n ${TOI_BIN:-} ]] || {
  echo "skipped: the command toi is not built"
  exit 77
}
# Under the address sanitizer the loader does not look beside the program.
export LD_LIBRARY_PATH=$TOI_BUILD_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$1"
  exit 1
}

# What does not depend on the machine: no times, no memory.
answers() {
  python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
for name in ("ms", "peak_bytes", "threads"):
    del answer[name]
print(json.dumps(answer))' "$1"
}

# compare NAME RANKS START END OPTION...: with one rank, and with so many.
compare() {
  local name=$1 counts=$2 n
  shift 2
  "$TOI_BIN" step "$@" --all --json --candidates "$work/c1" --hits "$work/h1" >"$work/j1" || fail "$name: alone: $?"
  for n in $counts; do
    ranks "$n" "$TOI_BIN" step "$@" --all --json --candidates "$work/c" --hits "$work/h" >"$work/j" ||
      fail "$name: $n ranks: $?"
    cmp "$work/c1" "$work/c" || fail "$name: $n ranks: other candidates"
    cmp "$work/h1" "$work/h" || fail "$name: $n ranks: other hits"
    diff <(answers "$work/j1") <(answers "$work/j") || fail "$name: $n ranks: another answer"
    [[ $(wc -l <"$work/j") == 1 ]] || fail "$name: $n ranks: printed more than once"
  done
}

# Two cloths that cross, in binary and as text; with loose edges and points.
python3 - "$work" <<'END'
import random, struct, sys
random.seed(7)
n = 12
def grid(z, first):
    at = [[i + 0.1 * random.random(), j + 0.1 * random.random(), z + 0.2 * random.random()]
          for i in range(n) for j in range(n)]
    faces = []
    for i in range(n - 1):
        for j in range(n - 1):
            a = first + i * n + j
            faces += [(a, a + n, a + 1), (a + n, a + n + 1, a + 1)]
    return at, faces
low, faces = grid(0, 0)
high, more = grid(1, n * n)
start, faces = low + high, faces + more
end = [[x, y, z + 1.3] for x, y, z in low] + [[x, y + 0.4, z - 0.4] for x, y, z in high]
def binary(name, points):
    with open(name, "wb") as f:
        f.write(f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
                "property double x\nproperty double y\nproperty double z\n"
                f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n".encode())
        for p in points:
            f.write(struct.pack("<3d", *p))
        for face in faces:
            f.write(struct.pack("<B3i", 3, *face))
def text(name, points, loose):
    with open(name, "w") as f:
        for p in points:
            f.write("v %r %r %r\n" % tuple(p))
        for face in faces:
            f.write("f %d %d %d\n" % tuple(i + 1 for i in face))
        for a, b in loose:
            f.write(f"l {a + 1} {b + 1}\n")
work = sys.argv[1]
binary(work + "/a.ply", start)
binary(work + "/b.ply", end)
count = len(start)
points = [[i + 0.5, i + 0.5, 0.7] for i in range(8)]
text(work + "/a.obj", start + points, [(count, count + 1), (count + 2, 5)])
text(work + "/b.obj", end + [[x, y, z - 1.5] for x, y, z in points], [(count, count + 1), (count + 2, 5)])
END
compare cloths "2 3" "$work/a.ply" "$work/b.ply"
compare separation 3 "$work/a.ply" "$work/b.ply" --min-separation 0.05 --half-space 0,0,1,-0.05
compare "loose points" 2 "$work/a.obj" "$work/b.obj" --no-start-check

# refused WORDS ARGUMENT...: exit code 2 within the time, one line of ours, and no list.
refused() {
  local words=$1 status=0
  shift
  rm -f "$work/c" "$work/h"
  ranks 2 "$TOI_BIN" "$@" >"$work/out" 2>"$work/err" || status=$?
  ((status == 2)) || fail "toi $*: exit code $status instead of 2"
  [[ ! -s $work/out ]] || fail "toi $*: printed on standard output"
  [[ $(grep -c '^toi: ' "$work/err") == 1 ]] || fail "toi $*: not one line: $(cat "$work/err")"
  grep -q "^toi: .*$words" "$work/err" || fail "toi $*: says something else: $(cat "$work/err")"
  [[ -z $(find "$work" -name 'c*' -newer "$work/out" ! -name c1) ]] || fail "toi $*: left a file"
}
step=(step "$work/a.ply" "$work/b.ply")
refused "several ranks" check "$work/a.ply"
refused "several ranks" "${step[@]}" --view "$work/c.html"
refused "unknown option" "${step[@]}" --frobnicate
refused "rank 0: .*missing.ply" step "$work/a.ply" "$work/missing.ply" --candidates "$work/c"
refused "rank 0: .*cannot be written" "${step[@]}" --candidates "$work/none/c"
refused "one mesh" step "$work/a.ply" "$work/a.obj" --candidates "$work/c"

# A number that is not finite, in the part of the second rank.
python3 - "$work" <<'END'
import struct, sys
data = bytearray(open(sys.argv[1] + "/b.ply", "rb").read())
at = data.index(b"end_header\n") + len(b"end_header\n") + 24 * 250
data[at:at + 8] = struct.pack("<d", float("nan"))
open(sys.argv[1] + "/nan.ply", "wb").write(data)
END
refused "rank 0: .*nan.ply.*vertex 250\|rank 0: .*nan.ply.*250" step "$work/a.ply" "$work/nan.ply" --candidates "$work/c"

# Without libtoi-cluster nobody does the work several times.
cp "$TOI_BIN" "$work/toi"
status=0
(unset LD_LIBRARY_PATH && ranks 2 "$work/toi" "${step[@]}") >"$work/out" 2>"$work/err" || status=$?
((status == 2)) || fail "without the library: exit code $status"
grep -q "libtoi-cluster.* cannot be loaded" "$work/err" || fail "without the library: $(cat "$work/err")"
[[ ! -s $work/out ]] || fail "without the library: printed an answer"
