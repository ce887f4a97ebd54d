#!/usr/bin/env python3
"""Frames of 10000 bodies that hop on the ground and jostle: contacts tracked from frame to frame.

A grid is the broadphase; pairs keep their tracked state by the numbers of their bodies, and a solver starts from the
impulses of the last frame. The world of tests/examples/frames.c, whose contacts have the same digest.
"""

from __future__ import annotations

import time
from typing import Any, Tuple

import numpy as np
import numpy.typing as npt

import widephase as wp

Array = npt.NDArray[Any]

SIDE = 100
BODIES = SIDE * SIDE + 1  # body 0 is the ground
FRAMES = 40
CYCLE = 64  # frames from hop to hop
UNIT = 1 / 1024  # of places, so that float32 holds them exactly
HALF = 0.5  # half extents of every body's bounding box
MAX_SEPARATION = 0.02
REACH = 2 * HALF + MAX_SEPARATION


class World:
    def __init__(self) -> None:
        half_space, box = wp.Shape.half_space(), wp.Shape.box(HALF, HALF, HALF)
        self.shapes = wp.ShapeTable([half_space, box, wp.Shape.sphere(HALF), wp.Shape.capsule(0.3, 0.2)])
        self.position = np.zeros((BODIES, 3), np.float32)
        self.rotation = np.tile(np.array([0, 0, 0, 1], np.float32), (BODIES, 1))
        shape = (1 + np.arange(BODIES) % 3).astype(np.uint32)
        shape[0] = 0
        self.bodies = wp.Bodies(position=self.position, rotation=self.rotation, shape=shape)

    def move(self, frame: int) -> None:
        """In half of a cycle a body is in the air, on a parabola; meanwhile it sways and turns to and fro."""
        body = np.arange(1, BODIES)
        passed = (frame + 7 * (body % 9)) % CYCLE
        hop = np.where(passed < CYCLE // 2, passed * (CYCLE // 2 - passed), 0)
        sway = UNIT * (np.abs((2 * frame + 10 * (body % 5)) % CYCLE - CYCLE // 2) - CYCLE // 4)
        self.position[1:] = np.stack([(body - 1) % SIDE + sway, HALF + UNIT * (hop - 5), (body - 1) // SIDE], 1)
        self.rotation[1:, 1] = sway

    def find_pairs(self) -> npt.NDArray[np.uint32]:
        """Bodies whose bounding boxes overlap once they have grown by the separation. Near bodies are in the same cell of
        the ground, or in cells side by side: each cell is compared with itself and four of its neighbours."""
        place = self.position.astype(float)
        cell = np.floor(place[:, [0, 2]] / REACH).astype(np.int64) + 1
        stride = SIDE + 4
        key = cell[1:, 0] * stride + cell[1:, 1]
        order = 1 + np.argsort(key, kind="stable")
        key.sort()
        found = []
        for step in (0, 1, stride - 1, stride, stride + 1):
            first, last = np.searchsorted(key, key + step), np.searchsorted(key, key + step, side="right")
            if step == 0:
                first = np.arange(1, BODIES)  # in a cell, the bodies that come after this one
            count = last - first
            one = np.repeat(np.arange(BODIES - 1), count)
            other = np.arange(len(one)) + np.repeat(first - (np.cumsum(count) - count), count)
            found.append(np.stack([order[one], order[other]], 1))
        pairs = np.concatenate(found)
        pairs = pairs[(np.abs(place[pairs[:, 0]] - place[pairs[:, 1]]) <= REACH).all(1)]
        low = 1 + np.flatnonzero(place[1:, 1] <= HALF + MAX_SEPARATION)
        pairs = np.concatenate([np.stack([np.zeros_like(low), low], 1), pairs])
        pairs.sort(axis=1)  # a row names its bodies in the same order in each frame
        numbers: npt.NDArray[np.uint32] = pairs.astype(np.uint32)
        return numbers


class Contacts:
    """The tracked pairs of the world, and which of them a pair of bodies is."""

    def __init__(self) -> None:
        self.tracked = wp.Tracked(1024)
        self.workspace = wp.Workspace()
        self.key, self.index = np.empty(0, np.int64), np.empty(0, np.uint32)  # of the last frame, in the order of keys
        self.touching = 0  # pairs, counted by changes alone

    def match(self, pairs: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
        """Each pair of the broadphase is the one that it was in the last frame, or a new one; pairs that the broadphase has
        no more are given back."""
        key = pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1]
        gone = self.index[~np.isin(self.key, key, assume_unique=True)]
        self.touching -= np.count_nonzero(self.tracked.pairs["count"][gone])  # no row reports their end
        self.tracked.give(gone)
        place = np.minimum(np.searchsorted(self.key, key), max(len(self.key) - 1, 0))
        is_known = self.key[place] == key if len(self.key) else np.zeros(len(key), bool)
        index = np.empty(len(key), np.uint32)
        index[is_known] = self.index[place[is_known]]
        index[~is_known] = self.tracked.take(np.count_nonzero(~is_known))
        order = np.argsort(key)
        self.key, self.index = key[order], index[order]
        return index

    def find(self, world: World, pairs: npt.NDArray[np.uint32], index: npt.NDArray[np.uint32]) -> None:
        frame = wp.track(world.shapes, world.bodies, pairs=pairs, tracked=self.tracked, index=index,
            max_separation=MAX_SEPARATION, workspace=self.workspace)
        event = self.tracked.pairs["event"][index[frame.changed]]
        self.touching += np.count_nonzero(event & wp.Event.BEGAN) - np.count_nonzero(event & wp.Event.ENDED)

    def solve(self, index: npt.NDArray[np.uint32]) -> bool:
        """A solver goes on from the impulse that a point had. Here each step adds 1, so that the impulse tells how long a point
        has lived."""
        row, point = np.nonzero(np.arange(4) < self.tracked.pairs["count"][index][:, None])
        impulses, age = self.tracked.manifolds["impulses"], self.tracked.manifolds["points"]["age"]
        impulses[index[row], point, 0] += 1
        return bool((impulses[index[row], point, 0] == age[index[row], point] + 1).all())


def hash_words(digest: npt.NDArray[np.uint64], words: Array) -> npt.NDArray[np.uint64]:
    """FNV-1a by words, of all rows at once."""
    for word in words.T:
        digest = (digest ^ word) * np.uint64(0x100000001B3)
    return digest


def digest_frame(tracked: wp.Tracked, pairs: npt.NDArray[np.uint32], index: npt.NDArray[np.uint32]) -> int:
    """All that a frame found, whatever the order of the pairs."""
    state, manifold = tracked.pairs[index], tracked.manifolds[index]
    answer = [*pairs.T, state["status"], state["event"], state["count"], state["separation"].view(np.uint32)]
    digest = hash_words(np.full(len(pairs), 0xCBF29CE484222325, np.uint64), np.stack(answer, 1).astype(np.uint64))
    touch = state["count"] > 0
    digest[touch] = hash_words(digest[touch], np.ascontiguousarray(manifold["normal"][touch]).view(np.uint32))
    for place in range(4):
        has = state["count"] > place
        for name in ("points", "places", "impulses"):
            words = np.ascontiguousarray(manifold[name][has, place]).view(np.uint32).reshape(np.count_nonzero(has), -1)
            digest[has] = hash_words(digest[has], words)
    return int(digest.sum(dtype=np.uint64))


def run_frame(world: World, contacts: Contacts, frame: int) -> Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    world.move(frame)
    pairs = world.find_pairs()
    index = contacts.match(pairs)
    contacts.find(world, pairs, index)
    return pairs, index


def main() -> None:
    world, contacts, digest = World(), Contacts(), 0
    start = time.perf_counter()
    for frame in range(FRAMES):
        pairs, index = run_frame(world, contacts, frame)
        if not contacts.solve(index):
            raise SystemExit(f"an impulse was lost in frame {frame}")
        if contacts.touching != np.count_nonzero(contacts.tracked.pairs["count"][index]):
            raise SystemExit(f"a change was not reported in frame {frame}")
        digest = (digest * 0x100000001B3 + digest_frame(contacts.tracked, pairs, index)) % 2 ** 64
    kept = np.count_nonzero(contacts.tracked.pairs["event"][index] & wp.Event.KEPT)
    print(f"{BODIES} bodies; of {len(pairs)} pairs {contacts.touching} touch, {kept} are kept apart; "
        f"{1000 * (time.perf_counter() - start) / FRAMES:.1f} ms a frame")
    print(f"{digest:016x}")


if __name__ == "__main__":
    main()
