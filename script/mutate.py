# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Builds and tests mutants; script/mutate says how it is called, mutants.py what they are.

Each worker has a copy of the tree and a build of its own in build/mutate. There the tests share one library with the
internals in reach (TOI_TESTS_SHARED), so that a mutant costs an object, a link and the tests of its room, the quickest
first, up to the first that fails. What fails, crashes, or takes ten times as long as without the change is caught. A
mutant that does not build, or gives the same machine code, is replaced by the next.
"""

import argparse
import hashlib
import json
import os
import pathlib
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from mutants import Mutant, bare, mutants_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = "base number search solve motion narrow broad scene surface contact io".split()
SCALE = "0.05"
WORKERS = 2
SLOWER = 10       # times as long as without the change counts as caught,
LEAST_LIMIT = 3   # but never sooner than after so many seconds: the machine may be busy
PASSED = (0, 77)  # 77: every test of the program was skipped
MEMORY = 8 << 30  # bytes of address space of a test


class Failure(Exception):
    pass


def run(command, cwd, limit=None, env=None):
    """The status of a command and what it wrote; 'slow' if it took more than `limit` seconds."""
    def confine():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    process = subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=confine)
    try:
        output = process.communicate(timeout=limit)[0]
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        # With all that it has started; it is not reaped yet, so that its number is still its own.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "slow", ""


class Worker:
    """A copy of the tree with its build."""

    def __init__(self, root, folder):
        self.tree, self.build = folder / "tree", folder / "build"
        self.environment = dict(os.environ, TOI_TEST_SCALE=SCALE, CMOCKA_TEST_ABORT="1", CCACHE_BASEDIR=str(self.tree))
        self.environment.pop("TOI_TEST_SEED", None)
        data = root.parent / "shared" / "data"
        if "TOI_DATA_DIR" not in os.environ and data.is_dir():
            self.environment["TOI_DATA_DIR"] = str(data)
        self.copy(root)
        command = ["cmake", "-S", str(self.tree), "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCMAKE_C_FLAGS_DEBUG=-O1 -w", "-DTOI_TESTS_SHARED=ON", "-DTOI_BUILD_COMMANDS=OFF",
                   "-DTOI_BUILD_EXAMPLES=OFF", "-DTOI_BUILD_BENCHMARKS=OFF"]
        if shutil.which("ccache"):
            command.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
        status, output = run(command, self.tree, env=self.environment)
        if status != 0:
            raise Failure(output)

    def copy(self, root):
        """Files that are the same keep their times, so that nothing is built twice."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, check=True,
                                stdout=subprocess.PIPE).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (root / name).is_file()}
        for name in wanted:
            source, target = root / name, self.tree / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        for old in [path for path in self.tree.rglob("*") if path.is_file()]:
            if old.relative_to(self.tree).as_posix() not in wanted:
                old.unlink()

    def make(self, tests):
        return run(["cmake", "--build", str(self.build), "-j", "1", "--target", "toi_internals", *tests], self.tree,
                   env=self.environment)

    def code(self, tests):
        """A digest of everything that runs."""
        digest = hashlib.sha256()
        for name in ["libtoi_internals.so", *tests]:
            digest.update((self.build / name).read_bytes())
        return digest.hexdigest()

    def prepare(self, room):
        """Builds and times the room's tests as they are; they must pass."""
        names = sorted(path.stem for path in (self.tree / "tests" / room).glob("test_*.c"))
        status, output = self.make(names)
        if status != 0:
            raise Failure(output)
        self.times = {}
        for name in names:
            began = time.monotonic()
            status, output = run([str(self.build / name)], self.tree, 600, self.environment)
            if status not in PASSED:
                raise Failure(f"{name} fails without any change:\n{output}")
            self.times[name] = time.monotonic() - began
        self.normal = self.code(names)

    def judge(self, mutant):
        """'does not build', 'same code', 'survived', or 'caught by TEST'; the file is put back."""
        path = self.tree / mutant.file
        original = path.read_text()
        lines = original.split("\n")
        assert lines[mutant.line - 1] == mutant.old
        lines[mutant.line - 1] = mutant.new
        try:
            path.write_text("\n".join(lines))
            if self.make(self.times)[0] != 0:
                return "does not build"
            if self.code(self.times) == self.normal:
                return "same code"
            for name in sorted(self.times, key=self.times.get):
                limit = max(SLOWER * self.times[name], LEAST_LIMIT)
                status, _ = run([str(self.build / name)], self.tree, limit, self.environment)
                if status not in PASSED:
                    return f"caught by {name}" + (" (too slow)" if status == "slow" else "")
            return "survived"
        finally:
            path.write_text(original)


def digest_of(root, room):
    """Of what a result depends on: the sources of the room, and its tests."""
    digest = hashlib.sha256()
    for folder in (root / "src" / room, root / "tests" / room, root / "tests" / "support"):
        for path in sorted(folder.glob("*.[ch]")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def judge_room(root, folder, room, seed, count, say):
    """The mutants of a room that were built, with what became of them, and how many were replaced."""
    record = folder / "results" / f"{room}-{seed}.jsonl"
    record.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"room": room, "seed": seed, "digest": digest_of(root, room)})
    known = record.read_text().splitlines() if record.exists() else []
    if not known or known[0] != head:
        record.write_text(head + "\n")
        known = [head]
    fates = {tuple(entry[:5]): entry[5] for entry in map(json.loads, known[1:])}

    listed = mutants_of(root, room, seed)
    pending, lock, failures = queue.Queue(), threading.Lock(), []
    state = {"next": 0, "alive": 0}

    def finished():
        return sum(1 for m in listed[:state["next"]] if fates.get(tuple(m)) not in (None, "does not build", "same code"))

    def take():
        # No more are under way than are needed, so that the same are built whatever the order of their ends.
        while not failures:
            with lock:
                if finished() + state["alive"] >= count and state["alive"] == 0 or state["next"] == len(listed):
                    return None
                if finished() + state["alive"] < count:
                    mutant = listed[state["next"]]
                    state["next"] += 1
                    if tuple(mutant) in fates:
                        continue
                    state["alive"] += 1
                    return mutant
            time.sleep(0.05)
        return None

    def work(number):
        try:
            worker = None
            while mutant := take():
                if worker is None:
                    worker = Worker(root, folder / str(number))
                    worker.prepare(room)
                began = time.monotonic()
                fate = worker.judge(mutant)
                with lock:
                    state["alive"] -= 1
                    fates[tuple(mutant)] = fate
                    with record.open("a") as out:
                        out.write(json.dumps([*mutant, fate]) + "\n")
                say(f"  {mutant.file}:{mutant.line}: {fate} ({time.monotonic() - began:.0f} s)")
        except Exception as failure:  # the other worker ends too
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    tried = [(m, fates[tuple(m)]) for m in listed[:state["next"]] if tuple(m) in fates]
    built = [(m, fate) for m, fate in tried if fate not in ("does not build", "same code")]
    return built, len(tried) - len(built)


def shown(mutant):
    return f"{mutant.file}:{mutant.line}\n  - {mutant.old.strip()}\n  + {mutant.new.strip()}"


def mutate(rooms, seed, count, again):
    folder, rows = ROOT / "build" / "mutate", []
    for room in rooms:
        if again:
            (folder / "results" / f"{room}-{seed}.jsonl").unlink(missing_ok=True)
        began = time.monotonic()
        print(f"{room}:", flush=True)
        built, replaced = judge_room(ROOT, folder, room, seed, count, lambda line: print(line, flush=True))
        survivors = [mutant for mutant, fate in built if fate == "survived"]
        slow = sum(fate.endswith("(too slow)") for _, fate in built)
        rows.append((room, len(built), len(built) - len(survivors), slow, len(survivors), replaced,
                     time.monotonic() - began))
        for mutant in survivors:
            print(f"survived: {shown(mutant)}", flush=True)
    print(f"{'room':<10}{'mutants':>8}{'caught':>8}{'(slow)':>8}{'survived':>10}{'replaced':>10}{'s':>6}")
    for row in rows + [("all", *(sum(column) for column in zip(*[row[1:] for row in rows])))]:
        print(f"{row[0]:<10}{row[1]:>8}{row[2]:>8}{row[3]:>8}{row[4]:>10}{row[5]:>10}{row[6]:>6.0f}")


# --- a little project of its own, to see that the tool tells survivors from caught ones ---

LITTLE = {
    "src/base/least.h": "int least_of(const int *x, int n);\nint spin(int n);\n",
    "src/base/least.c": '''#include "least.h"
#include <assert.h>
/* A comment with 1 + 1, "1 < 2". */
int least_of(const int *x, int n) {
  assert(n > 0);
  int best = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] < best)
      best = x[i];
  return best;
}
int spin(int n) {
  while (n > 0)
    n = n - 1;
  return n;
}
''',
    "tests/base/test_least.c": '''#include "base/least.h"
int main(void) {
  int x[] = {3, 1, 2};
  return !(least_of(x, 3) == 1 && least_of(x, 1) == 3 && spin(5) == 0);
}
''',
    "CMakeLists.txt": '''cmake_minimum_required(VERSION 3.22)
project(little C)
include_directories(src)
add_library(toi_internals SHARED src/base/least.c)
add_executable(test_least tests/base/test_least.c)
target_link_libraries(test_least toi_internals)
''',
}
FATES = [
    ("    if (x[i] < best)", "    if (x[i] > best)", "caught by test_least"),
    ("  for (int i = 1; i < n; i++)", "  for (int i = 0; i < n; i++)", "survived"),
    ("  return best;", "  return best best;", "does not build"),
    ("  int best = x[0];", "  int best = x[0 + 0];", "same code"),
    ("    n = n - 1;", "    n = n - 0;", "caught by test_least (too slow)"),
]


def self_test():
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name) / "little"
        for path, text in LITTLE.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        code = bare(LITTLE["src/base/least.c"])
        wrong += any(word in code for word in ("comment", "include", "assert", "n > 0);"))
        once, twice, other = (mutants_of(root, "base", seed) for seed in (1, 1, 2))
        wrong += once != twice or once == other or len({m.line for m in once}) != len(once)
        worker = Worker(root, pathlib.Path(name) / "worker")
        worker.prepare("base")
        lines = LITTLE["src/base/least.c"].split("\n")
        for old, new, expected in FATES:
            fate = worker.judge(Mutant("src/base/least.c", lines.index(old) + 1, "", old, new))
            if fate != expected:
                print(f"self-test: {new.strip()}: {fate} instead of {expected}")
                wrong += 1
        # Twice the same room: the second time from the record, without a build.
        both = [judge_room(root, pathlib.Path(name) / "work", "base", 1, 4, lambda line: None) for _ in range(2)]
        wrong += both[0] != both[1] or len(both[0][0]) != 4
    print("script/mutate: self-test " + ("FAILED" if wrong else "passed"))
    return wrong


def main():
    parser = argparse.ArgumentParser(prog="script/mutate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40, help="mutants for each room")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    parser.add_argument("--list", action="store_true", help="show the mutants only")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=" ".join(ROOMS))
    given = parser.parse_args()
    if unknown := [room for room in given.rooms if room not in ROOMS]:
        parser.error(f"unknown room '{unknown[0]}'; the rooms are {' '.join(ROOMS)}")
    if given.self_test:
        return 1 if self_test() else 0
    rooms = given.rooms or ROOMS
    if given.list:
        for room in rooms:
            for mutant in mutants_of(ROOT, room, given.seed)[:given.count]:
                print(shown(mutant))
        return 0
    try:
        mutate(rooms, given.seed, given.count, given.again)
    except Failure as failure:
        print(f"script/mutate: {failure}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
