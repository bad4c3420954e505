/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of moving surfaces that are none: each is refused with its line, its field and, in a formula, its column,
 * however the file was damaged and whenever memory is refused. */

#include "io/contact.h"

#define SCENE_FIELDS_TEXT                                                                                              \
  "$schema, title, note, t_max, tolerance, simultaneity, spacing, incoming, max_boxes, max_seconds, "                  \
  "min_separation, tracked, constants, bodies"
#define SHAPES_TEXT                                                                                                    \
  "plane, sphere, ellipsoid, cylinder, cone, torus, superquadric, bumpy-sphere, box, capped-cylinder, capsule, "       \
  "capped-cone, wedge, prism, turned, parametric, implicit, revolution, height-field, patch, nurbs, model"
#define SURFACE(z) "{\"parametric\":{\"x\":\"u\",\"y\":\"v\",\n\"z\":" z ",\"u\":[0,1],\"v\":[0,1]}}"
#define SURFACE_WITH(fields) "{\"parametric\":{\"x\":\"u\",\"y\":\"v\",\"z\":0,\"u\":[0,1],\"v\":[0,1]," fields "}}"
#define SURFACE_WITH_SHAPE(z)                                                                                          \
  "{\"shape\":{\"parametric\":{\"x\":\"u\",\"y\":\"v\",\"z\":\"" z "\",\"u\":[0,1],\"v\":[0,1]}}}"
#define BOOLEAN(operation, operands) "{\"boolean\":{\"operation\":\"" operation "\",\"of\":[" operands "]}}"
#define OPERAND "{\"shape\":{\"sphere\":{\"radius\":1}}}"
#define NESTED(shape) BOOLEAN("union", OPERAND ",{\"shape\":" shape "}")
#define IN_BOOLEAN "bodies[0].shape.boolean"
#define CONSTANTS(constants) SCENE("\"constants\":" constants ",", BODY("{\"plane\":{}}", ""))
#define HERE "bodies[0].shape.parametric"

typedef struct refusal {
  const char *text, *wanted;
} refusal;

static const refusal scenes[] = {
    {"", ":1: the file ends where a value belongs; restore it"},
    {"\n[]", ":2: a list where a scene belongs"},
    {"{}", ":1: a scene needs the field \"bodies\"; add it"},
    {"{\"bodies\":[" BALL "]}", ":1:35: bodies[0].shape: contact with itself needs bodies made of patches: patch, "
                                "nurbs or model; or add a second body"},
    {"{\"bodies\":[]}", ":1:11: bodies: 0 bodies; a scene has 2 to 10000 bodies, or one model"},
    {"{\"bodies\":{}}", ":1: bodies: an object where a list of bodies belongs"},
    {"{\"bodies\":[" BALL "," BALL "]} x", ":1: \"x\" where the end of the file belongs"},
    {"{\"bodies\":[" BALL ",\n" BALL "]}",
     ":2: bodies[1].name: bodies[0], in line 1, already has this name; choose another one"},
    {"{\"bodies\":[" BALL ",\n7]}", ":2: bodies[1]: a number where a body belongs"},
    {"{\"bodies\":[" BALL ",{\"name\":\"\",\"shape\":{\"plane\":{}}}]}",
     ":1: bodies[1].name: an empty name; give each body its own name"},
    {"{\"bodies\":[" BALL ",{\"name\":\"a\\tb\",\"shape\":{\"plane\":{}}}]}",
     ":1: bodies[1].name: byte 9 inside a name; it must be a line of text"},
    {"{\"bodies\":[" BALL ",{\"name\":\"a\\u0000b\",\"shape\":{\"plane\":{}}}]}",
     ":1: bodies[1].name: a backslash with no character after it; write \\\\ for a backslash"},
    {"{\"bodies\":[" BALL ",{\"name\":7,\"shape\":{\"plane\":{}}}]}",
     ":1: bodies[1].name: a number where a string belongs"},
    {"{\"bodies\":[" BALL ",{\"name\":\"b\"}]}", ":1: bodies[1]: a body needs the field \"shape\"; add it"},
    {"{\"bodies\":[" BALL ",{\"shape\":{\"plane\":{}}}]}", ":1: bodies[1]: a body needs the field \"name\"; add it"},
    {"{\"bodies\":[" BALL ",{\"colour\":1}]}",
     ":1: bodies[1].colour: unknown field 'colour' for a body; its fields are name, shape, motion, note"},
    {SCENE("\"tmax\":1,", BALL), ":1: tmax: unknown field 'tmax' for a scene; its fields are " SCENE_FIELDS_TEXT},
    {SCENE("\"t_max\":1,\n\"t_max\":1,", BALL), ":2: t_max: a duplicate of the field in line 1; remove one of them"},
    {SCENE("\"t_max\":-1,", BALL), ":1: t_max: must be 0 or greater, not -1"},
    {SCENE("\"t_max\":1e999,", BALL), ":1: t_max: 1e999 is beyond the largest double; numbers must be finite"},
    {SCENE("\"t_max\":NaN,", BALL), ":1: t_max: \"NaN\" where a value belongs"},
    {SCENE("\"t_max\":true,", BALL), ":1: t_max: true or false where a number or a formula, in quotes, belongs"},
    {SCENE("\"tolerance\":-1,", BALL), ":1: tolerance: must be greater than 0, not -1"},
    {SCENE("\"simultaneity\":[],", BALL), ":1: simultaneity: a list where a number or a formula, in quotes, belongs"},
    {SCENE("\"spacing\":null,", BALL), ":1: spacing: null where a number or a formula, in quotes, belongs"},
    {SCENE("\"incoming\":\"maybe\",", BALL), ":1: incoming: must be \"auto\", \"off\" or \"on\", not \"maybe\""},
    {SCENE("\"max_boxes\":0.5,", BALL), ":1: max_boxes: must be a whole number, not 0.5"},
    {SCENE("\"max_boxes\":-1,", BALL), ":1: max_boxes: must be from 0 to 9007199254740992, not -1"},
    {SCENE("\"max_boxes\":1e16,", BALL), ":1: max_boxes: must be from 0 to 9007199254740992, not 10000000000000000"},
    {SCENE("\"max_seconds\":-1,", BALL), ":1: max_seconds: must be 0 or greater, not -1"},
    {SCENE("\"title\":1,", BALL), ":1: title: a number where a string belongs"},
    {SCENE("\"note\":[],", BALL), ":1: note: a list where a string belongs"},
    {CONSTANTS("[]"), ":1: constants: a list where an object of names and their values belongs"},
    {CONSTANTS("{\"2a\":1}"),
     ":1: constants.2a: a name that formulas cannot use; take letters, digits and _, a letter first"},
    {CONSTANTS("{\"u\":1}"), ":1: constants.u: a predefined name of formulas; choose another one"},
    {CONSTANTS("{\"atan2\":1}"), ":1: constants.atan2: a predefined name of formulas; choose another one"},
    {CONSTANTS("{\"a\":1,\n\"a\":1}"), ":2: constants.a: a duplicate of the field in line 1; remove one of them"},
    {CONSTANTS("{\"a\":\"1/0\"}"), ":1: constants.a: its value is not known to be a finite number; correct it"},
    {CONSTANTS("{\"a\":\"sqrt(-1)\"}"), ":1: constants.a: its value is not known to be a finite number; correct it"},
    {CONSTANTS("{\"a\":\"exp(1e9)\"}"), ":1: constants.a: its value is not known to be a finite number; correct it"},
    {CONSTANTS("{\"a\":{}}"), ":1: constants.a: an object where a number or a formula, in quotes, belongs"},
    {CONSTANTS("{\"a\":\"2*t\"}"), ":1: constants.a: column 3: unknown name 't'; it has no variables"},
    {CONSTANTS("{\"a\":\"a + 1\"}"), ":1: constants.a: it depends on itself; remove the cycle"},
    {CONSTANTS("{\"a\":\"b\",\n\"b\":\"c\",\n\"c\":\"a\"}"),
     ":1: constants.a: it depends on 'b', which depends on it; remove the cycle"},
};

static const refusal shapes[] = {
    {SHAPE(BOOLEAN("minus", OPERAND "," OPERAND)),
     ":1: " IN_BOOLEAN ".operation: must be \"union\", \"intersection\" or \"difference\", not \"minus\""},
    {SHAPE(BOOLEAN("union", OPERAND)), ":1: " IN_BOOLEAN ": 1 operands; Boolean operations are of two or more"},
    {SHAPE(BOOLEAN("union", OPERAND ",\n{\"shape\":{\"cylinder\":{\"radius\":1,\"height\":1}}}")),
     ":2: " IN_BOOLEAN
     ".of[1]: operands[1].shape is not implicit: a Boolean shape needs the sign of a function; ask for "
     "the implicit form, or give a formula F(x, y, z, t)"},
    {SHAPE(BOOLEAN("union", OPERAND ",\n{\"shape\":{\"implicit\":{\"f\":\"x\"}}}")),
     ":2: " IN_BOOLEAN
     ".of[1]: operands[1].shape is not a solid, so it has no inside; declare it a solid, with F negative inside"},
    {SHAPE(BOOLEAN("union", OPERAND ",\n{\"shape\":{\"model\":\"teapot\"}}")),
     ":2: " IN_BOOLEAN ".of[1].shape: patches have no inside; a Boolean shape is made of implicit solids"},
    {SHAPE(BOOLEAN("union", OPERAND ",\n{\"shape\":{\"plane\":{}},\"motion\":{\"move\":{\"velocity\":[1,0,0]}}}")),
     ":2: " IN_BOOLEAN
     ".of[1]: operands[1].motion depends on time, but operands must be at rest; give the motion to the body"},
    {SHAPE(BOOLEAN("union", OPERAND ",{\"shape\":{\"plane\":{}}}")),
     ":1: " IN_BOOLEAN
     ": nothing bounds the shape along x; give it bounds that contain every part that may be touched"},
    {SHAPE(NESTED(NESTED(NESTED(NESTED(NESTED(NESTED("{\"sphere\":{\"radius\":1}}"))))))),
     ":1: " IN_BOOLEAN ".of[1]: operands[1].shape: operations are nested 6 deep; at most 5 inside each other"},
    {SHAPE("{\"faces\":{\"of\":[\n{\"trim\":[],\"shape\":{\"sphere\":{\"radius\":1}}}]}}"),
     ":2: bodies[0].shape.faces.of[0].trim: faces with trimming curves are not supported yet; remove it, and give "
     "faces "
     "that end at the edges of their parameters"},
    {SHAPE("{\"faces\":{\"of\":[" SURFACE_WITH_SHAPE("1*u") ",\n{\"shape\":{\"sphere\":{\"radius\":1}}}]}}"),
     ":2: bodies[0].shape.faces.of[1]: faces[1] is implicit: it has no edges; a face is parametric, or made of "
     "patches"},
    {SHAPE("{\"faces\":{\"of\":[" SURFACE_WITH_SHAPE("1*u") ",\n" SURFACE_WITH_SHAPE("u*v + 0.25") "]}}"),
     ":1: bodies[0].shape.faces.of[0]: faces[0]: its edge u_lo meets no other edge: faces[1], u_lo is nearest, 0.25 "
     "away at the same parameters; the tolerance is 1e-06"},
    {SHAPE("{\"faces\":{\"of\":[],\"tolerance\":1}}"),
     ":1: bodies[0].shape.faces.of: 0 faces; a solid has 1024 at most, and one model at least"},
    {SHAPE("{\"faces\":{\"of\":[" SURFACE_WITH_SHAPE("0") "],\n\"tolerance\":0}}"),
     ":2: bodies[0].shape.faces.tolerance: must be greater than 0, not 0"},
    {SHAPE("{\"parametric\":{\"x\":\"u\",\"y\":\"v\",\"z\":0,\"u\":[0,1],\"v\":[0,1],\"seams\":[\"u\"],\"triangle\":"
           "true}}"),
     ":1: bodies[0].shape.parametric: all edges of a triangle are real; give TOI_TRIANGLE | TOI_EDGES"},
    {SHAPE("{}"), ":1: bodies[0].shape: a shape has one field, not 0: " SHAPES_TEXT ", boolean or faces"},
    {SHAPE("{\"plane\":{},\"sphere\":{}}"),
     ":1: bodies[0].shape: a shape has one field, not 2: " SHAPES_TEXT ", boolean or faces"},
    {SHAPE("{\"cube\":{}}"),
     ":1: bodies[0].shape.cube: unknown field 'cube' for a shape; its fields are " SHAPES_TEXT ", boolean, faces"},
    {SHAPE("\"plane\""), ":1: bodies[0].shape: a string where a shape belongs"},
    {SHAPE("{\"sphere\":1}"), ":1: bodies[0].shape.sphere: a number where a sphere belongs"},
    {SHAPE("{\"sphere\":{}}"), ":1: bodies[0].shape.sphere: a sphere needs the field \"radius\"; add it"},
    {SHAPE("{\"sphere\":{\"radius\":1,\n\"diameter\":2}}"),
     ":2: bodies[0].shape.sphere.diameter: unknown field 'diameter' for a sphere; its fields are radius, form"},
    {SHAPE("{\"sphere\":{\"radius\":-1}}"), ":1: bodies[0].shape.sphere.radius: must be greater than 0, not -1"},
    {SHAPE("{\"sphere\":{\"radius\":\"R\"}}"),
     ":1: bodies[0].shape.sphere.radius: column 1: unknown name 'R'; it has no variables"},
    {SHAPE("{\"sphere\":{\"radius\":1,\"form\":\"mesh\"}}"),
     ":1: bodies[0].shape.sphere.form: must be \"parametric\" or \"implicit\", not \"mesh\""},
    {SHAPE("{\"ellipsoid\":{\"half_axes\":[1,2]}}"),
     ":1: bodies[0].shape.ellipsoid.half_axes: a list of 2 where a list of 3 numbers belongs"},
    {SHAPE("{\"ellipsoid\":{\"half_axes\":[1,2,0]}}"),
     ":1: bodies[0].shape.ellipsoid.half_axes: must be greater than 0, not 0"},
    {SHAPE("{\"plane\":{\"size\":[1,1]}}"),
     ":1: bodies[0].shape.plane.size: an implicit plane has no size; remove it, or give it \"form\": \"parametric\""},
    {SHAPE("{\"plane\":{\"form\":\"parametric\"}}"),
     ":1: bodies[0].shape.plane: a parametric plane needs the field \"size\"; add it"},
    {SHAPE("{\"parametric\":{\"x\":1}}"), ":1: " HERE ": a parametric surface needs the field \"y\"; add it"},
    {SHAPE(SURFACE("\"sin(w)\"")), ":2: " HERE ".z: column 5: unknown name 'w'; the variables are u, v, t"},
    {SHAPE(SURFACE("\"x\"")), ":2: " HERE ".z: column 1: unknown name 'x'; the variables are u, v, t"},
    {SHAPE(SURFACE("\"u + sinus (u)\"")),
     ":2: " HERE ".z: column 5: unknown function 'sinus'; there are abs, sqrt, sin, cos, tan, atan, exp, log, atan2, "
     "pow, min, max"},
    {SHAPE(SURFACE("[]")), ":2: " HERE ".z: a list where a number or a formula, in quotes, belongs"},
    {SHAPE(SURFACE_WITH("\"seams\":[\"u\",\"w\"]")),
     ":1: " HERE ".seams[1]: must be \"u\", \"v\", \"u_lo\", \"u_hi\", \"v_lo\" or \"v_hi\", not \"w\""},
    {SHAPE(SURFACE_WITH("\"seams\":\"u\"")), ":1: " HERE ".seams: a string where a list of seams belongs"},
    {SHAPE(SURFACE_WITH("\"closed\":true,\"seams\":[]")),
     ":1: " HERE ".seams: a closed surface has no other edges than seams; give \"closed\" or \"seams\""},
    {SHAPE(SURFACE_WITH("\"closed\":1")), ":1: " HERE ".closed: a number where true or false belongs"},
    {SHAPE(SURFACE_WITH("\"solid\":\"yes\"")), ":1: " HERE ".solid: a string where true or false belongs"},
    {SHAPE(SURFACE_WITH("\"let\":{\"r\":\"sin(q)\"}")),
     ":1: " HERE ".let.r: column 5: unknown name 'q'; the variables are u, v, t"},
    {SHAPE(SURFACE_WITH("\"let\":{\"v\":1}")), ":1: " HERE ".let.v: a predefined name of formulas; choose another one"},
    {SHAPE(SURFACE_WITH("\"let\":{\"a\":\"b\",\"b\":\"2*a\"}")),
     ":1: " HERE ".let.b: it depends on 'a', which depends on it; remove the cycle"},
    {SHAPE(SURFACE_WITH("\"let\":[]")), ":1: " HERE ".let: a list where an object of names and their values belongs"},
    {SCENE("\"constants\":{\"a\":1},", BODY(SURFACE_WITH("\"let\":{\"a\":2}"), "")),
     ":1: " HERE ".let.a: a constant in line 1 has this name; choose another one"},
    {SHAPE("{\"parametric\":{\"x\":0,\"y\":0,\"z\":0,\"v\":[0,1],\"u\":[1,0]}}"),
     ":1: " HERE ".u: from 1 to 0; the first must be less than the second"},
    {SHAPE("{\"parametric\":{\"x\":0,\"y\":0,\"z\":0,\"v\":[0,1],\"u\":[0,\"t\"]}}"),
     ":1: " HERE ".u[1]: column 1: unknown name 't'; it has no variables"},
    {SHAPE("{\"parametric\":{\"x\":0,\"y\":0,\"z\":0,\"v\":[0,1],\"u\":[1]}}"),
     ":1: " HERE ".u: a list of 1 where [lo, hi], a list of 2 numbers, belongs"},
    {SHAPE("{\"implicit\":{\"f\":\"u\"}}"),
     ":1: bodies[0].shape.implicit.f: column 1: unknown name 'u'; the variables are x, y, z, t"},
    {SHAPE("{\"implicit\":{\"f\":\"x\",\"bounds\":[[0,1],[0,1]]}}"),
     ":1: bodies[0].shape.implicit.bounds: a list of 2 where a list of 3 intervals belongs"},
    {SHAPE("{\"implicit\":{\"f\":\"x\",\"bounds\":[[0,1],\n[0,1],2]}}"),
     ":2: bodies[0].shape.implicit.bounds[2]: a number where [lo, hi], a list of 2 numbers, belongs"},
    {SHAPE("{\"revolution\":{\"radius\":\"1 + u\",\"height\":\"v\",\"v\":[0,1]}}"),
     ":1: bodies[0].shape.revolution.radius: column 5: unknown name 'u'; the variables are v, t"},
    {SHAPE("{\"height-field\":{\"z\":\"u\",\"u\":[0,1]}}"),
     ":1: bodies[0].shape.height-field: a height field needs the field \"v\"; add it"},
};

static const refusal motions[] = {
    {MOTION("7"), ":1: bodies[0].motion: a number where a list of steps belongs"},
    {MOTION("[7]"), ":1: bodies[0].motion[0]: a number where a step of a motion belongs"},
    {MOTION("[{\"fly\":{}}]"),
     ":1: bodies[0].motion[0].fly: unknown field 'fly' for a step of a motion; its fields are "
     "move, turn, spin, screw, formula, chebyshev, samples"},
    {MOTION("[{\"move\":{\"shift\":[0,0,0]},\n\"turn\":{}}]"),
     ":1: bodies[0].motion[0]: a step of a motion has one field, not 2: move, turn, spin, screw, formula, chebyshev or "
     "samples"},
    {MOTION("{\"move\":{}}"), ":1: bodies[0].motion.move: an empty move; give it a \"shift\" or a \"velocity\""},
    {MOTION("{\"move\":{\"shift\":[1,2]}}"),
     ":1: bodies[0].motion.move.shift: a list of 2 where a list of 3 numbers belongs"},
    {MOTION("{\"move\":{\"shift\":[1,\"t\"]}}"),
     ":1: bodies[0].motion.move.shift: a list of 2 where a list of 3 numbers or formulas belongs"},
    {MOTION("{\"move\":{\"shift\":[1,2,\"2*u\"]}}"),
     ":1: bodies[0].motion.move.shift[2]: column 3: unknown name 'u'; the variable is t"},
    {MOTION("{\"move\":{\"velocity\":[1,2,\"t\"]}}"),
     ":1: bodies[0].motion.move.velocity[2]: column 1: unknown name 't'; it has no variables"},
    {MOTION("{\"turn\":{\"rate\":1}}"), ":1: bodies[0].motion.turn: a turn needs the field \"axis\"; add it"},
    {MOTION("{\"turn\":{\"axis\":[0,0,1]}}"),
     ":1: bodies[0].motion.turn: an empty turn; give it an \"angle\" or a \"rate\""},
    {MOTION("{\"turn\":{\"axis\":[0,0,1],\"rate\":\"t\"}}"),
     ":1: bodies[0].motion.turn.rate: column 1: unknown name 't'; it has no variables"},
    {MOTION("{\"turn\":{\"axis\":[0,0,1],\"speed\":1}}"),
     ":1: bodies[0].motion.turn.speed: unknown field 'speed' for a turn; its fields are axis, through, angle, rate"},
    {MOTION("{\"turn\":{\"axis\":[0,0,1],\"angle\":\"x\"}}"),
     ":1: bodies[0].motion.turn.angle: column 1: unknown name 'x'; the variable is t"},
    {MOTION("{\"screw\":{\"axis\":[0,0,1],\"angle\":\"t\"}}"),
     ":1: bodies[0].motion.screw.angle: column 1: unknown name 't'; it has no variables"},
    {MOTION("{\"formula\":{}}"),
     ":1: bodies[0].motion.formula: an empty motion; give it a \"quaternion\" or a \"translation\""},
    {MOTION("{\"formula\":{\"quaternion\":[1,0,0]}}"),
     ":1: bodies[0].motion.formula.quaternion: a list of 3 where a list of 4 formulas, w, x, y and z, belongs"},
    {MOTION("{\"formula\":{\"translation\":[1,0,\n\"w\"]}}"),
     ":2: bodies[0].motion.formula.translation[2]: column 1: unknown name 'w'; the variable is t"},
    {MOTION("{\"chebyshev\":{\"from\":0,\"to\":1}}"),
     ":1: bodies[0].motion.chebyshev: an empty motion; give it a \"quaternion\" or a \"translation\""},
    {MOTION("{\"chebyshev\":{\"from\":0,\"translation\":[[1],[1],[1]]}}"),
     ":1: bodies[0].motion.chebyshev: a Chebyshev series needs the field \"to\"; add it"},
    {MOTION("{\"chebyshev\":{\"from\":0,\"to\":1,\"translation\":[[1],[1]]}}"),
     ":1: bodies[0].motion.chebyshev.translation: a list of 2 where a list of 3 lists, of x, y and z, belongs"},
    {MOTION("{\"chebyshev\":{\"from\":0,\"to\":1,\"translation\":[[1],[1,\n2],[1]]}}"),
     ":1: bodies[0].motion.chebyshev.translation[1]: a list of 2, but the first one is of 1; all have the same length"},
    {MOTION("{\"chebyshev\":{\"from\":0,\"to\":1,\"translation\":[[],[],[]]}}"),
     ":1: bodies[0].motion.chebyshev.translation[0]: an empty list; a series has one number at least"},
    {MOTION("{\"chebyshev\":{\"from\":0,\"to\":1,\"translation\":[1,2,3]}}"),
     ":1: bodies[0].motion.chebyshev.translation[0]: a number where a list of numbers belongs"},
    {MOTION("{\"chebyshev\":{\"from\":0,\"to\":1,\"derivative_bound\":1}}"),
     ":1: bodies[0].motion.chebyshev.derivative_bound: unknown field 'derivative_bound' for a Chebyshev series; its "
     "fields are from, to, quaternion, translation"},
    {MOTION("{\"samples\":{\"from\":0,\"to\":1,\"quaternion\":[[1],[1],[1]]}}"),
     ":1: bodies[0].motion.samples.quaternion: a list of 3 where a list of 4 lists, of w, x, y and z, belongs"},
};

#define POINTS4 "[[0,0,0],[0,1,0],[1,0,0],[1,1,0]]"
#define PATCH(points) "{\"patch\":{\"type\":\"quad\",\"degree\":[1,1],\n\"points\":" points "}}"
#define SEPARATE(first, second) "{\"min_separation\":1,\n\"bodies\":[" first ",\n" second "]}"
#define POT(rest) "{\"name\":\"pot\",\"shape\":{\"model\":\"teapot\"}" rest "}"
#define CUP(rest) "{\"name\":\"cup\",\"shape\":{\"model\":\"cylinder\"}" rest "}"
#define OLDER                                                                                                          \
  "a field of an older motion; write steps, such as [{\"spin\": {\"rate\": [0, 0, 1]}}, {\"move\": {\"velocity\": "    \
  "[1, 0, 0]}}]"

/* Patches, older scenes, and questions that only some bodies can be asked. Each with its column. */
static const refusal models[] = {
    {SHAPE(PATCH("[[0,0,0],[0,1,0],[1,0,0]]")),
     ":2:10: bodies[0].shape.patch.points: 3 control points, but a quad of degree [1, 1] has 4; correct one of them"},
    {SHAPE(PATCH("[[0,0,0],[0,1,0],[1,0],[1,1,0]]")),
     ":2:27: bodies[0].shape.patch.points[2]: 2 numbers where 3 belong; add what is missing"},
    {SHAPE(PATCH("[[0,0,0],[0,1,0],[1,0,\"u\"],[1,1,0]]")),
     ":2:32: bodies[0].shape.patch.points[2][2]: a string where a number belongs"},
    {SHAPE(PATCH("[[1,2,3],[1,2,3],[1,2,3],[1,2,3]]")),
     ":1:44: bodies[0].shape.patch: patch 0: all its control points are the same: it has no extent"},
    {SHAPE("{\"patch\":{\"type\":\"quad\",\"degree\":[1,0],\"points\":[[0,0,0],[1,0,0]]}}"),
     ":1:44: bodies[0].shape.patch: patch 0: degree[1] is 0: a curve or a point; a body needs a surface"},
    {SHAPE("{\"patch\":{\"type\":\"disc\",\"degree\":1,\"points\":[]}}"),
     ":1:52: bodies[0].shape.patch.type: must be \"quad\" or \"triangle\", not \"disc\""},
    {SHAPE("{\"patch\":{\"type\":\"quad\",\"degree\":12,\"points\":[]}}"),
     ":1:68: bodies[0].shape.patch.degree: must be a whole number from 0 to 9, not 12"},
    {SHAPE("{\"nurbs\":{\"degree\":1,\"knots\":[[0,0,1],[0,0,1,1]],\"points\":[[[0,0,0],[0,1,0]],[[1,0,0],[1,1,0]]]}}"),
     ":1:44: bodies[0].shape.nurbs: 3 knots in u; 2 control points of degree 1 take 4"},
    {SHAPE("{\"model\":7}"), ":1:44: bodies[0].shape.model: a number where a model, or the path of its file, belongs"},
    {SHAPE("{\"model\":{}}"), ":1:44: bodies[0].shape.model: an empty model; give it patches, nurbs, hermite or shape"},
    {SHAPE("{\"model\":{\"shape\":\"kettle\"}}"),
     ":1:53: bodies[0].shape.model.shape: must be \"teapot\", \"sphere\", \"cylinder\" or \"torus\", not \"kettle\""},
    {SHAPE("{\"model\":{\"patches\":[{\"type\":\"quad\",\"degree\":1,\"points\":" POINTS4 "},{\"type\":1}]}}"),
     ":1:134: bodies[0].shape.model.patches[1].type: a number where a string belongs"},
    {SHAPE("{\"model\":\"kettle\"}"),
     ":1:44: bodies[0].shape.model: neither a file nor a shape of this name; shapes are "
     "teapot, sphere, cylinder, torus"},
    {SHAPE("{\"parametric\":{\"x\":\"1\",\"y\":\"2\",\"z\":\"3*t\",\"u\":[0,1],\"v\":[0,1]}}"),
     ":1:49: bodies[0].shape.parametric: x, y and z do not depend on both u and v: a curve or a point; a body needs a "
     "surface"},
    {SHAPE("{\"parametric\":{\"x\":\"u\",\"y\":\"u^2\",\"z\":\"0\",\"u\":[0,1],\"v\":[0,1]}}"),
     ":1:49: bodies[0].shape.parametric: x, y and z do not depend on both u and v: a curve or a point; a body needs a "
     "surface"},
    {SHAPE("{\"implicit\":{\"f\":\"t - 1\"}}"),
     ":1:47: bodies[0].shape.implicit: the function depends on none of x, y and z: it has no surface"},
    {MOTION("{\"spin\":{\"rate\":[0,0,0]}}"),
     ":1:65: bodies[0].motion.spin: a spin without an axis; give it a rate other than [0, 0, 0]"},
    {MOTION("{\"velocity\":[0,0,1]}"), ":1:69: bodies[0].motion.velocity: " OLDER},
    {MOTION("{\"spin\":[0,0,1],\"centre\":[0,0,0]}"), ":1:65: bodies[0].motion.spin: " OLDER},
    {"{\"a\":\"teapot\",\"b\":\"sphere\"}",
     ":1:6: a: a scene of `toi surface`; use that command, or rewrite the file with `toi contact --convert`"},
    {SCENE("\"motion_a\":{\"velocity\":[0,0,1]},\n", POT("")),
     ":1:13: motion_a: a field of scenes of `toi surface`, beside bodies; give each body its own \"motion\" and leave "
     "this "
     "field out"},
    {SCENE("\"tracked\":true,", POT("")), ":1:12: tracked: true or false where what is tracked belongs"},
    {SCENE("\"tracked\":{\"delta\":1},", POT("")),
     ":1:12: tracked: what is tracked needs the field \"margin\"; add it"},
    {SCENE("\"tracked\":{\"delta\":0,\"margin\":1},", POT("")), ":1:21: tracked.delta: must be greater than 0, not 0"},
    {SCENE("\"tracked\":{\"delta\":1,\"margin\":1},", POT("")),
     ":1:21: tracked.delta: must be an eighth of the margin, 1, at most, not 1"},
    {SCENE("\"min_separation\":1,\"tracked\":{\"delta\":0.1,\"margin\":1},", POT("")),
     ":1:31: tracked: contacts are not tracked in scenes with min_separation; leave one out"},
    {SCENE("\"min_separation\":-1,", POT("")), ":1:19: min_separation: must be 0 or greater, not -1"},
    {SEPARATE(POT(""), BALL),
     ":3:24: bodies[1].shape: a separation needs bodies made of patches: patch, nurbs or model; or leave "
     "min_separation out"},
    {SEPARATE(POT(""), CUP("") "," BALL),
     ":1:19: min_separation: min_separation needs two bodies, not 3; leave some out"},
    {"{\"bodies\":[" POT(",\"motion\":{\"move\":{\"velocity\":[0,0,1]}}") "]}",
     ":1:62: bodies[0].motion: a motion of the whole body causes no contact with itself; leave it out"},
};

static void expect_refusals(toi_context *context, const refusal *list, size_t count) {
  static const char *const names[] = {"bad.json", "bad.json.gz"};
  for (size_t i = 0; i < 2 * count; i++) {
    const char *path = test_write_text(names[i % 2], list[i / 2].text);
    toi_contact_scene scene = {.count = 77};
    const uint64_t before = toi_context_bytes(context);
    const toi_status status = toi_contact_scene_read(context, path, &scene);
    expect_scene_sentence(context, status, path, list[i / 2].wanted);
    expect_empty_scene(&scene);
    // Formulas may keep scratch.
    assert_true(toi_context_bytes(context) <= before + (1 << 20));
  }
}

static void texts_that_are_no_scene_are_refused(void **state) {
  expect_refusals(*state, scenes, sizeof scenes / sizeof scenes[0]);
}

static void shapes_that_are_none_are_refused(void **state) {
  expect_refusals(*state, shapes, sizeof shapes / sizeof shapes[0]);
}

static void motions_that_are_none_are_refused(void **state) {
  expect_refusals(*state, motions, sizeof motions / sizeof motions[0]);
}

static void models_that_cannot_be_asked_about_are_refused(void **state) {
  expect_refusals(*state, models, sizeof models / sizeof models[0]);
}

/* A model in a file of its own: what is wrong in it is told with both places. */
static void a_model_file_that_is_wrong_is_named(void **state) {
  static const struct {
    const char *model, *wanted;
  } files[] = {{"{\"shape\":\n7}", "part.json:2: shape: \"7\" where a string belongs"}, {NULL, "part.json: "}};
  for (size_t i = 0; i < 2; i++) {
    if (files[i].model != NULL)
      test_write_text("part.json", files[i].model);
    else
      (void)remove(test_path("part.json"));
    char path[1024];
    snprintf(path, sizeof path, "%s", test_write_text("bad.json", SHAPE("{\"model\":\"part.json\"}")));
    toi_contact_scene scene;
    assert_int_equal(toi_contact_scene_read(*state, path, &scene), TOI_ERROR_FORMAT);
    const char *error = toi_context_error(*state);
    if (strncmp(error + strlen(path), ":1:44: bodies[0].shape.model: ", 30) != 0 ||
        strstr(error, files[i].wanted) == NULL)
      fail_msg("%s", error);
  }
}

/* What formulas, shapes and motions find wrong themselves has the place in front. */
static void faults_that_others_find_are_placed(void **state) {
  static const struct {
    const char *text, *place, *part;
  } faults[] = {
      {SHAPE(SURFACE("\"sin(u, v)\"")), ":2: " HERE ".z: ", "1 argument"},
      {SHAPE(SURFACE("\"max(u)\"")), ":2: " HERE ".z: ", "at least 2 arguments"},
      {SHAPE(SURFACE("\"u $ v\"")), ":2: " HERE ".z: ", "column 3"},
      {SHAPE(SURFACE("\"(u + v\"")), ":2: " HERE ".z: ", "parenthesis"},
      {SHAPE(SURFACE("\"\"")), ":2: " HERE ".z: ", "empty"},
      {SHAPE(SURFACE("\"1e999\"")), ":2: " HERE ".z: ", "beyond the largest double"},
      {SHAPE("{\"sphere\":{\"radius\":\"1 +\"}}"), ":1: bodies[0].shape.sphere.radius: ", "column 4"},
      {MOTION("[{\"move\":{\"shift\":[0,0,0]}},\n{\"turn\":{\"axis\":[0,0,0],\"rate\":1}}]"),
       ":2: bodies[0].motion[1].turn: ", "axis"},
      {MOTION("{\"turn\":{\"axis\":[0,0,0],\"angle\":\"t\"}}"), ":1: bodies[0].motion.turn: ", "axis"},
      {MOTION("{\"screw\":{\"axis\":[0,0,0]}}"), ":1: bodies[0].motion.screw: ", "axis"},
      {MOTION("{\"chebyshev\":{\"from\":1,\"to\":0,\"translation\":[[1],[1],[1]]}}"),
       ":1: bodies[0].motion.chebyshev: ", ""},
      {MOTION("{\"samples\":{\"from\":0,\"to\":1,\"derivative_bound\":-1,\"translation\":[[1],[1],[1]]}}"),
       ":1: bodies[0].motion.samples: ", ""},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    const char *path = test_write_text("bad.json", faults[i].text);
    toi_contact_scene scene;
    const toi_status status = toi_contact_scene_read(*state, path, &scene);
    const char *error = toi_context_error(*state);
    if (status != TOI_ERROR_FORMAT || strncmp(error, path, strlen(path)) != 0 ||
        strncmp(without_column(error + strlen(path)), faults[i].place, strlen(faults[i].place)) != 0 ||
        strstr(error, faults[i].part) == NULL)
      fail_msg("status %d, \"%s\" instead of: %s...%s", (int)status, error, faults[i].place, faults[i].part);
    expect_empty_scene(&scene);
  }
}

/* Parentheses, calls, signs and powers, 10,000 deep, in each place that takes a formula. */
static void formulas_nested_ten_thousand_deep_get_a_sentence(void **state) {
  static const char *const levels[] = {"(", "sin(", "u^", "-(", "1+(", "abs(u*"};
  static const struct {
    const char *before, *after, *place;
  } places[] = {
      {"{\"bodies\":[" BALL ",{\"name\":\"b\",\"shape\":{\"height-field\":{\"u\":[0,1],\"v\":[0,1],\n\"z\":\"",
       "\"}}}]}", ":2: bodies[1].shape.height-field.z: "},
      {"{\"constants\":{\"a\":\"", "\"},\"bodies\":[" BALL ",{\"name\":\"b\",\"shape\":{\"plane\":{}}}]}",
       ":1: constants.a: "},
  };
  const size_t deep = 10000, room = 1 << 17;
  char *text = malloc(room);
  assert_non_null(text);
  for (size_t i = 0; i < 2 * sizeof levels / sizeof levels[0]; i++) {
    const char *level = levels[i / 2];
    strcpy(text, places[i % 2].before);
    char *end = text + strlen(text);
    for (size_t k = 0; k < deep; k++)
      for (const char *c = level; *c != '\0'; c++)
        *end++ = i % 2 == 1 && *c == 'u' ? '2' : *c;
    *end++ = '1';
    for (size_t k = 0; k < deep && strchr(level, '(') != NULL; k++)
      *end++ = ')';
    strcpy(end, places[i % 2].after);
    const char *path = test_write_text("deep.json", text);
    toi_contact_scene scene;
    assert_int_equal(toi_contact_scene_read(*state, path, &scene), TOI_ERROR_FORMAT);
    const char *error = without_column(toi_context_error(*state) + strlen(path));
    assert_true(strncmp(error, places[i % 2].place, strlen(places[i % 2].place)) == 0);
    assert_non_null(strstr(error, "deep"));
    assert_true(strlen(error) < 400);
  }
  free(text);
}

static void calls_without_what_they_need_are_refused(void **state) {
  toi_contact_scene scene = {0};
  const char *path = test_path("nothing.json");
  assert_int_equal(toi_contact_scene_read(NULL, path, &scene), TOI_ERROR_INPUT);
  assert_int_equal(toi_contact_scene_read(*state, NULL, &scene), TOI_ERROR_INPUT);
  assert_int_equal(toi_contact_scene_read(*state, path, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_contact_scene_read(*state, path, &scene), TOI_ERROR_FILE);
  expect_empty_scene(&scene);
  toi_contact_scene_free(*state, NULL);
}

/* --- damage and refused memory --- */

/* Every form once. */
static const char whole[] =
    "{\"title\":\"T\",\"t_max\":2,\"constants\":{\"k\":\"2*pi\",\"n\":3},\"bodies\":[\n"
    "{\"name\":\"a\",\"shape\":{\"parametric\":{\"let\":{\"r\":\"2 + cos(v)\"},\"x\":\"r*cos(u)\",\"y\":\"r*sin(u)\","
    "\"z\":\"sin(v)\",\"u\":[0,\"k\"],\"v\":[0,\"k\"],\"closed\":true}},\n"
    "\"motion\":[{\"turn\":{\"axis\":[0,0,1],\"angle\":\"t^2\",\"through\":[1,0,0]}},{\"move\":{\"shift\":[\"t\",0,5]}}"
    "]},"
    "\n{\"name\":\"b\",\"shape\":{\"implicit\":{\"f\":\"x^2 + y^2 - n*z\",\"bounds\":[[0,1],[0,1],[0,1]]}},\n"
    "\"motion\":{\"chebyshev\":{\"from\":0,\"to\":2,\"quaternion\":[[1,0],[0,0.5],[0,0],[0,0]]}}},\n"
    "{\"name\":\"c\",\"shape\":{\"revolution\":{\"radius\":\"v\",\"height\":\"v\",\"v\":[1,2]}},\"motion\":{\"screw\":"
    "{\"axis\":[1,0,0],\"speed\":2}}},\n"
    "{\"name\":\"d\",\"shape\":{\"torus\":{\"ring_radius\":\"n\",\"tube_radius\":1}},\"motion\":{\"samples\":{\"from\":"
    "0,"
    "\"to\":2,\"translation\":[[1,2],[0,0],[0,0]],\"derivative_bound\":1}}}]}\n";

/* True if something could be read. */
static bool read_damaged(toi_context *context, const char *path) {
  toi_contact_scene scene;
  const toi_status status = toi_contact_scene_read(context, path, &scene);
  if (status == TOI_OK) {
    assert_true(scene.count >= 2 && scene.options->t_max >= 0);
    for (size_t i = 0; i < scene.count; i++)
      assert_true(scene.bodies[i].shape != NULL && strlen(scene.names[i]) > 0);
  } else {
    if (status != TOI_ERROR_FORMAT || strncmp(toi_context_error(context), path, strlen(path)) != 0)
      fail_msg("status %d, \"%s\"", (int)status, toi_context_error(context));
    expect_empty_scene(&scene);
  }
  toi_contact_scene_free(context, &scene);
  return status == TOI_OK;
}

static void files_cut_anywhere_are_refused(void **state) {
  const uint64_t before = toi_context_bytes(*state);
  for (size_t size = 0; size < sizeof whole; size++)
    assert_true(read_damaged(*state, write_new("cut.json", whole, size)) == (size + 2 >= sizeof whole));
  assert_true(toi_context_bytes(*state) <= before + (1 << 20));
}

static void damaged_files_are_read_or_refused(void **state) {
  uint64_t seed = test_seed(0x5eed0620);
  size_t fine = 0;
  const uint64_t rounds = test_count(10000), before = toi_context_bytes(*state);
  for (uint64_t round = 0; round < rounds; round++) {
    char text[sizeof whole];
    memcpy(text, whole, sizeof whole);
    const size_t size = damage(text, sizeof whole - 1, &seed);
    fine += read_damaged(*state, write_new(round % 8 == 0 ? "d.json.gz" : "d.json", text, size));
  }
  print_message("%zu of %zu damaged files are scenes\n", fine, (size_t)rounds);
  assert_true(fine < rounds);
  assert_true(toi_context_bytes(*state) <= before + (1 << 20));
}

static toi_status try_once(const char *path, size_t refuse) {
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  const uint64_t before = toi_context_bytes(context);
  allocator.refuse_at = allocator.calls + refuse;
  toi_contact_scene scene = {0};
  const toi_status status = toi_contact_scene_read(context, path, &scene);
  if (status != TOI_OK) {
    expect_empty_scene(&scene);
    assert_true(strlen(toi_context_error(context)) > 0);
  }
  toi_contact_scene_free(context, &scene);
  assert_true(toi_context_bytes(context) <= before + (1 << 20));
  toi_context_destroy(context);
  assert_int_equal(allocator.wrong_sizes, 0);
  assert_int_equal(allocator.blocks, 0);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  const char *path = test_write_text("memory.json", whole);
  toi_status status = TOI_ERROR_MEMORY;
  size_t refuse = 1;
  for (; status != TOI_OK; refuse++) {
    status = try_once(path, refuse);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
  }
  print_message("%zu allocations refused\n", refuse - 2);
  assert_true(refuse > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_that_are_no_scene_are_refused),
      cmocka_unit_test(shapes_that_are_none_are_refused),
      cmocka_unit_test(motions_that_are_none_are_refused),
      cmocka_unit_test(models_that_cannot_be_asked_about_are_refused),
      cmocka_unit_test(a_model_file_that_is_wrong_is_named),
      cmocka_unit_test(faults_that_others_find_are_placed),
      cmocka_unit_test(formulas_nested_ten_thousand_deep_get_a_sentence),
      cmocka_unit_test(calls_without_what_they_need_are_refused),
      cmocka_unit_test(files_cut_anywhere_are_refused),
      cmocka_unit_test(damaged_files_are_read_or_refused),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
