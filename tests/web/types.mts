/* Compiled, never run: what the types must allow, and what they must refuse. */
import widephase, { widephase2d, widephaseCook, WidephaseError } from 'widephase';
import type { Batch, Columns, Field, PersistentManifold, Results, Thresholds, Vector, Workspace2d, Frame, ManifoldPoint, Row, Shape, Tracked } from 'widephase';
import single from 'widephase/single';
import { widephase2d as single2d } from 'widephase/2d/single';
import { bodiesOf, makeShape, readPairs } from 'widephase/pairs';

const wp = await widephase();
const workspace = new wp.Workspace('wasm'), box = wp.shape.box(1, 1, 1);
const row: Row = workspace.contactPair(box, {}, box, { position: [1, 0, 0] }, 0.1);
const points: ManifoldPoint[] = workspace.contactManifoldPair(box, {}, box, {}).points;
const fraction: number = workspace.castPair(box, {}, box, {}, null).fraction;
const position = wp.allocate(Float32Array, 6), view: Float32Array = position.view, words: Uint32Array = position.as(Uint32Array).view;
const shapes = new wp.ShapeTable([box]);
const batch: Batch = new wp.Batch({ shapes, a: { position, rotation: position.column(0, 4) }, pairs: [[0, 1]] });
const results = new wp.Results(1, ['separation', 'manifold'], { pointMax: 8 });
const filled: Columns = workspace.contact(batch, 1, results);
const own: ManifoldPoint[][] = workspace.contactManifold(batch).manifolds;
const filledToo: Float32Array = workspace.contact(batch, 1, results).points, copiedToo: ManifoldPoint[][] = results.copy().manifolds;
const requested: Field[] = ['separation', 'fraction'], some: Results = new wp.Results(1, requested), usual: Float32Array = new wp.Results(1).lower;
const maybe: Float32Array | undefined = workspace.cast(batch, null, null, some).fraction, castTo: Float32Array = workspace.cast(batch).fraction;
const touched: Uint8Array = workspace.overlap(batch).overlap, depth: Float32Array = workspace.depthAlong(batch, [1, 0, 0]).separation;
/* Arrays that a program must not write, whole numbers of any width, columns. */
const place: readonly number[] = [0, 0, 0], turn = [0, 0, 0, 1] as const, corner: Vector = [1, 2, 3] as const;
const fixed = { shapes, a: { position: [place, [1, 0, 0]] as const, rotation: [turn, turn], shape: new Uint16Array(2) }, pairs: new Int32Array([0, 1]) } as const;
workspace.contact(fixed);
workspace.contactPair(box, { position: place, rotation: turn }, box, { position: corner, rotation: new Float64Array(4) });
wp.shape.hull(position.column(0, 3), [[0, 1, 2]] as const);
wp.shape.triangle(place, corner, new Int32Array(3));
const file = readPairs(new ArrayBuffer(0)), made: Shape | null = makeShape(await single({ wasm: wp.module }), file.shapes[0]);
workspace.overlap({ shapes, ...bodiesOf(file) });
const tracked: Tracked = new wp.Tracked(10, { reuse: true, polytopes: true }), pair = new wp.Pair(shapes, 0, 0, { cache: true });
const { changed }: Frame = workspace.track(batch, tracked, { maxSeparation: 0.02, reuseError: 0.001 });
const impulse: number[] = tracked.pair(tracked.take()).points[0].impulse;
const prepared: Row = workspace.contactPrepared(pair, {}, { position: [1, 0, 0] }, 0.1);
const smooth: Shape[] = [wp.shape.cylinder(1, 2), wp.shape.cone(1, 2, 0.5), wp.shape.ellipsoid(1, 2, 3, 0.5), made!];

const persistent = new wp.Persistent(1), thresholds: Thresholds = wp.thresholds(1);
persistent.update(0, {}, { position: [1, 0, 0] }, row.normal, points, thresholds);
const kept: PersistentManifold = persistent.pair(0);
const flat = await widephase2d(), circle = flat.shape.circle(1), flatTable = new flat.ShapeTable([circle, null], { vertexMax: 8 });
const flatWorkspace: Workspace2d = new (await single2d({ wasm: flat.module })).Workspace();
const flatManifolds: ManifoldPoint[][] = flatWorkspace.contactManifold({ shapes: flatTable, a: { position: place, rotation: turn } }).manifolds;
const flatRow: Row = flatWorkspace.contactPair(circle, {}, flat.shape.polygon([[0, 0], [1, 0], [0, 1]]), { rotation: [0, 1] });
const fractions: Float32Array = flatWorkspace.cast({ shapes: flatTable, a: { position: [0, 0], rotation: [1, 0] } }, { translation: [1, 0] }).fraction;
const { vertices, faces, mass } = (await widephaseCook()).hull([[0, 0, 0], [1, 0, 0]], { maxVertices: 8 });
const cooked: Shape = wp.shape.hull(vertices, faces), volume: number = mass?.volume ?? 0;

const field = new wp.HeightField([0, 0, 0, 0], 2, 2, { spacing: [1, 2] }), rough = new wp.HeightField(new Int16Array(4), 2, 2, { scale: 0.5, offset: 1 }), mesh = new wp.Mesh((await widephaseCook()).mesh([[0, 0, 0]]).bytes);
const onMeshes = new wp.MeshBatch({ shapes, a: { position, rotation: position }, b: { position, rotation: position }, surfaces: [mesh, field, rough] });
const triangles: number[] = workspace.meshContact(onMeshes, { patchMax: 2 }).manifolds.flat().map((patch) => patch.points[0].triangle);
const byNumber: number = workspace.meshContact(onMeshes, 0.02).statistics.touching, into: Float32Array = workspace.meshCast(onMeshes, null, null, new wp.Results(1, ['fraction'])).fraction;
const nearest: Uint32Array = workspace.meshDistance(onMeshes).triangle, turned: number = workspace.meshCast(onMeshes).statistics.turned;

const onGround = new wp.MeshTracked(1, { patchMax: 2 }), age: number = onGround.pair(0).patches[0].points[0].age;
const meshChanged: Uint32Array = workspace.meshTrack(onMeshes, onGround, { maxSeparation: 0.02, soup: true, queryAll: true }).changed;
const compound = new wp.Compound(shapes, { position, tag: [1, 2] }), copied = new wp.Compound(compound.bytes), tag: number = copied.child(0).tag;
const compounds = new wp.CompoundBatch({ shapes, compounds: [compound], a: { position, rotation: position, shape: [wp.compoundShape, 0] } });
const children: Uint32Array = workspace.compoundDistance(compounds, 1).childA, solved: number = workspace.compoundCast(compounds).statistics.solved;
const onTerrain = new wp.CompoundMeshBatch({ shapes, compounds: [compound], a: { position, rotation: position }, b: { position, rotation: position }, surfaces: [field] });
const childOf: number = workspace.compoundMeshContact(onTerrain, { patchMax: 2, soup: true }).manifolds[0][0].points[0].child;
const childrenOf: Uint32Array = workspace.compoundMeshContact(onTerrain, {}, new wp.CompoundMeshContacts(1)).children, plain: number = workspace.meshContact(onTerrain).triangleCount[0];
const touchedBy: Uint32Array = workspace.compoundMeshOverlap(onTerrain).child, movedBy: number = workspace.compoundMeshDistance(onTerrain, 2).statistics.turned;
const fallen: Float32Array = workspace.compoundMeshCast(onTerrain, { translation: [0, -1, 0] }).fraction, childInto: Uint32Array = workspace.compoundMeshDistance(onTerrain, 0, new wp.Results(1, ['child', 'triangle'])).child;
const bells = new wp.CompoundTracked(1, { patchMax: 64 }), { childA, points: [{ impulse: pushed, featureA }] } = bells.pair(0).patches[0];
const pairsTried: number = workspace.compoundTrack(compounds, bells, { maxSeparation: 0.02, merging: 0.1, index: [0] }, new wp.CompoundContacts(1)).statistics.pairs;
const tableChanged: Uint32Array = workspace.compoundMeshTrack(onTerrain, onGround, { maxSeparation: 0.02 }, new wp.CompoundMeshContacts(1, { patchMax: 2 })).changed;
const keptChild: number = onGround.pair(0).patches[0].points[0].child, keptChildren: Uint32Array = onGround.children;
const boxes = { lower: position, upper: position.column(0, 3) }, sameBoxes: typeof boxes = wp.bodiesBounds(shapes, { position, rotation: position }, 0.02, boxes);
const upperSides: Float32Array = wp.bodiesBounds(shapes, { position, rotation: position }).upper;
const hitBy: Uint32Array = mesh.rays(position, [0, -1, 0]).triangle, fronts: Uint8Array = field.rays([[0, 1, 0]], [[0, -1, 0]]).isFront, inBox: Uint32Array = mesh.overlapBox(place, corner);
const patchPoints: ManifoldPoint[] = workspace.compoundContactManifold(compounds, { patchMax: 8 }).manifolds[0][0].points;

workspace.compoundContactManifold(compounds, 0.02);
workspace.compoundMeshContact(onTerrain, 0.02);
const deepest: number = workspace.compoundContact(compounds, 0, new wp.Results(1, ['childA'])).statistics.pairs;

// @ts-expect-error contact has no points of manifolds
for (const manifold of workspace.contact(batch).manifolds) manifold.length;
// @ts-expect-error the fraction is a cast's
workspace.contact(batch).fraction;
// @ts-expect-error whether it overlaps is a field of overlap
workspace.distance(batch).overlap;
// @ts-expect-error no such field was requested
workspace.contact(batch, 1, results).normal;
// @ts-expect-error may be undefined
some.fraction.length;
// @ts-expect-error a triangle is of meshes
workspace.compoundDistance(compounds).triangle;
// @ts-expect-error contactManifold alone has points in 2D, too
flatWorkspace.contact({ shapes: flatTable, a: { position: [0, 0], rotation: [1, 0] } }).pointCount;
// @ts-expect-error no such option
workspace.meshContact(onMeshes, { max_separation: 0.02 });
// @ts-expect-error no numbers
wp.shape.triangle(place, place, new BigInt64Array(3));
// @ts-expect-error no compounds
new wp.CompoundBatch({ shapes, a: { position, rotation: position } });
// @ts-expect-error pairs of convex shapes
workspace.meshTrack(onMeshes, tracked, { maxSeparation: 0.02 });
// @ts-expect-error a batch of meshes
workspace.compoundOverlap(onMeshes);
// @ts-expect-error no compounds
workspace.compoundMeshContact(onMeshes);
// @ts-expect-error no children
workspace.compoundMeshContact(onTerrain, {}, new wp.MeshContacts(1));
// @ts-expect-error no compounds
workspace.compoundMeshDistance(onMeshes);
// @ts-expect-error no children
workspace.compoundMeshTrack(onTerrain, onGround, { maxSeparation: 0 }, new wp.MeshContacts(1));
// @ts-expect-error of pairs with meshes
workspace.compoundTrack(compounds, onGround, { maxSeparation: 0 });
// @ts-expect-error of pairs of compounds
workspace.compoundMeshTrack(onTerrain, bells, { maxSeparation: 0 });
// @ts-expect-error no points of compounds are reused
workspace.compoundTrack(compounds, bells, { maxSeparation: 0, reuseError: 1 });
// @ts-expect-error a child is of compounds
workspace.meshDistance(onMeshes).child;
// @ts-expect-error not in the module's memory
wp.bodiesBounds(shapes, { position, rotation: position }, 0, { lower: new Float32Array(3), upper: position });
// @ts-expect-error a height field has none
field.overlapBox(place, corner);
// @ts-expect-error no surfaces
new wp.MeshBatch({ shapes, a: { position, rotation: position }, b: { position, rotation: position } });
// @ts-expect-error may miss
field.ray([0, 0, 0], [0, 1, 0]).fraction;
// @ts-expect-error a batch of convex shapes
workspace.meshOverlap(batch);
// @ts-expect-error may be undefined
mass.volume;
// @ts-expect-error a table of 2D
workspace.contact({ shapes: flatTable, a: { position, rotation: position } });
// @ts-expect-error a shape of 3D
flatTable.set(1, box);
// @ts-expect-error no such query in 2D
flatWorkspace.track(batch, tracked, { maxSeparation: 0.02 });
// @ts-expect-error a threshold is missing
persistent.refresh(0, {}, {}, { breaking: 1, sideways: 1 });
// @ts-expect-error a variant of other machines
new wp.Workspace('avx2');
// @ts-expect-error a shape of no such kind
wp.shape.torus(1, 1);
// @ts-expect-error the height is missing
wp.shape.cone(1);
// @ts-expect-error a number is missing
workspace.contactPair(box, {}, box);
// @ts-expect-error the largest separation is missing
workspace.track(batch, tracked, {});
// @ts-expect-error no such output
new wp.Results(1, ['depth']);
// @ts-expect-error read only
workspace.variant = 'scalar';
export { filledToo, copiedToo, usual, maybe, castTo, touched, depth, flatManifolds, byNumber, into, deepest, row, points, fraction, view, words, filled, own, smooth, changed, impulse, prepared, kept, cooked, volume, flatRow, fractions, triangles, nearest, turned, age, meshChanged, tag, children, solved, patchPoints, touchedBy, movedBy, fallen, childInto, tableChanged, keptChild, keptChildren, sameBoxes, upperSides, hitBy, fronts, inBox, childOf, childrenOf, plain, WidephaseError };
