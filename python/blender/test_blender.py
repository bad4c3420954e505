# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The add-on inside Blender, without a window; TOI_MODULE is the folder in which the module is installed:

    TOI_MODULE=FOLDER blender --background --factory-startup --python-exit-code 1 --python test_blender.py
"""

import os
import sys
import unittest
from pathlib import Path

import bpy

if os.environ.get("TOI_MODULE"):
    sys.path.insert(0, os.environ["TOI_MODULE"])
sys.path.insert(0, str(Path(__file__).resolve().parent))
import toi_collisions as addon

SQUARE = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]


def add(name, points, faces, edges=()):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, edges, faces)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing
    return thing


def group_of(thing, name):
    """The vertices in a vertex group; None: there is no such group."""
    group = thing.vertex_groups.get(name)
    if group is None:
        return None
    return {v.index for v in thing.data.vertices if any(g.group == group.index for g in v.groups)}


def empties(name):
    return [tuple(thing.location) for thing in bpy.data.collections[name].objects]


class AddOn(unittest.TestCase):
    def setUp(self):
        for thing in list(bpy.data.objects):
            bpy.data.objects.remove(thing)
        bpy.context.scene.timeline_markers.clear()
        bpy.context.scene.frame_set(1)

    def test_crossings(self):
        spike = [(0.2, 0.1, -1), (0.2, 0.3, 1), (0.4, 0.2, 1)]
        crossed = add("crossed", SQUARE + spike + [(9, 9, 9)], [(0, 1, 2, 3), (4, 5, 6)])
        self.assertEqual(bpy.ops.mesh.toi_crossings(), {"FINISHED"})
        marked = group_of(crossed, addon.CROSSINGS)
        self.assertTrue({4, 5, 6} <= marked and 7 not in marked, marked)
        places = empties(addon.CROSSINGS)
        self.assertTrue(places and all(abs(z) < 1e-6 for _x, _y, z in places), places)
        crossed.location.z = 3
        for vertex in crossed.data.vertices[4:7]:
            vertex.co.z += 5
        bpy.context.view_layer.update()
        self.assertEqual(bpy.ops.mesh.toi_crossings(), {"FINISHED"})
        self.assertIsNone(group_of(crossed, addon.CROSSINGS))
        self.assertEqual(empties(addon.CROSSINGS), [])

    def test_first_impact(self):
        floor = add("floor", SQUARE, [(0, 1, 2, 3)])
        ball = add("tip", [(0, 0, 0), (0.2, 0, 1), (0, 0.2, 1)], [(0, 1, 2)])
        for frame, height in ((1, 1.0), (11, -1.0)):
            ball.location.z = height
            ball.keyframe_insert("location", frame=frame)
        self.assertEqual(bpy.ops.mesh.toi_impact(first=1, last=11), {"FINISHED"})
        (marker,) = bpy.context.scene.timeline_markers
        self.assertEqual(marker.name, "toi impact 6.00")
        self.assertIn(marker.frame, (5, 6), "the last whole frame before t_lo")
        self.assertIn(0, group_of(ball, addon.IMPACT))
        self.assertTrue(group_of(floor, addon.IMPACT))
        (place,) = empties(addon.IMPACT)
        self.assertLess(max(map(abs, place)), 1e-6)
        self.assertEqual(bpy.context.scene.frame_current, 1)
        impact, frame = addon.find_impact(bpy.context, [floor, ball], 1, 11, 0.5)
        self.assertAlmostEqual(frame, 3.5, 5)
        self.assertEqual(impact.hit.verdict, "hit")
        self.assertEqual(bpy.ops.mesh.toi_impact(first=1, last=3), {"FINISHED"})
        self.assertEqual(len(bpy.context.scene.timeline_markers), 0)
        self.assertIsNone(group_of(ball, addon.IMPACT))

    def test_refusals(self):
        with self.assertRaisesRegex(RuntimeError, "poll"):
            bpy.ops.mesh.toi_crossings()
        add("empty", [], [])
        self.assertEqual(bpy.ops.mesh.toi_crossings(), {"FINISHED"})
        with self.assertRaisesRegex(RuntimeError, "no vertices"):
            bpy.ops.mesh.toi_impact(first=1, last=2)
        bpy.data.objects["empty"].select_set(False)
        broken = add("broken", [(float("nan"), 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        with self.assertRaisesRegex(RuntimeError, "finite"):
            bpy.ops.mesh.toi_crossings()
        self.assertIsNone(group_of(broken, addon.CROSSINGS))


addon.register()
done = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(AddOn))
addon.unregister()
sys.exit(0 if done.wasSuccessful() else 1)
