// Coils, rods, plates and poses against what they must satisfy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { coilIndices, coilTriangles, coilVertices, frameAbout, writeCoil } from "../../src/coil";
import { plateTriangles } from "../../src/geometry";
import { linkEnds } from "../../src/links";
import { blendPoses, invert, multiplyAffine, poseMatrix, transform, type Vec3 } from "../../src/pose";
import { rodMatrix } from "../../src/rods";
import { random } from "./random";

const next = random(7);
const vec = (): Vec3 => [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
const minus = (a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Readonly<Vec3>, b: Readonly<Vec3>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const near = (a: number, b: number, tolerance = 1e-6): void => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

function anyPose(): number[] {
  const q = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5];
  const n = Math.hypot(...q);
  return [...vec(), ...q.map((v) => v / n)];
}

test("a coil begins and ends on its axis, stays within its radius, has unit normals that point off the wire", () => {
  for (let run = 0; run < 40; run++) {
    const c = { turns: 2 + Math.floor(8 * next()), perTurn: 6 + Math.floor(14 * next()), sides: 3 + Math.floor(5 * next()) };
    const a = vec(), b = vec(), radius = 0.05 + next(), wire = 0.02;
    const size = 3 * coilVertices(c);
    const p = new Float32Array(2 * size), n = new Float32Array(2 * size);
    writeCoil(c, 1, a, b, radius, wire, p, n);
    assert.ok(p.subarray(0, size).every((v) => v === 0), "only its own place is written");
    const d = minus(b, a), length = Math.hypot(...d);
    for (let i = size; i < 2 * size; i += 3) {
      const r = minus([p[i], p[i + 1], p[i + 2]], a);
      const along = dot(r, d) / length;
      const across = Math.sqrt(Math.max(0, dot(r, r) - along * along));
      assert.ok(across <= radius + wire + 1e-5 && along >= -wire - 1e-5 && along <= length + wire + 1e-5);
      near(Math.hypot(n[i], n[i + 1], n[i + 2]), 1, 1e-5);
    }
    const mean = (ring: number): Vec3 => {
      const sum: Vec3 = [0, 0, 0];
      for (let j = 0; j < c.sides; j++) for (let k = 0; k < 3; k++) sum[k] += p[size + 3 * (ring * c.sides + j) + k] / c.sides;
      return sum;
    };
    near(Math.hypot(...minus(mean(0), a)), 0, 1e-5);
    near(Math.hypot(...minus(mean(c.turns * c.perTurn), b)), 0, 1e-5);
  }
});

test("a coil of no length and its triangles are finite and within their vertices", () => {
  const c = { turns: 4, perTurn: 8, sides: 5 };
  const p = new Float32Array(3 * coilVertices(c)), n = new Float32Array(3 * coilVertices(c));
  writeCoil(c, 0, [1, 2, 3], [1, 2, 3], 0.1, 0.01, p, n);
  assert.ok([...p, ...n].every(Number.isFinite));
  const index = new Uint32Array(coilIndices(c));
  coilTriangles(c, 0, index);
  assert.equal(Math.max(...index), coilVertices(c) - 1);
});

test("frames about an axis are right-handed and orthogonal", () => {
  for (let i = 0; i < 200; i++) {
    const v = vec(), length = Math.hypot(...v);
    const n: Vec3 = [v[0] / length, v[1] / length, v[2] / length];
    const [a, b] = frameAbout(n);
    near(dot(a, b), 0);
    near(dot(a, n), 0);
    near(dot(cross(a, b), n), 1);
  }
});

test("a rod goes from one end to the other; without length it is not there", () => {
  const out = new Float32Array(16);
  const a = vec(), b = vec();
  rodMatrix(a, b, 0.1, out, 0);
  for (let k = 0; k < 3; k++) near(out[8 + k] + out[12 + k], b[k]);
  rodMatrix(a, a, 0.1, out, 0);
  assert.ok(out.every((v) => v === 0));
});

test("poses: matrix, transform and its inverse agree", () => {
  for (let i = 0; i < 100; i++) {
    const pose = anyPose(), v = vec();
    const p = transform(pose, 0, v, [0, 0, 0]);
    const m = new Float64Array(16), local = new Float64Array(16), product = new Float64Array(16);
    poseMatrix(pose, 0, m);
    poseMatrix([...v, 1, 0, 0, 0], 0, local);
    multiplyAffine(m, 0, local, 0, product, 0);
    const back = invert(pose, 0, p, [0, 0, 0]);
    for (let k = 0; k < 3; k++) {
      near(product[12 + k], p[k], 1e-12);
      near(back[k], v[k], 1e-12);
    }
  }
});

test("poses between two: ends are met, quaternions stay units, the shorter way is taken", () => {
  const a = anyPose(), b = anyPose(), out = new Array<number>(7).fill(0);
  const other = b.map((v, i) => (i < 3 ? v : -v));
  blendPoses(a, b, 0.3, out);
  const first = [...out];
  blendPoses(a, other, 0.3, out);
  const sign = Math.sign(dot([first[3], first[4], first[5]], [out[3], out[4], out[5]]));
  for (let k = 3; k < 7; k++) near(out[k], sign * first[k], 1e-9);
  near(Math.hypot(...out.slice(3)), 1);
  blendPoses(a, b, 0, out);
  for (let k = 0; k < 3; k++) near(out[k], a[k]);
});

test("a plate has the volume of its polygon times its thickness, whichever way its corners go", () => {
  const corners = [0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1.5, 0];
  const backwards = [3, 2, 1, 0].flatMap((i) => corners.slice(3 * i, 3 * i + 3));
  for (const polygon of [corners, backwards]) {
    const t = plateTriangles(polygon, 0.1);
    let volume = 0;
    for (let i = 0; i < t.length; i += 9) {
      const [a, b, c] = [0, 3, 6].map((k) => [t[i + k], t[i + k + 1], t[i + k + 2]] as Vec3);
      volume += dot(a, cross(b, c)) / 6;
    }
    near(volume, 2.5 * 0.2, 1e-9);
  }
});

test("a link with an axis ends at b and is parallel to it", () => {
  const pose = anyPose();
  const link = { kind: "spring", role: "spring", name: "s", a: { body: 0, point: vec() }, b: { body: -1, point: vec() }, axis: vec(), radius: 1 } as const;
  const [a, b] = linkEnds({ ...link, axis: [...link.axis] }, pose);
  assert.deepEqual(b, link.b.point);
  const turned = minus(transform(pose, 0, link.axis, [0, 0, 0]), [pose[0], pose[1], pose[2]]);
  near(Math.hypot(...cross(minus(b, a), turned)), 0, 1e-9);
});
