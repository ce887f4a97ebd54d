/* widephase for JavaScript. Conventions of the C headers: any consistent length unit, right-handed axes,
 * quaternions (x, y, z, w), separation > 0 a gap and < 0 an overlap, normals from A to B.
 *
 * Every call throws on wrong arguments, naming them: TypeError and RangeError by the wrapper, WidephaseError where the
 * library or its memory refuses. A bad row of a batch (a NaN, an index out of range) is no error: its status is INVALID,
 * its separation NaN, and every other row gets its answer. Options and motions have no other members than these; bodies, poses
 * and descriptions of batches may.
 *
 * Objects with dispose() hold memory of the module until that is called. What others still use refuses to go: a shape
 * while a table holds it, a table while a batch does. One module is one thread; other threads load their own. */

/** Types of arrays in the module's memory. */
export type TypedArray = Float32Array | Float64Array | Int16Array | Uint32Array | Uint8Array;
/** Numbers of any length; of indices, whole ones. */
export type NumberArray = readonly number[] | TypedArray | Int8Array | Uint8ClampedArray | Uint16Array | Int32Array;
/** One after the other, or a list for each row. */
export type Numbers = NumberArray | readonly (readonly number[])[];
/** Three numbers. */
export type Vector = NumberArray;
export type Variant = 'scalar' | 'wasm';
export type ShapeKind = 'point' | 'sphere' | 'segment' | 'capsule' | 'triangle' | 'box' | 'hull' | 'cylinder' | 'cone' |
	'ellipsoid' | 'half_space';

/** A refusal of the library; `code` is its wp_error. */
export class WidephaseError extends Error {
	readonly code: number;
}

export interface Options {
	/** The module: compiled, as bytes, or where it lies. Default: widephase.wasm beside the script, or the embedded one. */
	wasm?: WebAssembly.Module | ArrayBuffer | Uint8Array | URL | string;
}

/** Load the library. Needs SIMD128: Node 16.4, Chrome 91, Firefox 89, Safari 16.4, or later. */
export default function widephase(options?: Options): Promise<Widephase>;

/** Load the library for 2D, a module of its own: circles, capsules, segments and polygons. */
export function widephase2d(options?: Options): Promise<Widephase2d>;

/** Load what makes hulls of points, by qhull: a module of its own, which is needed where hulls are made alone. Needs exceptions
 * of WebAssembly: Node 17, Chrome 95, Firefox 100, Safari 15.2, or later. */
export function widephaseCook(options?: Options): Promise<Cook>;

export interface Cook {
	version(): string;
	readonly module: WebAssembly.Module;
	/** The convex hull of any points, three numbers each. With maxVertices, 4 or more, some of its vertices. */
	hull(points: Numbers, options?: { maxVertices?: number }): CookedHull;
	/** A mesh of any triangles: three numbers a vertex, three indices a triangle, counter-clockwise seen from its front. Without
	 * triangles each three vertices are one. */
	mesh(vertices: Numbers, triangles?: Numbers): CookedMesh;
}

/** For shape.hull(vertices, faces). */
export interface CookedHull {
	vertices: Float32Array;
	/** Counter-clockwise seen from outside; two of a flat hull, none of a thinner one. */
	faces: number[][];
	/** How far the points reach out of it at most; 0 without maxVertices. */
	error: number;
	/** Of density 1, about the centroid; undefined without a volume. */
	mass: { volume: number; centroid: number[]; inertia: number[][] } | undefined;
	/** All of it, as C programs map it (wp_hull_from_memory). */
	bytes: Uint8Array;
}

/** For new Mesh(bytes), or a file. */
export interface CookedMesh {
	bytes: Uint8Array;
	/** Vertices at the place of an earlier one, triangles without an area, vertices in no triangle, and edges of one triangle, of
	 * three or more, and of two with their fronts on different sides. */
	report: { welded: number; dropped: number; unused: number; boundaryEdges: number; crowdedEdges: number; turnedEdges: number };
}

/** What both packages have. */
export interface Common {
	/** "major.minor.patch" */
	version(): string;
	/** What runs here, slowest first. All give the same bits. */
	variants(): Variant[];
	/** The words of a status ("penetrating", "strong", ...). */
	statusWords(status: number): string[];
	/** Bits of a status by name, as in wp_status. */
	readonly Status: Readonly<Record<StatusName, number>>;
	/** Floats from one point to the next in Results `points`. */
	readonly pointWords: number;
	readonly memory: WebAssembly.Memory;
	/** For other threads: widephase({ wasm: wp.module }) there compiles nothing. */
	readonly module: WebAssembly.Module;

	/** An array in the module's memory: of zeros, or a copy. Batches and queries read and write it in place. */
	allocate<T extends TypedArray>(type: { new (length: number): T }, lengthOrValues: number | ArrayLike<number>): MemoryArray<T>;

	readonly Results: { new <F extends Field = RowField>(rows: number, fields?: readonly F[], options?: ResultsOptions): Results<F> };
}

export interface Widephase extends Common {
	/** Bits of the event of a tracked pair by name, as in wp_track_event. */
	readonly Event: Readonly<Record<EventName, number>>;
	/** Words (Uint32Array elements) of one row of Batch `cache`. */
	readonly cacheWords: number;
	/** Words from one pair to the next in Tracked `pairs`, and floats in `manifolds`. */
	readonly trackedWords: number;
	readonly persistentWords: number;

	readonly shape: {
		point(): Shape;
		sphere(radius: number): Shape;
		segment(start: Vector, end: Vector, radius?: number): Shape;
		/** The core is the segment from (0, -halfHeight, 0) to (0, halfHeight, 0). */
		capsule(radius: number, halfHeight: number): Shape;
		triangle(a: Vector, b: Vector, c: Vector, radius?: number): Shape;
		box(halfX: number, halfY: number, halfZ: number, radius?: number): Shape;
		/** All below the body's position along its Y axis: a ground plane. Two of them in one row are invalid. */
		halfSpace(radius?: number): Shape;
		/** Vertices of a convex polyhedron, three numbers each. Faces are lists of vertices, counter-clockwise seen from
		 * outside; without them manifolds have one point. */
		hull(vertices: Input, faces?: readonly (readonly number[])[], radius?: number): Shape;
		/** Around Y, from -halfHeight to halfHeight. `radius` rounds it, and the other two as well. */
		cylinder(baseRadius: number, halfHeight: number, radius?: number): Shape;
		/** Around Y, the base at -halfHeight, the point at halfHeight. */
		cone(baseRadius: number, halfHeight: number, radius?: number): Shape;
		/** Semi-axes along X, Y and Z. */
		ellipsoid(semiX: number, semiY: number, semiZ: number, radius?: number): Shape;
	};

	readonly Workspace: { new (variant?: Variant | 'auto'): Workspace };
	readonly ShapeTable: { new (shapes: readonly (Shape | null)[]): ShapeTable };
	readonly Batch: { new (description: BatchDescription): Batch };
	readonly Pair: { new (shapes: ShapeTable, shapeA: number, shapeB: number, options?: PairOptions): Pair };
	readonly Tracked: { new (capacity: number, options?: TrackedOptions): Tracked };
	readonly Persistent: { new (capacity: number): Persistent };
	/** All three as 0.02 of a size, the smaller bound of two shapes; a RangeError for one that is negative or NaN. */
	thresholds(size: number): Thresholds;
	/** Boxes of bodies, for the broadphase, along the axes of the world. Each holds its body and half of maxSeparation (default 0)
	 * more on each side, so that the boxes of bodies overlap that contacts up to maxSeparation are made of. A half-space's are
	 * infinite; a body without a valid shape or pose has lower = Infinity and upper = -Infinity. Into `bounds`, which it
	 * returns, or new arrays. */
	bodiesBounds<B extends Bounds>(shapes: ShapeTable, bodies: Bodies, maxSeparation: number | undefined, bounds: B): B;
	bodiesBounds(shapes: ShapeTable, bodies: Bodies, maxSeparation?: number): BoundsCopy;
	readonly Mesh: { new (bytes: Uint8Array | ArrayBuffer): Mesh };
	/** Samples are heights, row by row; those in the module's memory are read where they are, and may change between calls. */
	readonly HeightField: {
		new (samples: Input, columns: number, rows: number, options?: HeightFieldOptions): HeightField;
		/** The sample of a hole; of samples that are an Int16Array. */
		readonly HOLE: number;
		readonly HOLE_INT16: number;
	};
	readonly MeshBatch: { new (description: MeshBatchDescription): MeshBatch };
	readonly MeshContacts: { new (rows: number, options?: { patchMax?: number }): MeshContacts };
	/** patchMax: most patches of a pair, 1 to 8, default 4; of more the deepest stay. */
	readonly MeshTracked: { new (capacity: number, options?: { patchMax?: number }): MeshTracked };
	/** The triangle of a row that has none. */
	readonly meshMiss: number;
	/** Of children, or of the bytes of a compound. */
	readonly Compound: {
		new (shapes: ShapeTable, children: Children): Compound;
		new (bytes: Uint8Array | ArrayBuffer): Compound;
	};
	readonly CompoundBatch: { new (description: CompoundBatchDescription): CompoundBatch };
	readonly CompoundContacts: { new (rows: number, options?: { patchMax?: number }): CompoundContacts };
	/** patchMax: most patches of a pair, 1 to 64, default 4; of more the deepest stay. */
	readonly CompoundTracked: { new (capacity: number, options?: { patchMax?: number }): CompoundTracked };
	readonly CompoundMeshBatch: { new (description: CompoundMeshBatchDescription): CompoundMeshBatch };
	readonly CompoundMeshContacts: { new (rows: number, options?: { patchMax?: number }): CompoundMeshContacts };
	/** The shape of a body that has compound i is compoundShape + i. */
	readonly compoundShape: number;
	/** The child of a row that has no answer. */
	readonly compoundMiss: number;
}

/** The same in 2D: vectors have two numbers, and a rotation is the cosine and the sine of an angle, counter-clockwise. There
 * are no caches, tangents, prepared and tracked pairs, persistent manifolds, directed depths, meshes and compounds. */
export interface Widephase2d extends Common {
	readonly shape: {
		/** A point, if the radius is 0: its cast is a ray. */
		circle(radius: number): Shape2d;
		/** The core is the segment from (0, -halfHeight) to (0, halfHeight). */
		capsule(radius: number, halfHeight: number): Shape2d;
		segment(start: Vector2d, end: Vector2d, radius?: number): Shape2d;
		/** 1 to 64 vertices, two numbers each, convex and counter-clockwise. */
		polygon(vertices: Input, radius?: number): Shape2d;
		/** A polygon. */
		box(halfX: number, halfY: number, radius?: number): Shape2d;
	};

	readonly Workspace: { new (variant?: Variant | 'auto'): Workspace2d };
	/** vertexMax: most vertices of polygons that may be set; default: of these shapes. */
	readonly ShapeTable: { new (shapes: readonly (Shape2d | null)[], options?: { vertexMax?: number }): ShapeTable2d };
	readonly Batch: { new (description: BatchDescription2d): Batch2d };
}

/** Two numbers. */
export type Vector2d = NumberArray;
export type ShapeKind2d = 'circle' | 'capsule' | 'segment' | 'polygon';

export type StatusName = 'SEPARATED' | 'TOUCHING' | 'PENETRATING' | 'BEYOND' | 'STRONG' | 'ITERATION_CAP' | 'CAPACITY' |
	'DEGENERATE' | 'WIDE_BRACKET' | 'INVALID' | 'HIT' | 'INVALID_BODY_A' | 'INVALID_SHAPE_A' | 'INVALID_POSITION_A' |
	'INVALID_ROTATION_A' | 'INVALID_BODY_B' | 'INVALID_SHAPE_B' | 'INVALID_POSITION_B' | 'INVALID_ROTATION_B' | 'INVALID_TRACKED';

/** Began or ended to touch; kept its plane or reused its points, so that nothing was searched. */
export type EventName = 'BEGAN' | 'ENDED' | 'KEPT' | 'REUSED';

export interface Owned {
	readonly disposed: boolean;
	/** Give the memory back. Once more does nothing. */
	dispose(): void;
}

export interface MemoryArray<T extends TypedArray = TypedArray> extends Owned {
	readonly length: number;
	/** The numbers. Take it anew after any call that may allocate: where the memory grew, older views have length 0, and calls
	 * refuse them. */
	readonly view: T;
	/** The same memory as numbers of another type, for structs that mix them. Lives as long as this one. */
	as<U extends TypedArray>(type: { new (length: number): U }): MemoryArray<U>;
	/** One member of an array of structs: rows start at `offset` and every `stride` numbers from there. */
	column(offset: number, stride: number): Column;
}

export interface Column {
	readonly array: MemoryArray;
	readonly offset: number;
	readonly stride: number;
}

export interface Shape extends Owned {
	readonly kind: ShapeKind;
	/** Bounding radius about the shape's own origin: the length unit of the accuracy contract. */
	readonly bound: number;
}

export interface Shape2d extends Owned {
	readonly kind: ShapeKind2d;
	readonly bound: number;
}

/** Shapes by index; null is an index without one, whose rows are invalid until a shape is set. */
export interface ShapeTable extends Owned {
	readonly dimension: 3;
	readonly count: number;
	/** 0 of an index without a shape. */
	bound(index: number): number;
	/** Add a shape, or replace the one of this index; caches stay right. */
	set(index: number, shape: Shape): void;
	/** Rows with this index are invalid until another shape is set. */
	remove(index: number): void;
}

export interface ShapeTable2d extends Owned {
	readonly dimension: 2;
	readonly count: number;
	bound(index: number): number;
	set(index: number, shape: Shape2d): void;
	remove(index: number): void;
}

/** Numbers in the module's memory are read where they lie, in each call anew; all others are copied once. */
export type Input = MemoryArray | Column | Numbers;

export interface Bodies {
	/** Three a body; Float64Array for large worlds, of a and of b. Ordinary numbers are double if the other side is. */
	position: Input;
	/** Four a body. */
	rotation: Input;
	/** Index into the shape table; default: body i has shape i. */
	shape?: Input;
}

/** Where boxes of bodies go: three numbers a body each. */
export interface Bounds {
	/** Float64Array, of both, keeps boxes close far from the origin; Float32Array is rounded outwards. */
	lower: MemoryArray<Float32Array | Float64Array> | Column;
	upper: MemoryArray<Float32Array | Float64Array> | Column;
}

/** Ordinary arrays, three numbers a body each. */
export interface BoundsCopy {
	lower: Float32Array;
	upper: Float32Array;
}

export interface BatchDescription {
	shapes: ShapeTable;
	a: Bodies;
	/** Default: the same bodies as a. */
	b?: Bodies;
	/** Two indices a row, of a body of a and one of b; default, where there is a b: row r has body r of both. */
	pairs?: Input;
	/** First row, and number of rows; default: all. */
	first?: number;
	count?: number;
	/** cacheWords a row, zeros at first, kept from frame to frame: read and written by contact, distance, overlap. */
	cache?: MemoryArray<Uint32Array>;
}

/** Two numbers a position and a rotation. */
export interface BatchDescription2d extends Omit<BatchDescription, 'shapes' | 'cache'> {
	shapes: ShapeTable2d;
}

export interface Batch2d extends Owned {
	readonly dimension: 2;
	readonly first: number;
	readonly count: number;
}

export interface Batch extends Owned {
	readonly dimension: 3;
	readonly first: number;
	readonly count: number;
}

/** The outputs of a row, as in wp_results, and 'manifold'. */
export type Field = 'separation' | 'normal' | 'pointA' | 'pointB' | 'lower' | 'upper' | 'status' | 'iterations' | 'overlap' |
	'localA' | 'localB' | 'tangent1' | 'tangent2' | 'fraction' | 'triangle' | 'child' | 'childA' | 'childB' | 'manifold';

/** The fields that all queries fill. */
export type RowField = 'separation' | 'normal' | 'pointA' | 'pointB' | 'lower' | 'upper' | 'status' | 'iterations';

export interface ResultsOptions {
	/** Most points of a manifold, 1 to 8, default 4; in 2D 1 or 2, default 2. */
	pointMax?: number;
	/** pointA and pointB in double, for large worlds. */
	doublePoints?: boolean;
}

/** The arrays of all fields. */
export interface AllColumns {
	readonly separation: Float32Array;
	readonly normal: Float32Array;
	readonly pointA: Float32Array | Float64Array;
	readonly pointB: Float32Array | Float64Array;
	readonly lower: Float32Array;
	readonly upper: Float32Array;
	readonly status: Uint32Array;
	readonly iterations: Uint32Array;
	readonly overlap: Uint8Array;
	readonly localA: Float32Array;
	readonly localB: Float32Array;
	readonly tangent1: Float32Array;
	readonly tangent2: Float32Array;
	readonly fraction: Float32Array;
	/** Of queries of meshes: the triangle of the answer, meshMiss for none. */
	readonly triangle: Uint32Array;
	/** Of queries of compounds and meshes: the child of the answer, 0 of a body that has a shape itself, compoundMiss for none. */
	readonly child: Uint32Array;
	/** Of queries of compounds: the children of the answer, 0 of a body that has a shape itself, compoundMiss for none. */
	readonly childA: Uint32Array;
	readonly childB: Uint32Array;
	/** Of the field 'manifold': points of each row. */
	readonly pointCount: Uint32Array;
	/** And pointMax points a row, pointWords floats each, as wp_manifold_point. */
	readonly points: Float32Array;
}

/** The arrays of some fields; each may be undefined where it is not known which fields there are. */
export type Columns<F extends Field = Field> = Field extends F ? Partial<AllColumns>
	: Pick<AllColumns, Exclude<F, 'manifold'> | ('manifold' extends F ? 'pointCount' | 'points' : never)>;

/** Results in the module's memory: calls copy nothing. They have the arrays of the fields that were requested; default:
 * those that all queries fill. Its arrays are views, see MemoryArray.view. */
export type Results<F extends Field = Field> = ResultsBase<F> & Columns<F>;

export interface ResultsBase<F extends Field = Field> extends Owned {
	readonly rows: number;
	readonly pointMax: number;
	/** Counts of the last call. */
	readonly statistics: Statistics;
	/** The points of a row as objects, of the field 'manifold'. */
	manifold(row: number): ManifoldPoint[];
	/** All of it in ordinary arrays. */
	copy(): ResultsCopy<F>;
}

/** Ordinary arrays, the caller's own, and the points of each row. */
export type ResultsCopy<F extends Field = Field> = Columns<F> & { readonly statistics: Statistics } &
	(Field extends F ? Partial<Manifolds> : 'manifold' extends F ? Manifolds : unknown);

export interface Manifolds {
	readonly manifolds: ManifoldPoint[][];
}

export interface ManifoldPoint {
	separation: number;
	pointA: number[];
	pointB: number[];
	localA: number[];
	localB: number[];
	featureA: number;
	featureB: number;
}

export interface Statistics {
	rows: number;
	separated: number;
	touching: number;
	penetrating: number;
	beyond: number;
	strong: number;
	iterationCap: number;
	capacity: number;
	degenerate: number;
	wideBracket: number;
	invalid: number;
	gjkIterations: number;
	gjkIterationsMax: number;
	epaRows: number;
	epaIterations: number;
	epaIterationsMax: number;
	lanesIssued: number;
	lanesLive: number;
	/** Meaningless while invalid is 0. */
	firstInvalidRow: number;
}

/** The answer for one pair. */
export interface Row {
	separation: number;
	normal: number[];
	pointA: number[];
	pointB: number[];
	lower: number;
	upper: number;
	status: number;
	iterations: number;
	/** Bits of the status. */
	words: readonly string[];
}

export interface Pose {
	/** Default: the origin. */
	position?: Vector;
	/** Unit quaternion; default: none. */
	rotation?: NumberArray;
}

export interface Motions {
	/** How far each body moves; default: nowhere. */
	translation?: Input;
	/** Its rotation at the end; default: as before. */
	rotation?: Input;
}

export interface PairOptions {
	/** Keep where the next query starts; default: false. */
	cache?: boolean;
}

/** Two shapes of a table, which validated them: queries of this pair do not read all bytes of a hull again, and start
 * from its cache. The table cannot be disposed of while a pair uses it. */
export interface Pair extends Owned {
	readonly shapeA: number;
	readonly shapeB: number;
	/** Empty the cache. */
	forget(): void;
}

export interface TrackedOptions {
	/** Room for what track needs to reuse points (reuseError above 0); default: false. */
	reuse?: boolean;
	/** Room for what track needs to prove depths of hulls that overlap again, in less time; default: false. Separations and
	 * normals are as near to the truth, but may differ from contact's in the last bits. For one ShapeTable. */
	polytopes?: boolean;
}

/** What is kept of pairs from frame to frame, and which of them are in use. It is of one ShapeTable, whose shapes may come and go:
 * before a frame with another one fill `pairs` with 0, or pairs are answered by the shapes of the old one. The same holds before
 * an index that was not taken anew serves another pair. */
export interface TrackedPool extends Owned {
	/** Pairs that there is room for. */
	readonly capacity: number;
	/** trackedWords a pair, as wp_tracked; a view, see MemoryArray.view. */
	readonly pairs: Uint32Array;
	/** Room for more pairs; what is kept, and its indices, stay. */
	reserve(capacity: number): void;
	/** The index of a pair of which nothing is known; there is room for more where all are in use. */
	take(): number;
	/** Give a pair back that was taken. */
	give(index: number): void;
	/** A snapshot to roll back to: it has arrays and indices of its own, and continues from this frame. It is for the same
	 * ShapeTable, or one of the same shapes. */
	copy(): this;
}

/** For track. */
export interface Tracked extends TrackedPool {
	/** persistentWords a pair, as wp_persistent_manifold; a view, see MemoryArray.view. */
	readonly manifolds: Float32Array;
	/** What the last frame found of a pair. */
	pair(index: number): TrackedPair;
	/** The solver's, for the next frame. */
	setImpulse(index: number, point: number, impulse: Vector): void;
}

/** What is kept of pairs that have patches of points. */
export interface PatchTracked<Pair> extends TrackedPool {
	readonly patchMax: number;
	/** patchMax a pair, as wp_mesh_tracked_patch or wp_compound_tracked_patch; a view, see MemoryArray.view. */
	readonly patches: Float32Array;
	/** What the last frame found of a pair. */
	pair(index: number): Pair;
	/** The solver's, for the next frame. */
	setImpulse(index: number, patch: number, point: number, impulse: Vector): void;
}

/** For meshTrack and compoundMeshTrack. */
export interface MeshTracked extends PatchTracked<MeshTrackedPair> {
	/** By compoundMeshTrack: patchMax times four a pair, the child of each point of each patch; a view, see MemoryArray.view. */
	readonly children: Uint32Array;
}

/** For compoundTrack. */
export type CompoundTracked = PatchTracked<CompoundTrackedPair>;

export interface TrackedState {
	/** Where the status is BEYOND a proven lower bound, but of pairs with meshes or compounds Infinity. */
	separation: number;
	status: number;
	/** Bits of the status. */
	words: readonly string[];
	/** Bits of Event. */
	event: number;
}

export interface TrackedPair extends TrackedState {
	/** From A to B; undefined without points. */
	normal: number[] | undefined;
	points: PersistentPoint[];
}

export interface MeshTrackedPair extends TrackedState {
	/** The deepest first. */
	patches: MeshTrackedPatch[];
}

export interface MeshTrackedPatch extends MeshPatch {
	points: MeshTrackedPoint[];
}

export interface CompoundTrackedPair extends TrackedState {
	/** The deepest first. */
	patches: CompoundTrackedPatch[];
}

/** Of a pair of children. */
export interface CompoundTrackedPatch extends CompoundPatch {
	points: (ManifoldPoint & KeptPoint)[];
}

/** What is kept of a point of a patch, as wp_mesh_tracked_point. */
export interface KeptPoint {
	/** From the body's origin, along the world's axes. */
	armA: number[];
	armB: number[];
	/** Frames that the point has come through. */
	age: number;
	/** Zero in a new point, untouched as long as the point is kept. */
	impulse: number[];
}

export interface MeshTrackedPoint extends MeshPoint, KeptPoint {
	/** By compoundMeshTrack: the child, 0 of a body that has a shape itself. */
	child: number;
}

/** Where a ray meets a surface. */
export interface MeshHit {
	triangle: number;
	isFront: boolean;
	/** Of the way, 0 to 1. */
	fraction: number;
	/** Of the triangle's corners; their sum is 1. */
	weights: number[];
}

/** Where rays meet a surface, ray for ray. */
export interface MeshHits {
	/** meshMiss of a ray that meets nothing: all else is 0 then. */
	triangle: Uint32Array;
	/** 1 where the ray comes from the front of the triangle. */
	isFront: Uint8Array;
	/** Of the way, 0 to 1; NaN of a ray whose start or way is NaN or too large, which meets nothing. */
	fraction: Float32Array;
	/** Three a ray, of the triangle's corners. */
	weights: Float32Array;
}

/** What a mesh and a height field have in common. */
export interface Surface extends Owned {
	readonly triangleCount: number;
	/** The first triangle on the way from start to start + way, from either side, in the surface's own frame. */
	ray(start: Vector, way: Vector): MeshHit | undefined;
	/** The same of many, three numbers a ray. */
	rays(start: Input, way: Input): MeshHits;
}

/** Triangles with their neighbours and a tree of boxes, from the bytes that a cook wrote: a file of the program, or
 * widephaseCook's. Checked in every byte. */
export interface Mesh extends Surface {
	readonly vertexCount: number;
	/** Corners of the smallest box around it. */
	readonly lower: number[];
	readonly upper: number[];
	/** `indices` are of the mesh's vertices, `source` is the triangle's number in the cook's input. */
	triangle(index: number): { indices: number[]; corners: number[][]; normal: number[]; source: number };
	/** The triangles whose own boxes meet a box in the mesh's frame, in ascending order. Its corners may be infinite. */
	overlapBox(lower: Vector, upper: Vector): Uint32Array;
}

export interface HeightFieldOptions {
	/** Between columns, along x, and between rows, along z; default 1, 1. */
	spacing?: NumberArray;
	/** Cells are split the other way. */
	otherDiagonal?: boolean;
	/** Of samples that are an Int16Array: the height is offset + scale * sample; default 1 and 0. */
	scale?: number;
	offset?: number;
}

/** Terrain: sample `column` of row `row` is the vertex (column * spacing[0], height, row * spacing[1]). */
export interface HeightField extends Surface {
	readonly columns: number;
	readonly rows: number;
	/** Look at all samples, which may have changed; queries take any that is no height for a hole. */
	check(): void;
	/** Undefined in a hole. */
	triangle(index: number): { corners: number[][]; normal: number[] } | undefined;
}

/** Rows of a convex body of a and a body of b, whose shape is an index of `surfaces`: meshes first, then height fields. */
export interface MeshBatchDescription extends Omit<BatchDescription, 'b' | 'cache'> {
	b: Bodies;
	surfaces: readonly (Mesh | HeightField)[];
}

export interface MeshBatch extends Owned {
	readonly dimension: 3;
	readonly surfaceCount: number;
	readonly first: number;
	readonly count: number;
}

export interface MeshContactOptions {
	/** Points are made up to this separation; default 0. */
	maxSeparation?: number;
	/** Most patches of a row, 1 to 8, default 4, where no results are given. */
	patchMax?: number;
	/** Triangles face the body from either side. */
	twoSided?: boolean;
	/** Leave contacts at edges and corners inside of a surface as they are. */
	ghosts?: boolean;
	/** Borders of a mesh are none where others of its triangles lie along them. */
	soup?: boolean;
}

export interface MeshPoint extends ManifoldPoint {
	triangle: number;
}

/** Points with one normal, which is from the body into the surface. */
export interface MeshPatch {
	normal: number[];
	/** The least of its triangles. */
	separation: number;
	points: MeshPoint[];
}

export interface MeshColumns {
	/** The least of all patches; Infinity where there is none, NaN in invalid rows. */
	readonly separation: Float32Array;
	readonly normal: Float32Array;
	readonly status: Uint32Array;
	/** Triangles that have a point. */
	readonly triangleCount: Uint32Array;
	readonly patchCount: Uint32Array;
	/** As wp_mesh_patch. */
	readonly patches: Float32Array;
	readonly statistics: MeshStatistics;
}

/** Contacts with meshes in the module's memory. Its arrays are views, see MemoryArray.view. */
export interface MeshContacts extends Owned, MeshColumns {
	readonly rows: number;
	readonly patchMax: number;
	/** The patches of a row as objects, the deepest first. */
	patch(row: number): MeshPatch[];
	/** All of it in ordinary arrays. */
	copy(): MeshContactsCopy;
}

/** Ordinary arrays, and the patches of each row. */
export interface MeshContactsCopy extends MeshColumns {
	readonly manifolds: MeshPatch[][];
}

/** Counts of rows and triangles, as wp_mesh_statistics. */
export interface MeshStatistics {
	rows: number;
	touching: number;
	invalid: number;
	/** Meaningless while invalid is 0. */
	firstInvalidRow: number;
	triangles: number;
	behind: number;
	beyond: number;
	solved: number;
	touched: number;
	turned: number;
	dropped: number;
	strong: number;
}

/** What queries of meshes return without Results. */
export type MeshRows<F extends Field = never> = Columns<RowField | 'triangle' | F> & { readonly statistics: MeshStatistics };
/** The same of compounds and meshes. */
export type CompoundMeshRows<F extends Field = never> = MeshRows<'child' | F>;
/** And with: the same ones. */
export type MeshResults<R extends Results> = Omit<R, 'statistics'> & { readonly statistics: MeshStatistics };

/** Convex shapes of a table, with poses in the compound's frame. */
export interface Children {
	/** Three a child: of each shape's origin. */
	position: Input;
	/** Four a child; default: none is turned. */
	rotation?: Input;
	/** Index into the shape table, of any kind but a half-space; default: child i has shape i. */
	shape?: Input;
	/** Anything that is kept; default: zeros. */
	tag?: Input;
}

/** A child as it was given. */
export interface Child {
	position: number[];
	rotation: number[];
	shape: number;
	tag: number;
}

/** Convex shapes with poses, as one body, and a tree of boxes around them. It remembers how large the shapes are, not the table. */
export interface Compound extends Owned {
	readonly childCount: number;
	/** Corners of the smallest box around the boxes of all children. */
	readonly lower: number[];
	readonly upper: number[];
	/** A copy of all of it, for a file and new Compound(bytes). */
	readonly bytes: Uint8Array;
	child(index: number): Child;
	/** Where a child is if the compound is at a pose, as queries have it: a body of its own, for meshDistance say. */
	childPose(index: number, pose: Pose): { position: number[]; rotation: number[] };
	/** Throws where the table has no such shapes as the compound was made for, or larger ones. */
	check(shapes: ShapeTable): void;
}

/** Rows of any two bodies. The shape of a body is an index into the table, or compoundShape + an index of `compounds`. */
export interface CompoundBatchDescription extends Omit<BatchDescription, 'cache'> {
	compounds: readonly Compound[];
}

export interface CompoundBatch extends Owned {
	readonly dimension: 3;
	readonly compoundCount: number;
	readonly first: number;
	readonly count: number;
}

export interface CompoundContactOptions {
	/** Points are made up to this separation; default 0. */
	maxSeparation?: number;
	/** Most patches of a row, 1 to 65536, default 4, where no results are given. */
	patchMax?: number;
}

/** The contact of one pair of children: one normal, and the manifold of both. */
export interface CompoundPatch {
	/** From A to B. */
	normal: number[];
	separation: number;
	childA: number;
	childB: number;
	status: number;
	/** Bits of the status. */
	words: readonly string[];
	points: ManifoldPoint[];
}

export interface CompoundColumns {
	/** Of the deepest contact; Infinity where there is none, NaN in invalid rows. */
	readonly separation: Float32Array;
	readonly normal: Float32Array;
	readonly status: Uint32Array;
	/** Pairs of children that have points, also those beyond patchMax. */
	readonly pairCount: Uint32Array;
	readonly patchCount: Uint32Array;
	/** As wp_compound_patch. */
	readonly patches: Float32Array;
	readonly statistics: CompoundStatistics;
}

/** Contacts with compounds in the module's memory. Its arrays are views, see MemoryArray.view. */
export interface CompoundContacts extends Owned, CompoundColumns {
	readonly rows: number;
	readonly patchMax: number;
	/** The patches of a row as objects, the deepest first. */
	patch(row: number): CompoundPatch[];
	/** All of it in ordinary arrays. */
	copy(): CompoundContactsCopy;
}

/** Ordinary arrays, and the patches of each row. */
export interface CompoundContactsCopy extends CompoundColumns {
	readonly manifolds: CompoundPatch[][];
}

/** Rows of a body of a, whose shape is an index into the table, or compoundShape + an index of `compounds`, and a body of b. */
export interface CompoundMeshBatchDescription extends MeshBatchDescription {
	compounds: readonly Compound[];
}

export interface CompoundMeshBatch extends MeshBatch {
	readonly compoundCount: number;
}

export interface CompoundMeshPoint extends MeshPoint {
	/** 0 of a body that has a shape itself. */
	child: number;
}

export interface CompoundMeshPatch extends MeshPatch {
	points: CompoundMeshPoint[];
}

/** Contacts with meshes, and the child of each point. */
export interface CompoundMeshContacts extends MeshContacts {
	/** patchMax times four a row: of each point of each patch; what a row does not use means nothing. */
	readonly children: Uint32Array;
	patch(row: number): CompoundMeshPatch[];
	copy(): CompoundMeshContactsCopy;
}

export interface CompoundMeshContactsCopy extends MeshContactsCopy {
	readonly children: Uint32Array;
	readonly manifolds: CompoundMeshPatch[][];
}

/** Counts of rows and pairs of children, as wp_compound_statistics. */
export interface CompoundStatistics {
	rows: number;
	touching: number;
	invalid: number;
	/** Meaningless while invalid is 0. */
	firstInvalidRow: number;
	pairs: number;
	beyond: number;
	solved: number;
	touched: number;
	strong: number;
}

/** What queries of compounds return without Results. */
export type CompoundRows<F extends Field = never> = Columns<RowField | 'childA' | 'childB' | F> & { readonly statistics: CompoundStatistics };
/** And with: the same ones. */
export type CompoundResults<R extends Results> = Omit<R, 'statistics'> & { readonly statistics: CompoundStatistics };

/** One point that is kept, as wp_persistent_point and wp_persistent_place. */
export interface PersistentPoint {
	localA: number[];
	localB: number[];
	/** From the body's origin, along the world's axes. */
	armA: number[];
	armB: number[];
	separation: number;
	featureA: number;
	featureB: number;
	/** Frames that the point has come through. */
	age: number;
	/** Zero in a new point, untouched as long as the point is kept. */
	impulse: number[];
}

/** When points stop being the same. Lengths; Infinity means never. */
export interface Thresholds {
	/** A point further apart than this along the normal is dropped; choose no less than the maxSeparation of the queries. */
	breaking: number;
	/** A point whose ends have slid apart by more than this across the normal is dropped. */
	sideways: number;
	/** A new point not further than this from an old one, on A or on B, is the old one. */
	merging: number;
}

/** What is kept of one pair by Persistent. */
export interface PersistentManifold {
	/** From A to B; undefined without points. */
	normal: number[] | undefined;
	points: PersistentPoint[];
}

/** Contact points kept from frame to frame, of pairs whose contacts the caller finds; `track` does both. Only where B is
 * relative to A counts: in large worlds, positions may be counted from anywhere near both. */
export interface Persistent extends Owned {
	/** Pairs that there is room for. */
	readonly capacity: number;
	/** Take the points that contactManifold found at these poses in the place of all old ones: points that have the features
	 * of an old one, or are not further than `merging` from it, keep its impulse and age. None: the pair has no points. */
	update(index: number, poseA: Pose, poseB: Pose, normal: Vector, points: readonly ManifoldPoint[], thresholds: Thresholds): void;
	/** New poses, without a query: find arms and separations anew, and drop points that have come apart. */
	refresh(index: number, poseA: Pose, poseB: Pose, thresholds: Thresholds, normal?: Vector): void;
	/** Add one point that was found at these poses, by contact with localA and localB, say. */
	add(index: number, poseA: Pose, poseB: Pose, normal: Vector, point: Omit<ManifoldPoint, 'pointA' | 'pointB'>, thresholds: Thresholds): void;
	pair(index: number): PersistentManifold;
	/** The solver's, for the next frame. */
	setImpulse(index: number, point: number, impulse: Vector): void;
	/** The pair has no points any more. */
	forget(index: number): void;
}

export interface TrackOptions {
	/** Points are made up to this separation. */
	maxSeparation: number;
	/** Points not further apart are the same; default: maxSeparation. */
	merging?: number;
	/** Above 0, pairs that touch keep their points while the separation is proven to be that near to the true one. */
	reuseError?: number;
	/** Of each row the index of its pair, no two the same; default: row r is pair r. */
	index?: Input;
}

export interface Frame {
	/** Rows whose pair began or ended to touch. */
	readonly changed: Uint32Array;
	readonly statistics: Statistics;
}

export interface MeshTrackOptions extends Omit<MeshContactOptions, 'maxSeparation' | 'patchMax'>, Omit<TrackOptions, 'reuseError'> {
	/** Answer all rows anew: for the next frame after samples of a height field have changed, or another one has its index. Pairs
	 * that have no row in that frame keep what they had. */
	queryAll?: boolean;
}

/** Of frames of pairs of compounds and shapes. */
export type CompoundTrackOptions = Omit<TrackOptions, 'reuseError'>;

export interface CompoundFrame {
	readonly changed: Uint32Array;
	/** Rows that were not queried count as rows, and as touching where they do. */
	readonly statistics: CompoundStatistics;
}

export interface MeshFrame {
	readonly changed: Uint32Array;
	readonly statistics: MeshStatistics;
}

/** The queries, by one variant. Each takes a batch or the description of one, and Results to fill, which it returns;
 * without them it returns copies of the fields that the query has. maxSeparation is Infinity by default, which has the exact
 * separation and points of all shapes, however far apart; 0, for contacts of what touches or overlaps, is faster, and the default
 * for meshes and compounds. Options that are a number are maxSeparation. */
export interface Workspace extends Owned {
	readonly variant: Variant;
	overlap<R extends Results>(batch: Batch | BatchDescription, results: R): R;
	overlap(batch: Batch | BatchDescription): ResultsCopy<RowField | 'overlap'>;
	distance<R extends Results>(batch: Batch | BatchDescription, results: R): R;
	distance(batch: Batch | BatchDescription): ResultsCopy<RowField>;
	contact<R extends Results>(batch: Batch | BatchDescription, maxSeparation: number | undefined, results: R): R;
	contact(batch: Batch | BatchDescription, maxSeparation?: number): ResultsCopy<RowField>;
	contactManifold<R extends Results>(batch: Batch | BatchDescription, maxSeparation: number | undefined, results: R): R;
	contactManifold(batch: Batch | BatchDescription, maxSeparation?: number): ResultsCopy<RowField | 'manifold'>;
	/** Motions of a and of b, body for body; without b in the batch, motionsB is not looked at. */
	cast<R extends Results>(batch: Batch | BatchDescription, motionsA: Motions | null | undefined, motionsB: Motions | null | undefined, results: R): R;
	cast(batch: Batch | BatchDescription, motionsA?: Motions | null, motionsB?: Motions | null): ResultsCopy<RowField | 'fraction'>;
	/** `direction` has three numbers a row. */
	depthAlong<R extends Results>(batch: Batch | BatchDescription, direction: Input, results: R): R;
	depthAlong(batch: Batch | BatchDescription, direction: Input): ResultsCopy<RowField>;

	/** One frame: the contacts of all rows, from what the last frame left in `tracked`, where the answers are. A row names its
	 * bodies in the same order in each frame; the batch's cache is left alone. Results are filled if they are given. */
	track(batch: Batch | BatchDescription, tracked: Tracked, options: TrackOptions, results?: Results): Frame;

	/** Contacts of convex shapes with meshes and height fields, without ghosts at edges between triangles. */
	meshContact(batch: MeshBatch | MeshBatchDescription, options: MeshContactOptions | number | undefined, results: MeshContacts): MeshContacts;
	meshContact(batch: MeshBatch | MeshBatchDescription, options?: MeshContactOptions | number): MeshContactsCopy;
	/** Does the body share a point with any triangle? */
	meshOverlap<R extends Results>(batch: MeshBatch | MeshBatchDescription, results: R): MeshResults<R>;
	meshOverlap(batch: MeshBatch | MeshBatchDescription): MeshRows<'overlap'>;
	/** How far is the nearest triangle? Those beyond maxDistance do not count; 0, the default: all do. */
	meshDistance<R extends Results>(batch: MeshBatch | MeshBatchDescription, maxDistance: number | undefined, results: R): MeshResults<R>;
	meshDistance(batch: MeshBatch | MeshBatchDescription, maxDistance?: number): MeshRows;
	/** When does the moving body first touch a triangle? */
	meshCast<R extends Results>(batch: MeshBatch | MeshBatchDescription, motionsA: Motions | null | undefined, motionsB: Motions | null | undefined, results: R): MeshResults<R>;
	meshCast(batch: MeshBatch | MeshBatchDescription, motionsA?: Motions | null, motionsB?: Motions | null): MeshRows<'fraction'>;

	/** One frame: meshContact of all rows, with its bits, from what the last frame left in `tracked`, where the answers are.
	 * Results, with the patchMax of `tracked`, are filled if they are given. */
	meshTrack(batch: MeshBatch | MeshBatchDescription, tracked: MeshTracked, options: MeshTrackOptions, results?: MeshContacts): MeshFrame;

	/** Rows of compounds and convex shapes: the answer of one pair of children, as overlap and the others give it. Do they share
	 * a point? The lowest pair of children that overlaps has the answer. */
	compoundOverlap<R extends Results>(batch: CompoundBatch | CompoundBatchDescription, results: R): CompoundResults<R>;
	compoundOverlap(batch: CompoundBatch | CompoundBatchDescription): CompoundRows<'overlap'>;
	/** How far are the nearest children apart? Those beyond maxDistance do not count; 0, the default: all do. */
	compoundDistance<R extends Results>(batch: CompoundBatch | CompoundBatchDescription, maxDistance: number | undefined, results: R): CompoundResults<R>;
	compoundDistance(batch: CompoundBatch | CompoundBatchDescription, maxDistance?: number): CompoundRows;
	/** The deepest contact of all pairs of children that are not proven further apart than maxSeparation, default 0. */
	compoundContact<R extends Results>(batch: CompoundBatch | CompoundBatchDescription, maxSeparation: number | undefined, results: R): CompoundResults<R>;
	compoundContact(batch: CompoundBatch | CompoundBatchDescription, maxSeparation?: number): CompoundRows;
	/** The deepest contact, and a patch for each pair of children. */
	compoundContactManifold(batch: CompoundBatch | CompoundBatchDescription, options: CompoundContactOptions | number | undefined,
		results: CompoundContacts): CompoundContacts;
	compoundContactManifold(batch: CompoundBatch | CompoundBatchDescription, options?: CompoundContactOptions | number): CompoundContactsCopy;
	/** One frame: compoundContactManifold of all rows, with its bits, from what the last frame left in `tracked`, where the answers
	 * are. A row names its bodies in the same order in each frame. Results, with the patchMax of `tracked`, are filled if they
	 * are given. */
	compoundTrack(batch: CompoundBatch | CompoundBatchDescription, tracked: CompoundTracked, options: CompoundTrackOptions, results?: CompoundContacts): CompoundFrame;
	/** Contacts of compounds with meshes and height fields: meshContact of all children, their patches merged by normal. */
	compoundMeshContact(batch: CompoundMeshBatch | CompoundMeshBatchDescription, options: MeshContactOptions | number | undefined,
		results: CompoundMeshContacts): CompoundMeshContacts;
	compoundMeshContact(batch: CompoundMeshBatch | CompoundMeshBatchDescription, options?: MeshContactOptions | number): CompoundMeshContactsCopy;
	/** Is a child in touch with a triangle? The lowest child that shares a point with one has the answer. */
	compoundMeshOverlap<R extends Results>(batch: CompoundMeshBatch | CompoundMeshBatchDescription, results: R): MeshResults<R>;
	compoundMeshOverlap(batch: CompoundMeshBatch | CompoundMeshBatchDescription): CompoundMeshRows<'overlap'>;
	/** How far is the nearest child from the nearest triangle? Those beyond maxDistance do not count; 0, the default: all do. */
	compoundMeshDistance<R extends Results>(batch: CompoundMeshBatch | CompoundMeshBatchDescription, maxDistance: number | undefined, results: R): MeshResults<R>;
	compoundMeshDistance(batch: CompoundMeshBatch | CompoundMeshBatchDescription, maxDistance?: number): CompoundMeshRows;
	/** When does the moving body first touch a triangle? A compound that turns takes its children along. */
	compoundMeshCast<R extends Results>(batch: CompoundMeshBatch | CompoundMeshBatchDescription, motionsA: Motions | null | undefined,
		motionsB: Motions | null | undefined, results: R): MeshResults<R>;
	compoundMeshCast(batch: CompoundMeshBatch | CompoundMeshBatchDescription, motionsA?: Motions | null, motionsB?: Motions | null): CompoundMeshRows<'fraction'>;
	/** One frame: compoundMeshContact of all rows, with its bits, as meshTrack is meshContact. A compound is one body, whose
	 * children's points are in the patches of its pair. */
	compoundMeshTrack(batch: CompoundMeshBatch | CompoundMeshBatchDescription, tracked: MeshTracked, options: MeshTrackOptions,
		results?: CompoundMeshContacts): MeshFrame;
	/** When do the moving bodies first touch? A compound that turns takes its children along. */
	compoundCast<R extends Results>(batch: CompoundBatch | CompoundBatchDescription, motionsA: Motions | null | undefined, motionsB: Motions | null | undefined,
		results: R): CompoundResults<R>;
	compoundCast(batch: CompoundBatch | CompoundBatchDescription, motionsA?: Motions | null, motionsB?: Motions | null): CompoundRows<'fraction'>;

	overlapPair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose): Row;
	distancePair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose): Row;
	contactPair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, maxSeparation?: number): Row;
	/** pointMax is 1 to 8, 4 by default. Hulls need their faces; cylinders and cones have points of their caps and sides. */
	contactManifoldPair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, maxSeparation?: number, pointMax?: number):
		Row & { points: ManifoldPoint[] };
	/** An end that is null is the start. */
	castPair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, endA?: Pose | null, endB?: Pose | null):
		Row & { fraction: number };
	depthAlongPair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, direction: Vector): Row;

	/** The same for shapes of a table. */
	overlapPrepared(pair: Pair, poseA: Pose, poseB: Pose): Row;
	distancePrepared(pair: Pair, poseA: Pose, poseB: Pose): Row;
	contactPrepared(pair: Pair, poseA: Pose, poseB: Pose, maxSeparation?: number): Row;
	contactManifoldPrepared(pair: Pair, poseA: Pose, poseB: Pose, maxSeparation?: number, pointMax?: number):
		Row & { points: ManifoldPoint[] };
	/** Casts and depths leave the cache as it is. */
	castPrepared(pair: Pair, poseA: Pose, poseB: Pose, endA?: Pose | null, endB?: Pose | null):
		Row & { fraction: number };
	depthAlongPrepared(pair: Pair, poseA: Pose, poseB: Pose, direction: Vector): Row;
}

export interface Pose2d {
	/** Default: the origin. */
	position?: Vector2d;
	/** Cosine and sine; default: not turned. */
	rotation?: Vector2d;
}

/** The queries in 2D, as Workspace has them. */
export interface Workspace2d extends Owned {
	readonly variant: Variant;
	overlap<R extends Results>(batch: Batch2d | BatchDescription2d, results: R): R;
	overlap(batch: Batch2d | BatchDescription2d): ResultsCopy<RowField | 'overlap'>;
	distance<R extends Results>(batch: Batch2d | BatchDescription2d, results: R): R;
	distance(batch: Batch2d | BatchDescription2d): ResultsCopy<RowField>;
	contact<R extends Results>(batch: Batch2d | BatchDescription2d, maxSeparation: number | undefined, results: R): R;
	contact(batch: Batch2d | BatchDescription2d, maxSeparation?: number): ResultsCopy<RowField>;
	contactManifold<R extends Results>(batch: Batch2d | BatchDescription2d, maxSeparation: number | undefined, results: R): R;
	contactManifold(batch: Batch2d | BatchDescription2d, maxSeparation?: number): ResultsCopy<RowField | 'manifold'>;
	cast<R extends Results>(batch: Batch2d | BatchDescription2d, motionsA: Motions | null | undefined, motionsB: Motions | null | undefined, results: R): R;
	cast(batch: Batch2d | BatchDescription2d, motionsA?: Motions | null, motionsB?: Motions | null): ResultsCopy<RowField | 'fraction'>;

	overlapPair(shapeA: Shape2d, poseA: Pose2d, shapeB: Shape2d, poseB: Pose2d): Row;
	distancePair(shapeA: Shape2d, poseA: Pose2d, shapeB: Shape2d, poseB: Pose2d): Row;
	contactPair(shapeA: Shape2d, poseA: Pose2d, shapeB: Shape2d, poseB: Pose2d, maxSeparation?: number): Row;
	contactManifoldPair(shapeA: Shape2d, poseA: Pose2d, shapeB: Shape2d, poseB: Pose2d, maxSeparation?: number, pointMax?: number):
		Row & { points: ManifoldPoint[] };
	castPair(shapeA: Shape2d, poseA: Pose2d, shapeB: Shape2d, poseB: Pose2d, endA?: Pose2d | null, endB?: Pose2d | null):
		Row & { fraction: number };
}
