# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Marks where meshes cross themselves, and where they first touch between two frames.

Everything is decided exactly, for the vertices that Blender has, in world coordinates; between the two frames vertices
move on straight lines. What is found becomes a vertex group of each object, empties in a collection, and a marker of
the timeline for the time of impact.
"""

bl_info = {
    "name": "Exact collisions",
    "author": "the libtoi authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Collisions",
    "description": "Marks self-crossings, and the first impact between two frames, by libtoi",
    "category": "Mesh",
}

import os
import sys

import bpy
import numpy as np

CROSSINGS, IMPACT = "toi crossings", "toi impact"
# So many empties at most: a mesh that crosses itself everywhere would be buried below them.
MOST_EMPTIES = 500


def library():
    """The module toi: from Blender's own Python, or from the folder that the preferences name."""
    chosen = bpy.context.preferences.addons.get(__name__)
    folder = bpy.path.abspath(chosen.preferences.folder) if chosen is not None else ""
    if folder and os.path.isdir(folder) and folder not in sys.path:
        sys.path.append(folder)
    import toi

    return toi


# --- what Blender has ---


class Gathered:
    """The vertices, triangles and loose edges of some objects as one mesh in world coordinates."""

    def __init__(self, objects, graph):
        points, faces, loose, self.objects, self.begins = [], [], [], list(objects), [0]
        for thing in self.objects:
            shown = thing.evaluated_get(graph)
            mesh = shown.to_mesh()
            # Modifiers that add vertices leave nothing that a vertex group could mark.
            same = len(mesh.vertices) == len(thing.data.vertices)
            taken = self._read(mesh if same else thing.data, thing.matrix_world if not same else shown.matrix_world)
            shown.to_mesh_clear()
            for whole, part, shift in zip((points, faces, loose), taken, (0, self.begins[-1], self.begins[-1])):
                whole.append(part + shift)
            self.begins.append(self.begins[-1] + len(taken[0]))
        self.points = np.concatenate(points)
        self.faces, self.loose = np.concatenate(faces), np.concatenate(loose)

    @staticmethod
    def _read(mesh, matrix):
        flat = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", flat)
        place = np.array(matrix, dtype=float)
        points = flat.reshape(-1, 3) @ place[:3, :3].T + place[:3, 3]
        mesh.calc_loop_triangles()
        triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        edges = [edge.vertices[:] for edge in mesh.edges if edge.is_loose]
        return points, triangles.reshape(-1, 3), np.array(edges, np.int32).reshape(-1, 2)

    def mark(self, name, vertices):
        """Puts the vertices, by their numbers in the whole, into vertex groups of this name; others leave them."""
        for number, thing in enumerate(self.objects):
            begin, end = self.begins[number], self.begins[number + 1]
            own = sorted({int(vertex) - begin for vertex in vertices if begin <= vertex < end})
            group = thing.vertex_groups.get(name)
            if group is not None:
                thing.vertex_groups.remove(group)
            if own:
                thing.vertex_groups.new(name=name).add(own, 1.0, "REPLACE")


def place_empties(scene, name, points, size):
    """Empties at the points, in a collection of this name; those of the last time go."""
    collection = bpy.data.collections.get(name)
    if collection is None:
        collection = bpy.data.collections.new(name)
    if collection.name not in scene.collection.children:
        scene.collection.children.link(collection)
    for old in list(collection.objects):
        bpy.data.objects.remove(old)
    for point in points[:MOST_EMPTIES]:
        empty = bpy.data.objects.new(name, None)
        empty.empty_display_type, empty.empty_display_size = "SPHERE", size
        empty.location = [float(x) for x in point]
        collection.objects.link(empty)


def crossing_point(points, edge, face):
    """Where an edge passes through the plane of a face, rounded."""
    a, b = points[edge]
    corners = points[face]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    heights = normal @ (a - corners[0]), normal @ (b - corners[0])
    part = heights[0] / (heights[0] - heights[1]) if heights[0] != heights[1] else 0.5
    return a + min(max(part, 0.0), 1.0) * (b - a)


def extent_of(points):
    """A size for empties: a fiftieth of the whole."""
    return float(np.ptp(points, axis=0).max()) / 50 or 0.05


# --- what is asked ---


def primitive(mesh, kind, number):
    """The vertices of a primitive."""
    return {"vertex": lambda: [number], "edge": lambda: mesh.edges[number], "face": lambda: mesh.faces[number]}[kind]()


def find_crossings(context, objects):
    """Marks every pair of each object's own edges, faces and vertices that meet; returns how many there are."""
    toi = library()
    graph = context.evaluated_depsgraph_get()
    count, points, size = 0, [], 0.05
    for thing in objects:
        gathered = Gathered([thing], graph)
        if len(gathered.points) == 0:
            continue
        mesh = toi.Mesh(gathered.points, faces=gathered.faces, loose=gathered.loose)
        found, marked = toi.mesh_crossings(mesh), set()
        for pair in found:
            numbered = zip(pair.kind.split("-"), (pair.first, pair.second))
            sides = [primitive(mesh, kind, number) for kind, number in numbered]
            marked.update(int(vertex) for side in sides for vertex in side)
            if pair.crossing:
                points.append(crossing_point(gathered.points, *sides))
            else:
                points.append(gathered.points[sides[0]].mean(axis=0))
        gathered.mark(CROSSINGS, marked)
        count, size = count + len(found), max(size, extent_of(gathered.points))
    place_empties(context.scene, CROSSINGS, points, size)
    return count


def at_frame(context, objects, frame):
    context.scene.frame_set(frame)
    return Gathered(objects, context.evaluated_depsgraph_get())


def find_impact(context, objects, first, last, separation=0.0):
    """Marks the first impact of all objects, with each other and themselves; returns it and its frame, or None."""
    toi = library()
    before = context.scene.frame_current
    start, end = at_frame(context, objects, first), at_frame(context, objects, last)
    context.scene.frame_set(before)
    if start.begins != end.begins or not np.array_equal(start.faces, end.faces):
        raise ValueError("the meshes have other faces in the second frame than in the first")
    if len(start.points) == 0:
        raise ValueError("the meshes have no vertices")
    mesh = toi.Mesh(start.points, end.points, faces=start.faces, loose=start.loose)
    impact = toi.step(mesh, min_separation=separation)
    markers = context.scene.timeline_markers
    for marker in [marker for marker in markers if marker.name.startswith(IMPACT)]:
        markers.remove(marker)
    if impact.hit.verdict == "miss":
        start.mark(IMPACT, ())
        place_empties(context.scene, IMPACT, [], 1)
        return None
    kinds = zip(impact.kind.split("-"), (impact.first, impact.second))
    start.mark(IMPACT, {int(vertex) for kind, number in kinds for vertex in primitive(mesh, kind, number)})
    place_empties(context.scene, IMPACT, [impact.hit.point], 2 * extent_of(start.points))
    frame = first + impact.hit.t_lo * (last - first)
    markers.new(f"{IMPACT} {frame:.2f}", frame=int(frame))
    return impact, frame


# --- what Blender shows ---


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __name__
    folder: bpy.props.StringProperty(
        name="Folder of the module toi", subtype="DIR_PATH", description="Where it is installed, unless Python finds it"
    )

    def draw(self, _context):
        self.layout.prop(self, "folder")


class Asks:
    """What both operators share: the selected meshes, and errors as Blender reports them."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return any(thing.type == "MESH" for thing in context.selected_objects)

    def execute(self, context):
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        objects = [thing for thing in context.selected_objects if thing.type == "MESH"]
        try:
            self.report({"INFO"}, self.ask(context, objects))
        except ImportError:
            self.report({"ERROR"}, "the module toi was not found; install it, or name its folder in the preferences")
            return {"CANCELLED"}
        except (ValueError, MemoryError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class MarkCrossings(Asks, bpy.types.Operator):
    """Mark every edge that passes through a face of its own mesh, and every pair that touches"""

    bl_idname, bl_label = "mesh.toi_crossings", "Mark self-crossings"

    def ask(self, context, objects):
        return f"{find_crossings(context, objects)} pairs of edges, faces and vertices meet"


class MarkImpact(Asks, bpy.types.Operator):
    """Mark where the selected meshes first touch between two frames"""

    bl_idname, bl_label = "mesh.toi_impact", "Mark first impact"
    first: bpy.props.IntProperty(name="First frame", default=1)
    last: bpy.props.IntProperty(name="Last frame", default=2)
    separation: bpy.props.FloatProperty(name="Separation", default=0.0, min=0.0, description="Within it they touch")

    def invoke(self, context, _event):
        self.first, self.last = context.scene.frame_start, context.scene.frame_end
        return context.window_manager.invoke_props_dialog(self)

    def ask(self, context, objects):
        found = find_impact(context, objects, self.first, self.last, self.separation)
        return "nothing touches" if found is None else f"they first touch at frame {found[1]:.6g}"


class Panel(bpy.types.Panel):
    bl_idname, bl_label, bl_category = "VIEW3D_PT_toi", "Exact collisions", "Collisions"
    bl_space_type, bl_region_type = "VIEW_3D", "UI"

    def draw(self, _context):
        self.layout.operator(MarkCrossings.bl_idname)
        self.layout.operator(MarkImpact.bl_idname)


CLASSES = (Preferences, MarkCrossings, MarkImpact, Panel)


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)


def unregister():
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
