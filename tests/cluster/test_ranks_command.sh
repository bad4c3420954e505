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
import json, re, sys
machine = re.compile(r"(.*_)?ms|.*ns.*|peak_bytes|threads")
def plain(value):
    if isinstance(value, dict):
        return {name: plain(own) for name, own in value.items() if not machine.fullmatch(name)}
    return [plain(own) for own in value] if isinstance(value, list) else value
print(json.dumps(plain(json.load(open(sys.argv[1])))))' "$1"
}

# same NAME RANKS COMMAND ARGUMENT...: alone and with so many ranks, the same report and the same files. FILE1, FILE2 and
# so on stand for a file each that is written.
same() {
  local name=$1 counts=$2 n
  shift 2
  # shellcheck disable=SC2294
  "$TOI_BIN" "${@//FILE/$work/alone}" --json >"$work/j1" || fail "$name: alone: $?"
  for n in $counts; do
    ranks "$n" "$TOI_BIN" "${@//FILE/$work/ranks}" --json >"$work/j" || fail "$name: $n ranks: $?"
    diff <(answers "$work/j1") <(answers "$work/j") || fail "$name: $n ranks: another answer"
    [[ $(wc -l <"$work/j") == 1 ]] || fail "$name: $n ranks: printed more than once"
    for file in "$work"/alone*; do
      [[ ! -e $file ]] || cmp "$file" "${file/alone/ranks}" || fail "$name: $n ranks: another file"
    done
    rm -f "$work"/ranks*
  done
  rm -f "$work"/alone*
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
lists=(--all --candidates FILE1 --hits FILE2)
same cloths 3 step "$work/a.ply" "$work/b.ply" "${lists[@]}"
same separation 3 step "$work/a.ply" "$work/b.ply" "${lists[@]}" --min-separation 0.05 --half-space 0,0,1,-0.05
# The others only at full scale.
full=$(python3 -c 'import os; print(int(float(os.environ.get("TOI_TEST_SCALE", "1")) >= 1))')
at_full_scale() {
  ((full == 0)) || "$@"
}
at_full_scale same "loose points" 2 step "$work/a.obj" "$work/b.obj" "${lists[@]}" --no-start-check
same "line search" 3 line-search "$work/a.ply" "$work/b.ply" --separation-fraction 0.2 --out FILE.ply
same "where cloths pass" 2 check "$work/b.ply" --out FILE --half-space 0,0,1,1.5
at_full_scale same "loose edges" 2 check "$work/b.obj"
same "more ranks than steps" 4 sequence "$work/a.ply" "$work/b.ply" "$work/a.ply" --all
at_full_scale same "a step on each rank" 2 sequence "$work/a.ply" "$work/b.ply" "$work/a.ply" "$work/b.ply" --min-separation 0.01
python3 - "$work" <<'END'
import random, sys
random.seed(11)
for name, rows in ("q0_vf.csv", 8), ("q1_ee.csv", 40), ("q2_vf.csv", 24), ("q3_ee.csv", 16):
    with open(sys.argv[1] + "/" + name, "w") as f:
        for _ in range(rows):
            f.write("".join("%d,4,%d,4,%d,4\n" % tuple(random.randint(-6, 6) for _ in range(3)) for _ in range(8)))
END
queries=("$work/q0_vf.csv" "$work/q1_ee.csv" "$work/q2_vf.csv" "$work/q3_ee.csv")
same queries 3 query "${queries[@]}" --out FILE1 --certificates FILE2
at_full_scale same "bench" 2 bench "${queries[@]}" --method certified,exact --truth-by exact --samples 5
status=0
ranks 2 "$TOI_BIN" step "$work/a.ply" "$work/b.ply" --fail-on-hit >"$work/out" 2>"$work/err" || status=$?
((status == 1)) || fail "--fail-on-hit: exit code $status"

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
refused "several ranks" demo
refused "several ranks" check "$work/a.ply" --view "$work/c.html"
refused "rank 0: .*missing" sequence "$work/a.ply" "$work/missing.ply"
echo "no numbers" >"$work/bad_ee.csv"
refused "rank 1: .*bad_ee.csv" query "$work/q0_vf.csv" "$work/bad_ee.csv" "$work/q2_vf.csv"
refused "write .ply" line-search "$work/a.ply" "$work/b.ply" --out "$work/c.obj"
refused "rank 0: .*cannot be written" line-search "$work/a.ply" "$work/b.ply" --out "$work/none/c.ply"
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

# unlike WORDS SECOND_RANK...: the first rank asks for a step; the other one is unlike it. No line of ours is expected
# where WORDS is empty; all end within 10 seconds, and no file is left.
unlike() {
  local words=$1 status=0 begin=$SECONDS
  shift
  ranks 1 "$TOI_BIN" "${step[@]}" --candidates "$work/c" : -n 1 "$@" --candidates "$work/c" \
    >"$work/out" 2>"$work/err" || status=$?
  ((status != 0)) || fail "unlike ($words): exit code 0"
  ((SECONDS - begin <= 10)) || fail "unlike ($words): took $((SECONDS - begin)) s"
  [[ -z $words ]] || grep -q "^toi: rank 1: .*$words" "$work/err" || fail "unlike ($words): $(cat "$work/err")"
  [[ ! -s $work/out ]] || fail "unlike ($words): printed an answer"
  [[ -z $(find "$work" -name 'c' -o -name '*.part') ]] || fail "unlike ($words): left a file"
}
unlike "other options" "$TOI_BIN" "${step[@]}" --t-max 0.5
unlike "another command" "$TOI_BIN" check "$work/a.ply"
if ! ldd "$TOI_BIN" | grep -qE 'lib[at]san'; then # a sanitizer must be loaded first
  unlike "cannot be written: Permission denied" env LD_PRELOAD="$TOI_BUILD_DIR/other_rank.so" "$TOI_BIN" "${step[@]}"
  unlike "" env OTHER_RANK=killed LD_PRELOAD="$TOI_BUILD_DIR/other_rank.so" "$TOI_BIN" "${step[@]}"
fi
