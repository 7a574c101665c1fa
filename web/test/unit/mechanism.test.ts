// Many bodies: few draw calls, and little work per frame that does not need a graphics card.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstancedMesh, Object3D } from "three";
import { decodeFrame } from "../../src/frame";
import { detailFor, makeGeometry } from "../../src/geometry";
import { Look } from "../../src/look";
import { Mechanism } from "../../src/mechanism";
import { transform } from "../../src/pose";
import { readScene } from "../../src/scene";
import { layoutOf } from "../../src/source";
import { PALETTES } from "../../src/theme";
import { encodeFrame } from "../mock/encode";
import { heap, zoo, type Model } from "../mock/models";

function prepare(model: Model): { mechanism: Mechanism; look: Look; frame: ReturnType<typeof decodeFrame> } {
  const scene = readScene(model.scene);
  const frame = decodeFrame(encodeFrame({ ...model.frame(0.4, {}), sequence: 1 }), 0, layoutOf(scene));
  const mechanism = new Mechanism(scene), look = new Look(PALETTES.dark);
  mechanism.arrange(look);
  mechanism.update(frame.poses, frame, look);
  return { mechanism, look, frame };
}

function meshes(o: Object3D): InstancedMesh[] {
  const found: InstancedMesh[] = [];
  o.traverse((child) => {
    if ("isInstancedMesh" in child && "isMesh" in child) found.push(child as InstancedMesh);
  });
  return found;
}

for (const n of [500, 1000]) {
  test(`${n} bodies of three sizes are two instanced meshes`, () => {
    const { mechanism, look, frame } = prepare(heap(n));
    const solid = meshes(mechanism.solids.object);
    assert.equal(solid.length, 2);
    assert.equal(solid.reduce((sum, m) => sum + m.count, 0), n);
    let least = Infinity;
    for (let i = 0; i < 40; i++) {
      const began = performance.now();
      mechanism.update(frame.poses, frame, look);
      least = Math.min(least, performance.now() - began);
    }
    console.log(`${n} bodies: ${least.toFixed(2)} ms to place them`);
    assert.ok(least < 16, `${least} ms`);
  });
}

test("instances are where the poses say; hidden bodies are gone, translucent ones apart", () => {
  const { mechanism, look, frame } = prepare(heap(12));
  const balls = meshes(mechanism.solids.object).find((m) => m.geometry.type === "SphereGeometry");
  assert.ok(balls);
  for (let k = 0; k < balls.count; k++) {
    const at = transform(frame.poses, 7 * 3 * k, [0, 0, 0], [0, 0, 0]);
    const m = balls.instanceMatrix.array;
    for (let i = 0; i < 3; i++) assert.ok(Math.abs(m[16 * k + 12 + i] - at[i]) < 1e-6);
  }
  look.hidden.add(0);
  look.pale.add(3);
  mechanism.arrange(look);
  const counts = meshes(mechanism.solids.object).map((m) => m.count).sort((a, b) => a - b);
  assert.deepEqual(counts, [1, 2, 8]);
});

test("only what moved goes to the graphics card, and all of it after something was arranged", () => {
  const { mechanism, look, frame } = prepare(heap(30));
  const solid = meshes(mechanism.solids.object);
  const uploads = (): number[] => solid.map((m) => m.instanceMatrix.updateRanges.reduce((sum, r) => sum + r.count / 16, 0));
  const again = (): void => {
    for (const m of solid) m.instanceMatrix.clearUpdateRanges();
    mechanism.update(frame.poses, frame, look);
  };
  again();
  assert.deepEqual(uploads(), solid.map(() => 0));
  frame.poses[7 * 6 + 2] += 0.5; // the third ball
  again();
  assert.equal(uploads().reduce((a, b) => a + b), 1);
  mechanism.arrange(look);
  mechanism.update(frame.poses, frame, look);
  const all = meshes(mechanism.solids.object);
  assert.equal(all.reduce((sum, m) => sum + m.instanceMatrix.updateRanges.reduce((n, r) => n + r.count / 16, 0), 0), 30);
});

test("round shapes are as coarse as their size in the picture allows", () => {
  for (let i = 0; i < 300; i++) {
    const radius = 300 * (i / 300) ** 2, error = 0.25 + (i % 4) / 4;
    const detail = detailFor(radius, error);
    const geometry = makeGeometry(readScene(heap(1).scene).bodies[0].shapes[0], detail);
    // the outline, seen along the axis: the least distance of the equator's chords from the middle
    const at = geometry.getAttribute("position");
    const rim: number[] = [];
    for (let k = 0; k < at.count; k++) if (Math.abs(at.getY(k)) < 0.3) rim.push(Math.atan2(at.getZ(k), at.getX(k)));
    rim.sort((a, b) => a - b);
    const gap = rim.reduce((most, a, k) => (k > 0 ? Math.max(most, a - rim[k - 1]) : most), 0);
    if (detail > 0) assert.ok(radius * (1 - Math.cos(gap / 2)) <= error + 1e-6, `${radius} px, detail ${detail}`);
    assert.ok(detail >= detailFor(radius + 10, error));
  }
  const { mechanism } = prepare(heap(500));
  const triangles = (): number => meshes(mechanism.solids.object).reduce((sum, m) => sum + (m.geometry.getIndex()?.count ?? 0) / 3 * m.count, 0);
  const fine = triangles();
  mechanism.refine(() => 100, 0.5, true); // balls of 10 pixels
  assert.ok(triangles() < fine / 4, `${triangles()} of ${fine}`);
  mechanism.refine(() => 1e4, 0.5, true);
  assert.equal(triangles(), fine);
});

test("one of each thing can be arranged, hidden and shown", () => {
  const { mechanism, look, frame } = prepare(zoo());
  for (const category of ["bodies", "joints", "links", "edges"] as const) {
    look.toggleCategory(category);
    mechanism.arrange(look);
    mechanism.update(frame.poses, frame, look);
  }
  let corners = 0;
  mechanism.solids.eachCorner(() => corners++);
  assert.equal(corners, 0);
});
