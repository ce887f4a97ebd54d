/* widephase: all of the core library's headers. */
#ifndef WIDEPHASE_WIDEPHASE_H
#define WIDEPHASE_WIDEPHASE_H

#include "widephase/base.h"
#include "widephase/shape.h"
#include "widephase/workspace.h"
#include "widephase/method.h"
#include "widephase/query.h"
#include "widephase/cast.h"
#include "widephase/manifold.h"
#include "widephase/persist.h"
#include "widephase/track.h"
#include "widephase/mesh.h"
#include "widephase/mesh_track.h"
#include "widephase/compound.h"
#include "widephase/compound_track.h"
#include "widephase/mass.h"
#include "widephase/2d.h"
#include "widephase/reference.h"

#endif
