/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids of several faces: how the faces of a body join, and what the faces that meet at an edge or at a vertex say
 * about a contact there.
 *
 * Each face is a parametric shape of its own, with S_u x S_v outwards. Each edge of the solid is owned by one of the
 * two faces that share it, each vertex by one of those around it: there it is a stratum of the body, and nowhere else.
 * A flat face may be cut out of its plane by an outline instead of having edges of its own; its edges are those of the
 * faces beside it.
 *
 * Claim: what is counted as contact from outside is one of cones without common inner points, up to first order; what
 * is discarded is none. Why: lemma 39 of docs/guarantees.md. */

#ifndef TOI_CONTACT_SOLID_H
#define TOI_CONTACT_SOLID_H

#include "contact/body_pair.h"

#define TOI_NO_FACE UINT32_MAX

/* Sides of a face's rectangle, u at its low end, u high, v low, v high, in the order of the bits of TOI_EDGES; corners
 * by 1 where u is high and 2 where v is. */
enum { TOI_SIDES = 4, TOI_CORNERS = 4 };

/* What lies across a side. */
typedef struct toi_side {
  bool own;      /* this face's stratum of the solid */
  bool reversed; /* the other face's edge runs the other way */
  uint8_t side;  /* which one of the other face's, unless that has an outline */
  uint32_t face; /* the other face; TOI_NO_FACE: nothing */
  double gap;    /* the edges of both are proved to be no farther apart at the same place along them, on any axis */
  double give;   /* of faces that were joined: cosines that are less than 0 by no more are taken as 0 */
} toi_side;

typedef enum toi_outline_kind { TOI_OUTLINE_NONE = 0, TOI_OUTLINE_DISC, TOI_OUTLINE_POLYGON } toi_outline_kind;

typedef struct toi_face {
  toi_side side[TOI_SIDES];
  bool corner[TOI_CORNERS];     /* whether a vertex is owned there */
  uint32_t vertex[TOI_CORNERS]; /* and which one */
  uint8_t tips;                 /* edges that are a single point: bit i for side i, either along u or along v */
  uint8_t poles;            /* sides, edges or not, along which the derivative is 0: they are no more than a point */
  uint8_t around;           /* the parameter that goes around both: 0 u, 1 v */
  toi_outline_kind outline; /* in the face's u and v */
  double radius;            /* of a disc around 0 */
  bool flipped;             /* a polygon's x is v, and its y is u */
  bool bounded;             /* bounds, centre and ball are known */
  toi_interval bounds[3];
  double centre[3], ball;
} toi_face;

/* A direction in which a face leaves a vertex: inward along an axis of the face, at a corner. */
typedef struct toi_way {
  uint32_t face;
  uint8_t corner, axis;
} toi_way;

/* The part of a face between two of them, which may be those of faces beside it, `from` x `to` outwards. */
typedef struct toi_sector {
  uint32_t face;
  toi_way from, to;
  bool blunt;   /* it is more than half a turn wide: the two are what is left out */
  bool swept;   /* all directions along axis 1 of a face that comes to a tip there, u over its domain; to is not used */
  uint8_t side; /* of a vertex that lies on a smooth edge, or within a smooth face: on which side of it, from 1 */
} toi_sector;

/* Faces whose planes differ by a cosine below this are taken as one smooth face where they meet. */
#define TOI_SMOOTH 0x1p-24

/* Where faces were joined, and their gap may be what a contact lies in, it is discarded only for cosines below 0 by
 * more than this; and not at all where the gap is so large that `give` is more than twice TOI_SMOOTH. */
#define TOI_INSIDE_COSINE 0x1p-8

typedef struct toi_joints {
  size_t faces, vertices, sectors, corners; /* corners: of the outlines' polygon */
  size_t bytes;
  toi_face *face;
  uint32_t *first; /* sector of each vertex, and the end of the last one's */
  double *gap;     /* of each vertex: how far off the other faces' corners are, on any axis */
  double give;     /* of all vertices, as of sides */
  toi_sector *sector;
  double (*polygon)[2];
} toi_joints;

/* All in one block, zeroed. NULL: no memory. */
toi_joints *toi_joints_make(toi_context *context, size_t faces, size_t vertices, size_t sectors, size_t corners);
void toi_joints_destroy(toi_context *context, toi_joints *joints); /* NULL is ignored */

/* A stratum of a face is one of the solid's: bits 0 and 1 of frozen are those of u and v, high says at which ends. */
bool toi_face_has(const toi_shape *shape, uint32_t frozen, uint32_t high);

/* Where a part of the plane lies by the face's outline. */
typedef enum toi_outline_place { TOI_OUTLINE_INSIDE, TOI_OUTLINE_OUTSIDE, TOI_OUTLINE_OPEN } toi_outline_place;
toi_outline_place toi_face_place(const toi_shape *shape, const toi_interval uv[2]);

/* What the faces around a stratum say about a direction m: the least and the greatest of m . w over the directions w in
 * which faces leave it, not of unit length, and a number that is not negative where the solid, and not what is around
 * it, is inside of a half-space m . x >= 0. */
typedef struct toi_way_cone {
  toi_interval least, most, convex;
  double give;             /* of faces that were joined: m . w that are less than 0 by no more are taken as 0 */
  double joined;           /* the same for |m . w| = 1; 0: they meet exactly */
  double height, width;    /* |m|, and that of the normal; infinite: nothing is known of it */
  bool flat;               /* the faces are one smooth one there, with this product of m and the outward normal: */
  toi_interval facing;     /* it says where the solid is, and convex nothing */
  double size;             /* no w is longer than this, rounded */
  double lowest[3], angle; /* the direction of length 1 with the least m . w, about, and that for |m| = 1 */
} toi_way_cone;

/* The face beyond a side, and its parameters at the same place; depth: how deep into it, as part of its domain. Of a
 * face with an outline: any place of it. */
toi_body_surface *toi_face_beyond(toi_body_surface *surface, int side, const toi_interval uvt[3], double depth,
                                  toi_interval there[3]);

/* Which ends the frozen parameters are at: bit 0 u, bit 1 v. */
uint32_t toi_face_ends(const toi_shape *shape, const toi_interval uv[2]);

/* How far off an edge or a vertex of a solid may be from the one that is closed there, on any axis; else 0. */
double toi_face_thickness(const toi_shape *shape, uint32_t frozen, const toi_interval uv[2]);
double toi_problem_thickness(const toi_problem *problem); /* of both strata */

/* toi_body_surface_jet() of a stratum: of an edge or a vertex with a gap it holds, beside this face's, that of the
 * faces that it is shared with, and all between them. May be put into *room. */
const toi_surface_jet *toi_face_jet(toi_body_surface *surface, uint32_t frozen, const toi_interval uvt[3],
                                    unsigned order, toi_surface_jet *room);

/* At a stratum of the surface: uvt holds it, in frozen parameters as deep into this face as asked about, and depth says
 * how deep into the others, as part of their domain. m in coordinates of the shape. False: a function failed. */
bool toi_face_cone(toi_body_surface *surface, uint32_t frozen, const toi_interval uvt[3], double depth,
                   const toi_interval m[3], toi_way_cone *cone);

/* That of surface `side` at its stratum in a problem; m as the second body sees it. */
bool toi_solid_cone(const toi_problem *problem, const toi_box *box, int side, double depth, const toi_interval m[3],
                    toi_way_cone *cone);

/* The constraints of contact from outside at edges and vertices, into system->incoming. jets: of both surfaces as the
 * second body sees them, not used if that is implicit. False: as above. */
bool toi_solid_incoming(const toi_problem *problem, const toi_box *box, const toi_surface_jet *jets,
                        toi_system *system);

/* Whether a box of a face that comes to a tip holds no contact of the face itself. Near the tip S_u is nearly zero, and
 * so is what is said by its product with a normal; S_uv has the same direction. *failed: as above. */
bool toi_solid_tip_refutes(const toi_problem *problem, const toi_box *box, const toi_system *system, bool *failed);

/* Whether time rises inward across all faces that meet at the frozen stratum of surface `side`, over the box w, whose
 * frozen parameters reach inward by that part: normal n as the second body sees it, falls the sign of n . G_t. */
bool toi_solid_rises(const toi_problem *problem, const toi_box *w, double depth, int side, const toi_interval n[3],
                     int falls, bool *failed);

/* Whether edges or vertices, or one of each, meet at x, unknowns of a problem about such, from outside: a plane is
 * found between the cones of both, towards which they move. *failed: a function did. */
bool toi_solid_parted(const toi_problem *problem, const double x[TOI_UNKNOWNS], bool *failed);

/* --- making them --- */

/* Faces and how they join, as one body: takes the joints; the shapes' tapes and nets move into it, also on failure. */
toi_status toi_shape_join(toi_context *context, toi_shape *faces, size_t count, toi_joints *joints, toi_shape **shape);

/* Fails unless points that follow each other, the first one after the last, are the corners of a polygon that does not
 * meet itself and turns at each of them; *backwards: it runs clockwise. */
toi_status toi_polygon_check(toi_context *context, const char *what, const double (*points)[2], size_t count,
                             bool *backwards);

/* A box, capped cylinder, capped cone or wedge, whose sizes are positive and finite. */
toi_status toi_solid_named(toi_context *context, toi_shape_kind kind, const double *size, toi_shape **shape);

#endif
