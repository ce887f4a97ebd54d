/* Pair files (.pairs): recorded narrowphase queries, binary or text; the format is in src/tools/capture/capture.h. */
import type { Bodies, Shape, Widephase } from './widephase.mjs';

export interface RecordedShape {
	kind: 'sphere' | 'capsule' | 'box' | 'hull' | 'cylinder' | 'cone' | 'ellipsoid' | 'half-space' | 'mesh';
	/** A capture_kind. */
	param: number[];
	/** Of a hull or a mesh, three numbers each; three vertices for each triangle of a mesh. */
	vertices: Float32Array;
}

export interface PairFile {
	shapes: RecordedShape[];
	/** Pairs. */
	count: number;
	/** The index into shapes, per pair. */
	shapeA: Uint32Array;
	shapeB: Uint32Array;
	positionA: Float32Array;
	rotationA: Float32Array;
	positionB: Float32Array;
	rotationB: Float32Array;
	/** Where the file has motions: how each pair moves, and its rotations at the end. */
	translationA?: Float32Array;
	endRotationA?: Float32Array;
	translationB?: Float32Array;
	endRotationB?: Float32Array;
	/** Where the file has caches: Widephase.cacheWords of each pair. */
	caches?: Uint32Array;
}

/** Read a whole file. Throws, naming the byte or line, where it is not one. */
export function readPairs(bytes: ArrayBuffer | Uint8Array): PairFile;

/** A shape of a file as one of the library. `facesOf` makes the faces of hulls, which files do not hold. Null for a mesh, an
 * empty place of a table. */
export function makeShape(wp: Widephase, shape: RecordedShape, facesOf?: (vertices: Float32Array) => readonly (readonly number[])[]): Shape | null;

/** The bodies of all pairs: row r of a batch of them is pair r. */
export function bodiesOf(file: PairFile): { a: Bodies; b: Bodies };

/** Of the pairs whose B is a mesh: `rows` are their numbers, the shapes of `b` are places in `meshes`. With a cook,
 * new wp.MeshBatch({ shapes, a, b, surfaces: meshes.map(({ vertices }) => new wp.Mesh(cook.mesh(vertices).bytes)) }). */
export function meshBodiesOf(file: PairFile): { rows: number[]; meshes: RecordedShape[]; a: Bodies; b: Bodies };
