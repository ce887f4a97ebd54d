/* The triangles of a mesh of DART: convex or not. */
#ifndef WP_ENGINES_DART_READ_MESH_HPP
#define WP_ENGINES_DART_READ_MESH_HPP

#include "shapes.hpp"

#include <dart/dynamics/MeshShape.hpp>

namespace wp::in_dart
{

/* Fill hull, mesh and shape; false if it has no triangle with an area, or a vertex that is not finite. */
bool read_mesh(made_shape &to, const dart::dynamics::MeshShape &from);

} // namespace wp::in_dart

#endif
