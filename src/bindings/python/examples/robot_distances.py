#!/usr/bin/env python3
"""How near does a robot's arm come to what stands around it, at a million places?

An arm of seven links (capsules, a hull for its hand) in many configurations of its joints, against obstacles (boxes,
spheres, hulls): every link against every obstacle, in ranges of rows by several threads. Prints the pairs a second, and
how near the arm comes in its closest configurations.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import time
from typing import Any, Dict, List, Tuple

import numpy as np
import numpy.typing as npt

import widephase as wp

Array = npt.NDArray[Any]

# Of each link the length along its own Y axis and its radius, in metres, and the axis of the joint at its foot.
LENGTH = np.array([0.30, 0.35, 0.25, 0.30, 0.20, 0.15, 0.10])
RADIUS = np.array([0.09, 0.08, 0.08, 0.07, 0.06, 0.05, 0.04])
AXIS = np.array([(0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1), (0, 1, 0)])


def multiply(p: Array, q: Array) -> Array:
    """Product of quaternions x, y, z, w, row by row."""
    vector = p[:, 3:] * q[:, :3] + q[:, 3:] * p[:, :3] + np.cross(p[:, :3], q[:, :3])
    return np.concatenate([vector, p[:, 3:] * q[:, 3:] - (p[:, :3] * q[:, :3]).sum(1, keepdims=True)], 1)


def along_y(q: Array, length: float) -> Array:
    """(0, length, 0) turned by quaternions."""
    x, y, z, w = q.T
    turned: Array = length * np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], 1)
    return turned


def pose_links(angles: Array) -> Tuple[Array, Array]:
    """Centres and rotations of all links, (configurations, 7, 3) and (configurations, 7, 4), by the joints' angles."""
    position, rotation = np.empty((*angles.shape, 3), np.float32), np.empty((*angles.shape, 4), np.float32)
    foot, turn = np.zeros((len(angles), 3)), np.tile([0.0, 0.0, 0.0, 1.0], (len(angles), 1))
    for link, length in enumerate(LENGTH):
        half = angles[:, link, None] / 2
        turn = multiply(turn, np.concatenate([AXIS[link] * np.sin(half), np.cos(half)], 1))
        way = along_y(turn, length)
        position[:, link], rotation[:, link] = foot + way / 2, turn
        foot = foot + way
    return position, rotation


def link_shapes(random: np.random.Generator) -> List[wp.Shape]:
    links = [wp.Shape.capsule(radius, length / 2) for length, radius in zip(LENGTH[:-1], RADIUS)]
    hand = random.normal(size=(40, 3)) * (RADIUS[-1], LENGTH[-1] / 2, RADIUS[-1])
    return links + [wp.Shape.hull(wp.Hull.from_vertices(hand))]


def obstacle_shapes(random: np.random.Generator, count: int) -> List[wp.Shape]:
    """A third each of boxes, spheres and hulls, around half a metre in size."""
    shapes = []
    for index in range(count):
        if index % 3 == 0:
            shapes.append(wp.Shape.box(*random.uniform(0.05, 0.3, 3)))
        elif index % 3 == 1:
            shapes.append(wp.Shape.sphere(random.uniform(0.05, 0.25)))
        else:
            shapes.append(wp.Shape.hull(wp.Hull.from_vertices(random.normal(size=(60, 3)) * 0.1)))
    return shapes


def place_obstacles(random: np.random.Generator, count: int) -> Tuple[Array, Array]:
    """In a ring around the foot of the arm."""
    angle, radius = random.uniform(-np.pi, np.pi, count), random.uniform(0.6, 1.6, count)
    height = random.uniform(0, 1.5, count)
    turn = random.normal(size=(count, 4))
    return (np.stack([radius * np.cos(angle), height, radius * np.sin(angle)], 1).astype(np.float32),
        (turn / np.linalg.norm(turn, axis=1, keepdims=True)).astype(np.float32))


def distances(table: wp.ShapeTable, links: wp.Bodies, obstacles: wp.Bodies, pairs: npt.NDArray[np.uint32],
        threads: int) -> Dict[str, Array]:
    """Distances of all pairs: the threads take ranges of the rows, and write to their part of one array."""
    out = {"separation": np.empty(len(pairs), np.float32), "status": np.empty(len(pairs), np.uint32)}
    chunk = 50_000

    def run(first: int) -> None:
        wp.distance(table, links, obstacles, pairs=pairs, out=out, first=first, count=min(chunk, len(pairs) - first))

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, range(0, len(pairs), chunk)))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--configurations", type=int, default=5953, help="of the arm (default: %(default)s)")
    parser.add_argument("--obstacles", type=int, default=24, help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="default: %(default)s")
    arguments = parser.parse_args()
    random = np.random.default_rng(1)

    position, rotation = pose_links(random.uniform(-2, 2, (arguments.configurations, len(LENGTH))))
    shapes = link_shapes(random) + obstacle_shapes(random, arguments.obstacles)
    table = wp.ShapeTable(shapes)
    kind = np.arange(len(shapes), dtype=np.uint32)
    link = np.ascontiguousarray(np.broadcast_to(kind[:len(LENGTH)], position.shape[:2])).reshape(-1)
    links = wp.Bodies(position=position.reshape(-1, 3), rotation=rotation.reshape(-1, 4), shape=link)
    places, turns = place_obstacles(random, arguments.obstacles)
    obstacles = wp.Bodies(position=places, rotation=turns, shape=kind[len(LENGTH):])
    pairs = np.stack(np.divmod(np.arange(len(links) * len(obstacles), dtype=np.uint32), np.uint32(len(obstacles))), 1)

    start = time.perf_counter()
    found = distances(table, links, obstacles, pairs, arguments.threads)
    elapsed = time.perf_counter() - start
    print(f"{len(pairs)} pairs, threads: {arguments.threads}, {wp.Workspace().variant}: "
        f"{len(pairs) / elapsed:.3g} pairs a second")

    nearest = found["separation"].reshape(arguments.configurations, -1)
    free = nearest.min(1)
    print(f"{np.count_nonzero(free == 0)} of {arguments.configurations} configurations touch something")
    for index in [i for i in np.argsort(free, kind="stable") if free[i] > 0][:5]:
        a, b = np.divmod(nearest[index].argmin(), arguments.obstacles)
        print(f"  configuration {index}: link {a + 1} is {1000 * free[index]:.2f} mm from obstacle {b}")


if __name__ == "__main__":
    main()
