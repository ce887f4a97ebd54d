/* Frames of 10000 bodies that hop on the ground and jostle: the world of frames.c in C++. A grid is the broadphase here, a map of
 * the standard library leads from pairs of bodies to tracked pairs, whose memory grows with them. An argument is the digest that
 * must come out. */
#include <widephase/widephase.hpp>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

namespace
{
constexpr std::uint32_t side = 100, frames = 40, cycle = 64; /* frames from hop to hop */
constexpr float max_separation = 0.02f, half = 0.5f;         /* half extents of every body's bounding box */
constexpr float unit = 1.0f / 1024.0f;                       /* of places, so that floats hold them exactly */
constexpr std::uint64_t prime = 0x100000001b3;

struct body {
	std::array<float, 3> position;
	std::array<float, 4> rotation;
	std::uint32_t shape;
};

/* A pair of the broadphase, a < b, and the tracked pair that it is. */
struct pair {
	std::uint32_t a, b, tracked;
};

/* ---- bodies ------------------------------------------------------------------------------------- */

/* Body 0 is the ground. In half of a cycle a body is in the air; meanwhile it sways and turns to and fro. */
void move_bodies(std::vector<body> &bodies, std::uint32_t frame)
{
	bodies.resize(side * side + 1);
	bodies[0] = {{0, 0, 0}, {0, 0, 0, 1}, 0};
	for (std::uint32_t i = 1; i < bodies.size(); i++) {
		const int time = int((frame + 7 * (i % 9)) % cycle), slow = int((2 * frame + 10 * (i % 5)) % cycle);
		const int rest = int(cycle) / 2, hop = time < rest ? time * (rest - time) : 0;
		const float swung = unit * float(std::abs(slow - rest) - rest / 2), height = half + unit * float(hop - 5);
		const float x = float((i - 1) % side), z = float((i - 1) / side);
		bodies[i] = {{x + swung, height, z}, {0, swung, 0, 1}, 1 + i % 3};
	}
}

/* ---- broadphase --------------------------------------------------------------------------------- */

bool are_near(const body &one, const body &other)
{
	for (std::size_t axis = 0; axis < 3; axis++)
		if (std::abs(one.position[axis] - other.position[axis]) > 2 * half + max_separation)
			return false;
	return true;
}

/* Bodies by the cell of the ground that they stand in. Cells are as wide as the way at which two bodies are near, so near bodies
 * are in the same cell or in cells side by side. */
class grid
{
  public:
	explicit grid(const std::vector<body> &bodies) : cells_(cells_a_side * cells_a_side)
	{
		for (std::uint32_t i = 1; i < bodies.size(); i++)
			cells_[index(column(bodies[i].position[0]), column(bodies[i].position[2]))].push_back(i);
	}

	/* The pairs in which `of` is the second body. */
	void find(const std::vector<body> &bodies, std::uint32_t of, std::vector<pair> &pairs) const
	{
		const std::size_t x = column(bodies[of].position[0]), z = column(bodies[of].position[2]);
		for (std::size_t i = x - 1; i <= x + 1; i++)
			for (std::size_t j = z - 1; j <= z + 1; j++)
				for (const std::uint32_t other : cells_[index(i, j)])
					if (other < of && are_near(bodies[other], bodies[of]))
						pairs.push_back({other, of, WP_TRACK_NONE});
	}

  private:
	static constexpr std::size_t cells_a_side = side + 4;
	static std::size_t index(std::size_t x, std::size_t z) { return x * cells_a_side + z; }
	static std::size_t column(float at) { return std::size_t((at + 2) / (2 * half + max_separation)); }

	std::vector<std::vector<std::uint32_t>> cells_;
};

void find_pairs(const std::vector<body> &bodies, std::vector<pair> &pairs)
{
	const grid cells(bodies);
	pairs.clear();
	for (std::uint32_t i = 1; i < bodies.size(); i++) {
		if (bodies[i].position[1] <= half + max_separation)
			pairs.push_back({0, i, WP_TRACK_NONE});
		cells.find(bodies, i, pairs);
	}
}

/* ---- tracked pairs ------------------------------------------------------------------------------ */

/* Which tracked pair a pair of bodies is, from frame to frame. */
class contacts
{
  public:
	/* Each pair of the broadphase is the one that it was in the last frame, or a new one; pairs that the broadphase has no more
	 * are given back. */
	bool match(std::vector<pair> &pairs)
	{
		std::unordered_map<std::uint64_t, std::uint32_t> now;
		now.reserve(pairs.size());
		for (pair &of : pairs) {
			const auto last = of_bodies_.find(key(of));
			of.tracked = last != of_bodies_.end() ? last->second : take();
			if (of.tracked == WP_TRACK_NONE)
				return false;
			if (last != of_bodies_.end())
				of_bodies_.erase(last);
			now.emplace(key(of), of.tracked);
		}
		for (const auto &gone : of_bodies_) {
			/* Such a pair may have points still, and no row reports their end. */
			touching_ -= tracked_[gone.second].count != 0;
			if (tracked_.give(gone.second) != WP_OK)
				return false;
		}
		of_bodies_.swap(now);
		return true;
	}

	/* One frame. */
	wp_error find(const wp::shape_table &shapes, const std::vector<body> &bodies, const std::vector<pair> &pairs)
	{
		const wp_batch batch = wp::batch_of(
			shapes, wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), pairs, &pair::a, &pair::b);
		wp_track_options options = {};
		options.max_separation = options.merging = max_separation;
		const wp_results none = {}; /* all that a solver needs is in what is kept */
		changed_.resize(pairs.size());
		wp_track_changes changes = {changed_.data(), changed_.size(), 0};
		const wp_error error = wp::track(
			workspace_, batch, options, tracked_.rows(pairs, &pair::tracked), none, &changes, &statistics_);
		for (std::size_t i = 0; error == WP_OK && i < changes.count; i++)
			touching_ += tracked_[pairs[changed_[i]].tracked].event & WP_TRACK_BEGAN ? 1u : UINT32_MAX;
		return error;
	}

	const wp_tracked &operator[](const pair &of) const { return tracked_[of.tracked]; }
	wp_persistent_manifold &manifold(const pair &of) { return tracked_.manifold(of.tracked); }
	std::uint32_t touching() const { return touching_; } /* pairs, counted by changes alone */
	std::uint32_t capacity() const { return tracked_.capacity(); }
	std::uint64_t invalid() const { return statistics_.invalid; }

  private:
	static std::uint64_t key(const pair &of) { return std::uint64_t(of.a) << 32 | of.b; }

	std::uint32_t take()
	{
		const std::uint32_t taken = tracked_.take();
		if (taken != WP_TRACK_NONE || tracked_.reserve(2 * tracked_.capacity()) != WP_OK)
			return taken;
		return tracked_.take();
	}

	wp::workspace workspace_;
	wp::tracked_pairs tracked_{1024};
	std::unordered_map<std::uint64_t, std::uint32_t> of_bodies_;
	std::vector<std::uint32_t> changed_;
	std::uint32_t touching_ = 0;
	wp_statistics statistics_ = {};
};

/* ---- solver and digest -------------------------------------------------------------------------- */

struct frame_counts {
	std::uint32_t kept = 0, touching = 0;
	bool are_impulses_right = true;
};

/* A solver goes on from the impulse that a point had. Here each step adds 1, so that the impulse tells how long a point has lived. */
frame_counts solve(contacts &contacts, const std::vector<pair> &pairs)
{
	frame_counts counts;
	for (const pair &of : pairs) {
		const wp_tracked &found = contacts[of];
		counts.kept += (found.event & WP_TRACK_KEPT) != 0;
		counts.touching += found.count != 0;
		for (std::uint32_t k = 0; k < found.count; k++) {
			wp_persistent_manifold &manifold = contacts.manifold(of);
			manifold.impulses[k][0] += 1;
			counts.are_impulses_right &= manifold.impulses[k][0] == float(manifold.points[k].age + 1);
		}
	}
	return counts;
}

/* FNV-1a by words. */
std::uint64_t hash_words(std::uint64_t hash, const void *from, std::size_t count)
{
	for (std::size_t i = 0; i < count; i++) {
		std::uint32_t word;
		std::memcpy(&word, static_cast<const char *>(from) + i * sizeof word, sizeof word);
		hash = (hash ^ word) * prime;
	}
	return hash;
}

/* All that a frame found, whatever the order of the pairs. */
std::uint64_t digest_frame(contacts &contacts, const std::vector<pair> &pairs)
{
	std::uint64_t sum = 0;
	for (const pair &of : pairs) {
		const wp_tracked &found = contacts[of];
		const wp_persistent_manifold &manifold = contacts.manifold(of);
		const std::array<std::uint32_t, 5> answer = {of.a, of.b, found.status, found.event, found.count};
		std::uint64_t hash = hash_words(0xcbf29ce484222325, answer.data(), answer.size());
		hash = hash_words(hash, &found.separation, 1);
		if (found.count != 0)
			hash = hash_words(hash, manifold.normal, 3);
		for (std::uint32_t k = 0; k < found.count; k++) {
			hash = hash_words(hash, &manifold.points[k], sizeof manifold.points[k] / sizeof(std::uint32_t));
			hash = hash_words(hash, &manifold.places[k], sizeof manifold.places[k] / sizeof(std::uint32_t));
			hash = hash_words(hash, manifold.impulses[k], 3);
		}
		sum += hash;
	}
	return sum;
}

int fail(const char *reason, std::uint32_t frame)
{
	std::printf("frames: %s in frame %u\n", reason, frame);
	return 1;
}

} // namespace

int main(int count, char **arguments)
{
	const wp::shape kinds[] = {wp::shape::half_space(), wp::shape::box(half, half, half), wp::shape::sphere(half),
		wp::shape::capsule(0.3f, 0.2f)};
	const wp::shape_table shapes(kinds);
	contacts contacts;
	std::vector<body> bodies;
	std::vector<pair> pairs;
	frame_counts counts;
	std::uint64_t digest = 0;
	std::size_t most = 0;
	for (std::uint32_t frame = 0; frame < frames; frame++) {
		move_bodies(bodies, frame);
		find_pairs(bodies, pairs);
		if (!contacts.match(pairs))
			return fail("no pair was left", frame);
		if (contacts.find(shapes, bodies, pairs) != WP_OK || contacts.invalid() != 0)
			return fail("no contacts", frame);
		counts = solve(contacts, pairs);
		if (!counts.are_impulses_right)
			return fail("an impulse was lost", frame);
		if (counts.touching != contacts.touching())
			return fail("a change was not reported", frame);
		digest = digest * prime + digest_frame(contacts, pairs);
		most = std::max(most, pairs.size());
	}
	std::printf("frames: in the last one %u of %zu pairs touch, %u are kept apart; room for %u pairs; %016" PRIx64 "\n",
		counts.touching, pairs.size(), counts.kept, contacts.capacity(), digest);
	if (count > 1 && digest != std::strtoull(arguments[1], nullptr, 16))
		return fail("other contacts", frames);
	/* No more pairs were ever in use than a frame and the frame before it had. */
	return contacts.capacity() > 4 * most || counts.kept == 0 || counts.touching == 0;
}
