# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Clearance fits as scenes: what must be proved about each, and how long it may take.

Parts have a radius of 1 and a gap of a hundredth to a hundred-thousandth of it. They are asked about with the commands'
own defaults, `incoming` off, one thread; times are processor time of the whole command, the least of three.
"""

import argparse
import itertools
import json
import math
import pathlib
import resource
import subprocess
import tempfile
from collections import namedtuple

GAPS = ["1e-2", "1e-3", "1e-4", "1e-5"]
RUNS = 3
LIMIT_S = 60

# command: surface or contact; bar: seconds that it may take, None: it is only measured.
Case = namedtuple("Case", "name command scene verdict bar")

# --- patches ---


def turned(x):
    """From the shapes' own frame to a general one: by 0.9 rad about (3, -7, 5)."""
    n = [k / math.sqrt(83) for k in (3, -7, 5)]
    c, s = math.cos(0.9), math.sin(0.9)
    dot = sum(a * b for a, b in zip(n, x))
    cross = [n[(k + 1) % 3] * x[(k + 2) % 3] - n[(k + 2) % 3] * x[(k + 1) % 3] for k in range(3)]
    return [c * x[k] + (1 - c) * dot * n[k] + s * cross[k] for k in range(3)]


def circle(quarter, i, seam):
    """Control point i of a quarter of the unit circle, and its weight."""
    x, y = (1, 1, 0, -1, -1, -1, 0, 1, 1), (0, 1, 1, 1, 0, -1, -1, -1, 0)
    a, b = x[2 * quarter + i], y[2 * quarter + i]
    point = math.cos(seam) * a - math.sin(seam) * b, math.sin(seam) * a + math.cos(seam) * b
    return point, math.sqrt(0.5) if i == 1 else 1


def patch(degree, points, weights=None, velocities=None):
    made = {"type": "quad", "degree": degree, "points": [turned(p) for p in points]}
    if weights:
        made["weights"] = weights
    if velocities:
        made["velocities"] = [turned(v) for v in velocities]
    return made


def cylinder(rx, ry, half, x=0, y=0, seam=0):
    patches = []
    for quarter in range(4):
        points, weights = [], []
        for i, z in itertools.product(range(3), (-half, half)):
            at, weight = circle(quarter, i, seam)
            points.append([x + rx * at[0], y + ry * at[1], z])
            weights.append(weight)
        patches.append(patch([2, 1], points, weights))
    return {"patches": patches}


def ball(radius, x=0, seam=0):
    out, up = (0, 1, 1, 1, 0), (-1, -1, 0, 1, 1)
    patches = []
    for quarter, half in itertools.product(range(4), range(2)):
        points, weights = [], []
        for i, j in itertools.product(range(3), range(3)):
            at, weight = circle(quarter, i, seam)
            r = radius * out[2 * half + j]
            points.append([x + r * at[0], r * at[1], radius * up[2 * half + j]])
            weights.append(weight * (math.sqrt(0.5) if j == 1 else 1))
        patches.append(patch([2, 2], points, weights))
    return {"patches": patches}


# From the control points of a uniform cubic spline to those of one of its spans.
SPAN = [[1 / 6, 4 / 6, 1 / 6, 0], [0, 4 / 6, 2 / 6, 0], [0, 2 / 6, 4 / 6, 0], [0, 1 / 6, 4 / 6, 1 / 6]]


def spindle(larger, seam, along=28):
    """A surface of revolution with grooves."""
    patches = []
    for quarter, ring in itertools.product(range(4), range(along)):
        heights = [2 * (ring + k - 1) / along - 1 for k in range(4)]
        radii = [larger + 1 + 0.08 * math.cos(5 * z) + 0.03 * math.sin(9 * z) for z in heights]
        points, weights = [], []
        for i, j in itertools.product(range(3), range(4)):
            at, weight = circle(quarter, i, seam)
            r = sum(a * b for a, b in zip(SPAN[j], radii))
            points.append([r * at[0], r * at[1], sum(a * b for a, b in zip(SPAN[j], heights))])
            weights.append(weight)
        patches.append(patch([2, 3], points, weights))
    return {"patches": patches}


def wave(u, v, offset):
    """A point of a wavy sheet, moved along the normal."""
    height = 0.1 * math.sin(5 * u + 1) * math.cos(4 * v) + 0.05 * math.sin(7 * v - 3 * u)
    along_u = 0.5 * math.cos(5 * u + 1) * math.cos(4 * v) - 0.15 * math.cos(7 * v - 3 * u)
    along_v = -0.4 * math.sin(5 * u + 1) * math.sin(4 * v) + 0.35 * math.cos(7 * v - 3 * u)
    length = math.sqrt(1 + along_u**2 + along_v**2)
    return [u - offset * along_u / length, v - offset * along_v / length, height + offset / length]


def sheet(offset, side=12, breathes=0):
    """breathes: velocities along z, of a wave of its own."""
    patches = []
    for row, column in itertools.product(range(side), range(side)):
        at = [[((row + i - 1) / side, (column + j - 1) / side) for j in range(4)] for i in range(4)]
        points, speeds = [], []
        for i, j in itertools.product(range(4), range(4)):
            parts = [(SPAN[i][k] * SPAN[j][l], *at[k][l]) for k in range(4) for l in range(4)]
            places = [(w, wave(u, v, offset)) for w, u, v in parts]
            points.append([sum(w * p[k] for w, p in places) for k in range(3)])
            speeds.append([0, 0, sum(w * breathes * math.cos(3 * u + 2 * v) for w, u, v in parts)])
        patches.append(patch([3, 3], points, None, speeds if breathes else None))
    return {"patches": patches}


def motion(velocity=(0, 0, 0), spin=(0, 0, 0), centre=(0, 0, 0)):
    return {"velocity": turned(velocity), "spin": turned(spin), "centre": turned(centre)}


def touching_angle(gap, x, y):
    """By which an elliptic shaft, off its centre, touches its bore."""
    def inside(angle):
        for i in range(4000):
            t = 2 * math.pi * i / 4000
            a, b = math.cos(t), 0.98 * math.sin(t)
            p = (x + math.cos(angle) * a - math.sin(angle) * b) / (1 + gap)
            q = (y + math.sin(angle) * a + math.cos(angle) * b) / (0.98 + gap)
            if p * p + q * q >= 1:
                return False
        return True
    lo, hi = 0, 1.6
    for _ in range(40):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if inside(middle) else (lo, middle)
    return lo


def nurbs_cases():
    for text in GAPS:
        gap = float(text)
        off = 0.18 * gap, 0.24 * gap

        def case(name, a, b, how, verdict="miss", bar=0.15):
            return Case(f"nurbs {name} {text}", "surface", {"a": a, "b": b, "motion_a": how}, verdict, bar)

        bore = cylinder(1 + gap, 1 + gap, 2)
        slides, turns = motion((0, 0, 1)), motion((0, 0, 0), (0, 0, 1), (*off, 0))
        shaft = cylinder(1, 1, 1, *off, 0.3)
        yield case("shaft at-rest", shaft, bore, motion())
        yield case("shaft slides", shaft, bore, slides)
        yield case("shaft turns", shaft, bore, turns)
        oval, angle = cylinder(1, 0.98, 1, *off), touching_angle(gap, *off)
        oval_bore = cylinder(1 + gap, 0.98 + gap, 2)
        yield case("elliptic at-rest", oval, oval_bore, motion())
        yield case("elliptic slides", oval, oval_bore, slides)
        yield case("elliptic rocks", oval, oval_bore, motion((0, 0, 0), (0, 0, angle / 2), (*off, 0)))
        socket = ball(1 + gap)
        yield case("ball at-rest", ball(1, 0, 0.3), socket, motion())
        yield case("ball slides", ball(1, 0, 0.3), socket, motion((0.5 * gap, 0, 0)))
        yield case("ball turns", ball(1, 0, 0.3), socket, motion((0, 0, 0), (0.6, 0.8, 0)))
        pushed = cylinder(1, 1, 1, 1.2 * gap, 1.6 * gap, 0.3)
        yield case("shaft pushed at-rest", pushed, bore, motion(), "hit")
        yield case("shaft pushed slides", pushed, bore, slides, "hit")
        yield case("shaft pushed turns", pushed, bore, motion((0, 0, 0), (0, 0, 1)), "hit")
        centred = cylinder(1, 1, 1, 0, 0, 0.3)
        yield case("shaft pushing", centred, bore, motion((1.2 * gap, 1.6 * gap, 0)), "hit")
        yield case("shaft pushing turns", centred, bore, motion((1.2 * gap, 1.6 * gap, 0), (0, 0, 1)), "hit")
        yield case("ball pushed at-rest", ball(1, 2 * gap, 0.3), socket, motion(), "hit")
        yield case("ball pushed turns", ball(1, 2 * gap, 0.3), socket, motion((0, 0, 0), (0.6, 0.8, 0)), "hit")
        yield case("ball pushing", ball(1, 0, 0.3), socket, motion((2 * gap, 0, 0)), "hit")


def free_form_cases():
    for text, bar in zip(GAPS, (0.3, 0.3, 1, 3)):
        gap = float(text)

        def case(name, a, b, how, bar=bar):
            return Case(f"free-form {name} {text}", "surface", {"a": a, "b": b, "motion_a": how}, "miss", bar)

        inner, outer = spindle(0, 0.3), spindle(gap, 0)
        yield case("spindle at-rest", inner, outer, motion())
        yield case("spindle turns", inner, outer, motion((0, 0, 0), (0, 0, 1)))
        yield case("spindle turns shifts", inner, outer, motion((0, 0, 0.3 * gap), (0, 0, 1)), None)
        below, above = sheet(0), sheet(gap)
        yield case("sheet at-rest", below, above, motion())
        yield case("sheet shifts", below, above, motion((0.3 * gap, -0.2 * gap, 0)))
        yield case("sheet breathes", sheet(0, breathes=0.3 * gap), above, motion(), None)
        # Both follow one wave: the gap stays, the sheets change their shape by far more than it.
        yield case("sheets deform", sheet(0, breathes=0.1), sheet(gap, breathes=0.1), motion(), None)


# --- formulas ---

PARTS = {
    "ball": (["r*cos(u)*cos(v)", "r*sin(u)*cos(v)", "r*sin(v)"], "x^2 + y^2 + z^2 - r^2", True),
    "shaft": (["r*cos(u)", "r*sin(u)", "v"], "x^2 + y^2 - r^2", False),
    "elliptic": (["r*cos(u)", "(r - 0.02)*sin(u)", "v"], "(x/r)^2 + (y/(r - 0.02))^2 - 1", False),
}


def formula_shape(name, implicit, radius, length):
    texts, function, closed = PARTS[name]
    let = {"r": radius}
    if implicit:
        side = 1.125 * radius
        height = side if closed else length
        bounds = [[-side, side], [-side, side], [-height, height]]
        return {"implicit": {"f": function, "let": let, "bounds": bounds}}
    shape = {**dict(zip("xyz", texts)), "let": let, "u": [0, "2*pi"]}
    shape["v"] = ["-pi/2", "pi/2"] if closed else [-length, length]
    shape["seams"] = ["u", "v"] if closed else ["u"]
    return {"parametric": shape}


def formula_motions(name, gap):
    """Name, motion, verdict, whether it turns."""
    is_ball = name == "ball"
    if name == "elliptic":
        off, angle = (0.18 * gap, 0.24 * gap), touching_angle(gap, 0.18 * gap, 0.24 * gap)
        place = {"move": {"shift": [*off, 0]}}
        yield "at-rest", [place], "miss", False
        yield "slides", [{"move": {"shift": [*off, 0], "velocity": [0, 0, 0.3]}}], "miss", False
        yield "rocks", [{"turn": {"axis": [0, 0, 1], "rate": angle / 2}}, place], "miss", True
        return
    axis = [1, 2, 3] if is_ball else [0, 0, 1]
    push = [1.2 * gap, 0, 1.6 * gap] if is_ball else [1.2 * gap, 1.6 * gap, 0]
    yield "at-rest", [], "miss", False
    yield "slides", [{"move": {"velocity": [0.3 * gap, 0, 0.4 * gap] if is_ball else [0, 0, 0.3]}}], "miss", False
    yield "turns", [{"turn": {"axis": axis, "rate": 1}}], "miss", True
    yield "pushed at-rest", [{"move": {"shift": push}}], "hit", False
    yield "pushed turns", [{"turn": {"axis": axis, "rate": 1}}, {"move": {"shift": push}}], "hit", True
    yield "pushing", [{"move": {"velocity": push}}], "hit", False
    yield "pushing turns", [{"turn": {"axis": axis, "rate": 1}}, {"move": {"velocity": push}}], "hit", True


def formula_cases():
    kinds = ["parametric", "implicit"]
    for name, text, (i, inner), (o, outer) in itertools.product(PARTS, GAPS, enumerate(kinds), enumerate(kinds)):
        gap = float(text)
        for how, steps, verdict, turns in formula_motions(name, gap):
            bodies = [{"name": "inner", "shape": formula_shape(name, i == 1, 1, 1)},
                      {"name": "outer", "shape": formula_shape(name, o == 1, 1 + gap, 1.5)}]
            if steps:
                bodies[0]["motion"] = steps
            bar = 5 if text == "1e-5" else 1.5 if turns else 0.3
            yield Case(f"formulas {name} {inner} in {outer} {how} {text}", "contact",
                       {"incoming": "off", "bodies": bodies}, verdict, bar)


# --- asking ---


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask(toi, case, file):
    file.write_text(json.dumps(case.scene))
    least, answer = math.inf, {}
    for _ in range(RUNS):
        words = [toi, case.command, str(file), "--json", "--threads", "1"]
        if case.command == "contact":
            words = [toi, "contact", str(file), "--json", "--max-seconds", str(LIMIT_S)]
        before = children_seconds()
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        seconds = children_seconds() - before
        if done.returncode:
            return {"verdict": "error: " + done.stderr.strip()}, 0
        answer = json.loads(done.stdout)
        least = min(least, seconds)
        if least > 1:
            break
    return answer, least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--toi", default="build/release/toi")
    parser.add_argument("--keep")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    folder = pathlib.Path(options.keep or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    cases = [c for c in itertools.chain(nurbs_cases(), free_form_cases(), formula_cases())
             if all(word in c.name.split() for word in options.words)]
    wrong = 0
    print(f"{'case':58} {'verdict':8} {'s':>7} {'bar':>5}  steps")
    for case in cases:
        answer, seconds = ask(options.toi, case, folder / (case.name.replace(" ", "-") + ".json"))
        bad = case.bar is not None and (answer["verdict"] != case.verdict or seconds > case.bar)
        wrong += bad
        steps = answer.get("boxes", answer.get("checks", 0))
        bar = "" if case.bar is None else f"{case.bar:g}"
        print(f"{case.name:58} {answer['verdict']:8} {seconds:7.3f} {bar:>5}  {steps}{'  <--' if bad else ''}", flush=True)
    print(f"{len(cases)} cases, {wrong} not as they must be")
    return wrong > 0


if __name__ == "__main__":
    raise SystemExit(main())
