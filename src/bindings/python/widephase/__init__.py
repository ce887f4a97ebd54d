"""Narrowphase collision detection for many pairs at once, over numpy arrays that stay where they are.

Bodies are views of the caller's arrays, a ShapeTable holds their shapes, and a query answers all pairs of a list:

>>> import numpy as np
>>> import widephase as wp
>>> table = wp.ShapeTable([wp.Shape.box(1, 1, 1), wp.Shape.capsule(0.5, 1)])
>>> bodies = wp.Bodies.copied(position=[(0, 0, 0), (0, 1.75, 0), (3, 0, 0)], shape=[0, 0, 1])
>>> contacts = wp.contact(table, bodies, pairs=np.array([(0, 1), (0, 2)], np.uint32))
>>> contacts.separation.tolist(), contacts.normal.tolist()
([-0.25, 1.5], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])

The module wp2d has overlap, distance, contact, contact_manifold and cast in 2D.

Lengths are in any consistent unit, axes right-handed, quaternions x, y, z, w; a pose is a rotation followed by a
translation. The library's headers describe how exact the answers are and which bits depend on what.

Types of structured arrays:

    row_dtype: all that a query learns of a pair, with the names of Results; an array of it is the quickest `out`.
    cache_dtype: what a query learns of a pair, from which its next query may start. Zeros: nothing is known.
    manifold_point_dtype: one point of a manifold: point_a and point_b in the world, local_a and local_b in the frames of
        their bodies, the separation of this point, and what makes it: feature_a of A and feature_b of B. Vertex i is
        i | i << 16, the edge between vertices i < j is i | j << 16, and 0xffffffff is a face.
    solver_point_dtype: the part of it that a solver reads; world points follow from the poses.
    persistent_manifold_dtype: the kept points of a pair, count of each array: places, points, and impulses, which are the
        solver's: zero for a new point, untouched as long as the point lives. normal: from A to B.
    persistent_point_dtype: a kept point as it is now: arm_a and arm_b, from the origins of the bodies to the point in world
        axes, separation, and age, the frames that it has come through.
    persistent_place_dtype: where a kept point is in both bodies.
    tracked_dtype: what is kept of a tracked pair. known, body, shape and lever are the library's own; separation, status,
        event (Event) and count, of points or of patches, may be read after each frame.
    mesh_hit_dtype: where a ray meets a surface, with the names of MeshHit; a miss is MESH_MISS and zeros.
    mesh_patch_dtype: points with one normal, which points into the surface, the deepest first; points from point_count on
        are zero.
    mesh_point_dtype: one point of a patch, as a point of a manifold, and its triangle: feature_b is the triangle's corner i,
        i | i << 16, or its edge between corners i < j, i | j << 16.
    mesh_tracked_patch_dtype: a patch of a tracked pair: found, as mesh_contact finds it, and points, what is kept of them.
    mesh_tracked_point_dtype: arms and age of a kept point, and impulse, which is the solver's.
    compound_child_dtype: one shape of a compound: its pose in the compound's frame, and a tag of the caller's.
    compound_patch_dtype: the contact of one pair of children, child_a and child_b; points from point_count on are zero.
    compound_tracked_patch_dtype: a patch of a tracked pair: found, as compound_contact_manifold finds it, and points, what is
        kept of them.
    capture_shape_dtype, capture_pair_dtype, capture_motion_dtype: the arrays of a Capture.

Constants:

    MANIFOLD_POINT_MAX: most points of a manifold.
    MESH_PATCH_MAX, MESH_POINT_MAX: most patches of a row, most points of a patch.
    MESH_MISS, COMPOUND_MISS: the triangle, and the child, of a row without an answer.
    COMPOUND_SHAPE: a body with compound i has the shape COMPOUND_SHAPE + i.
"""

from widephase import wp2d
from widephase._captures import Capture, CaptureError, capture_motion_dtype, capture_pair_dtype, capture_shape_dtype
from widephase._compound import (COMPOUND_MISS, COMPOUND_SHAPE, Compound, CompoundManifolds, CompoundMeshContacts,
    CompoundMeshResults, CompoundResults, compound_bodies_bounds, compound_cast, compound_child_dtype,
    compound_contact, compound_contact_manifold, compound_distance, compound_mesh_cast, compound_mesh_contact, compound_mesh_distance,
    compound_mesh_overlap, compound_overlap, compound_patch_dtype)
from widephase._compound_frames import CompoundFrame, CompoundTracked, compound_track, compound_tracked_patch_dtype
from widephase._frames import (Event, Frame, Tracked, persistent_manifold_dtype, persistent_place_dtype,
    persistent_point_dtype, track,
    tracked_dtype)
from widephase._height_field import HeightField
from widephase._library import Error, InvalidWarning, variants, version
from widephase._mesh import MESH_MISS, EdgeKind, Mesh, MeshHit, MeshReport, mesh_hit_dtype
from widephase._mesh_frames import (CompoundMeshFrame, MeshFrame, MeshTracked, compound_mesh_track, mesh_track,
    mesh_tracked_patch_dtype, mesh_tracked_point_dtype)
from widephase._mesh_queries import (MESH_PATCH_MAX, MESH_POINT_MAX, MeshContacts, MeshResults, mesh_cast, mesh_contact,
    mesh_bodies_bounds, mesh_distance, mesh_overlap, mesh_patch_dtype, mesh_point_dtype)
from widephase._persistent import Thresholds, persistent_add, persistent_refresh, persistent_update
from widephase._queries import (MANIFOLD_POINT_MAX, Bodies, Manifolds, Method, Motions, Pose, Results, Row, Workspace,
    bodies_bounds, cache_dtype, cast, cast_pair, contact, contact_manifold, contact_manifold_pair, contact_pair, depth_along,
    depth_along_pair, distance, distance_pair, manifold_point_dtype, overlap, overlap_pair, row_dtype,
    solver_point_dtype)
from widephase._shapes import Hull, Kind, Mass, Shape, ShapeReport, ShapeTable
from widephase._status import CompoundStatistics, MeshStatistics, Statistics, Status, status_text

__version__ = version()

__all__ = [
    "Bodies", "COMPOUND_MISS", "COMPOUND_SHAPE", "Capture", "CaptureError", "Compound", "CompoundFrame", "CompoundManifolds",
    "CompoundMeshContacts", "CompoundMeshFrame", "CompoundMeshResults", "CompoundResults", "CompoundStatistics", "CompoundTracked",
    "EdgeKind", "Error", "Event", "Frame",
    "HeightField", "Hull", "InvalidWarning", "Kind", "MANIFOLD_POINT_MAX", "MESH_MISS", "MESH_PATCH_MAX",
    "MESH_POINT_MAX", "Manifolds", "Mass", "Mesh", "MeshContacts", "MeshFrame", "MeshHit", "MeshReport",
    "MeshResults", "MeshStatistics", "MeshTracked", "Method", "Motions", "Pose", "Results", "Row", "Shape",
    "ShapeReport", "ShapeTable", "Statistics", "Status", "Thresholds", "Tracked", "Workspace", "bodies_bounds", "cache_dtype",
    "capture_motion_dtype", "capture_pair_dtype", "capture_shape_dtype", "cast", "cast_pair", "compound_bodies_bounds", "compound_cast",
    "compound_child_dtype", "compound_contact", "compound_contact_manifold", "compound_distance",
    "compound_mesh_cast", "compound_mesh_contact", "compound_mesh_distance", "compound_mesh_overlap", "compound_mesh_track", "compound_overlap", "compound_patch_dtype",
    "compound_track", "compound_tracked_patch_dtype", "contact", "contact_manifold",
    "contact_manifold_pair", "contact_pair", "depth_along", "depth_along_pair", "distance", "distance_pair",
    "manifold_point_dtype", "mesh_bodies_bounds", "mesh_cast", "mesh_contact", "mesh_distance", "mesh_hit_dtype", "mesh_overlap",
    "mesh_patch_dtype", "mesh_point_dtype", "mesh_track", "mesh_tracked_patch_dtype", "mesh_tracked_point_dtype",
    "overlap", "overlap_pair", "persistent_add", "persistent_manifold_dtype", "persistent_place_dtype", "persistent_point_dtype",
    "persistent_refresh", "persistent_update", "row_dtype", "solver_point_dtype", "status_text", "track",
    "tracked_dtype", "variants", "version", "wp2d",
]
