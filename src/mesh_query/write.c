/* Rows as the caller gets them. */
#include "batch/write.h"
#include "mesh_query/internal.h"

static void write_output(const wp_mesh_ask *ask, uint32_t row, const double position[3], const wp_output *output,
	uint32_t triangle, float fraction)
{
	const wp_call *const call = &ask->rows.call;
	const size_t at = call->first + row;
	wp_statistics unused = {0};
	wp_write_row(call, row, position, output, &unused);
	if (ask->triangle.data != NULL)
		memcpy((char *)ask->triangle.data + at * ask->triangle.stride, &triangle, sizeof triangle);
	if (call->fraction.data != NULL)
		memcpy((char *)call->fraction.data + at * call->fraction.stride, &fraction, sizeof fraction);
	ask->statistics->rows++;
}

/* From where points are counted that are none. */
static const double nowhere[3] = {0, 0, 0};

void wp_asked_write_invalid(const wp_mesh_ask *ask, uint32_t row, uint32_t status)
{
	wp_mesh_statistics *const s = ask->statistics;
	const uint64_t at = ask->rows.call.first + row;
	wp_output output;
	if (s->invalid == 0 || at < s->first_invalid_row)
		s->first_invalid_row = at;
	s->invalid++;
	wp_invalid_output(status | WP_STATUS_INVALID, &output);
	write_output(ask, row, nowhere, &output, WP_MESH_MISS, WP_NAN);
}

/* A row without an answer. */
static void write_none(const wp_mesh_ask *ask, const wp_mesh_asked *row)
{
	wp_output output;
	memset(&output, 0, sizeof output);
	output.separation = output.upper = WP_INFINITY;
	output.status = WP_STATUS_SEPARATED;
	if (ask->query == WP_ASKED_DISTANCE) {
		const float most = (float)ask->max_distance;
		output.lower = row->lowest < most ? row->lowest : most;
		output.status |= WP_STATUS_BEYOND;
	}
	write_output(ask, row->body.row, nowhere, &output, WP_MESH_MISS, 1.0f);
}

/* The bounds of a distance hold for all triangles; the status is what they prove. */
static void put_bounds(const wp_mesh_asked *row, wp_output *output)
{
	if (!(row->lowest < output->lower))
		return;
	output->lower = row->lowest;
	output->status |= row->lowest_status & WP_STATUS_WIDE_BRACKET;
	if (!(output->lower > 0.0f) && (output->status & WP_STATUS_SEPARATED) != 0)
		output->status = (output->status & ~(uint32_t)WP_STATUS_SEPARATED) | WP_STATUS_TOUCHING;
}

void wp_asked_write_row(const wp_mesh_ask *ask, const wp_mesh_asked *row)
{
	const wp_cast_contact *const c = &row->contact;
	if (row->invalid != 0) {
		wp_asked_write_invalid(ask, row->body.row, row->invalid);
		return;
	}
	if (!row->has_best) {
		write_none(ask, row);
		return;
	}
	wp_output output = {.separation = c->separation,
		.lower = c->lower,
		.upper = c->upper,
		.status = c->status,
		.iterations = c->iterations};
	double middle[3];
	wp_d3_put(row->middle, middle);
	const bool has_points = ask->query != WP_ASKED_OVERLAP;
	for (int k = 0; k < 3; k++) {
		output.normal[k] = c->normal[k];
		output.point_a[k] = c->point[0][k];
		output.point_b[k] = c->point[1][k];
		output.local_a[k] = c->local[0][k];
		output.local_b[k] = has_points ? (float)(middle[k] + (double)c->local[1][k]) : 0.0f;
	}
	if (ask->query == WP_ASKED_DISTANCE)
		put_bounds(row, &output);
	ask->statistics->touching += (output.status & WP_STATUS_SEPARATED) == 0;
	write_output(ask, row->body.row, row->body.position, &output, row->triangle, (float)row->value);
}
