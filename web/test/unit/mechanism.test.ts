// Many bodies: few draw calls, and little work per frame that does not need a graphics card.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstancedMesh, Object3D } from "three";
import { decodeFrame } from "../../src/frame";
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
