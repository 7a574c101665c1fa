// A helix of round wire between two points: how a spring is drawn.
import type { Vec3 } from "./pose";

export interface CoilShape {
  turns: number;
  perTurn: number; // segments of a turn
  sides: number; // of the wire
}

export const coilVertices = (c: CoilShape): number => (c.turns * c.perTurn + 1) * c.sides;
export const coilIndices = (c: CoilShape): number => 6 * c.turns * c.perTurn * c.sides;

// Two unit vectors that make a right-handed frame with the unit vector n.
export function frameAbout(n: Readonly<Vec3>): [Vec3, Vec3] {
  const [x, y, z] = n;
  const u: Vec3 = Math.abs(z) < 0.9 ? [y, -x, 0] : [0, z, -y];
  const length = Math.hypot(...u);
  u[0] /= length;
  u[1] /= length;
  u[2] /= length;
  return [u, [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]]];
}

// Triangles of coil number `k`, all of the same shape one behind the other.
export function coilTriangles(c: CoilShape, k: number, out: Uint32Array): void {
  const base = k * coilVertices(c);
  let at = k * coilIndices(c);
  for (let i = 0; i < c.turns * c.perTurn; i++) {
    for (let j = 0; j < c.sides; j++) {
      const a = base + i * c.sides + j, b = base + i * c.sides + ((j + 1) % c.sides);
      out.set([a, b, a + c.sides, b, b + c.sides, a + c.sides], at);
      at += 6;
    }
  }
}

// Centre line from 0 at a to 1 at b. The first and the last turn run into the axis: the eyes.
function place(c: CoilShape, i: number, radius: number, length: number): { r: number; z: number; angle: number } {
  const segments = c.turns * c.perTurn;
  const s = i / segments;
  const eye = Math.min(1, (c.turns * Math.min(s, 1 - s)) / 0.75);
  return { r: radius * Math.sqrt(eye), z: s * length, angle: (2 * Math.PI * i) / c.perTurn };
}

// Vertices and normals of coil number `k` between a and b. The wire is given by its radius.
export function writeCoil(
  c: CoilShape, k: number, a: Readonly<Vec3>, b: Readonly<Vec3>, radius: number, wire: number,
  position: Float32Array, normal: Float32Array,
): void {
  const d: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.hypot(...d);
  const n: Vec3 = length > 0 ? [d[0] / length, d[1] / length, d[2] / length] : [0, 0, 1];
  const [u, v] = frameAbout(n);
  const pitch = length / (2 * Math.PI * c.turns); // dz/dangle
  let at = 3 * k * coilVertices(c);
  for (let i = 0; i <= c.turns * c.perTurn; i++) {
    const { r, z, angle } = place(c, i, radius, length);
    const cos = Math.cos(angle), sin = Math.sin(angle);
    const slope = Math.hypot(r, pitch) || 1;
    // tangent (-r sin, r cos, pitch), outward (cos, sin, 0), and across both
    const ax = (-pitch * -sin) / slope, ay = (-pitch * cos) / slope, az = r / slope;
    for (let j = 0; j < c.sides; j++) {
      const p = (2 * Math.PI * j) / c.sides, cp = Math.cos(p), sp = Math.sin(p);
      const lx = cp * cos + sp * ax, ly = cp * sin + sp * ay, lz = sp * az;
      const px = r * cos + wire * lx, py = r * sin + wire * ly, pz = z + wire * lz;
      for (let m = 0; m < 3; m++) {
        position[at + m] = a[m] + px * u[m] + py * v[m] + pz * n[m];
        normal[at + m] = lx * u[m] + ly * v[m] + lz * n[m];
      }
      at += 3;
    }
  }
}
