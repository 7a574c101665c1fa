// Poses as they come in frames: [x, y, z, qw, qx, qy, qz], p_ground = p + R(q) p_body.

export type Vec3 = [number, number, number];

// A list of numbers that may be a typed array.
export interface Numbers {
  readonly length: number;
  [index: number]: number;
}

// out = p + R(q) v, of the pose that begins at `at`.
export function transform(pose: Numbers, at: number, v: Readonly<Vec3>, out: Vec3): Vec3 {
  rotate(pose, at, v, out);
  out[0] += pose[at];
  out[1] += pose[at + 1];
  out[2] += pose[at + 2];
  return out;
}

// out = R(q) v. With t = 2 u x v: R v = v + w t + u x t.
export function rotate(pose: Numbers, at: number, v: Readonly<Vec3>, out: Vec3): Vec3 {
  const w = pose[at + 3], x = pose[at + 4], y = pose[at + 5], z = pose[at + 6];
  const [a, b, c] = v;
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  out[0] = a + w * tx + y * tz - z * ty;
  out[1] = b + w * ty + z * tx - x * tz;
  out[2] = c + w * tz + x * ty - y * tx;
  return out;
}

// out = R(q)^T (v - p): a point of the ground in the body's frame.
export function invert(pose: Numbers, at: number, v: Readonly<Vec3>, out: Vec3): Vec3 {
  const back = [0, 0, 0, pose[at + 3], -pose[at + 4], -pose[at + 5], -pose[at + 6]];
  return rotate(back, 0, [v[0] - pose[at], v[1] - pose[at + 1], v[2] - pose[at + 2]], out);
}

// Column-major 4 x 4 matrix of a pose.
export function poseMatrix(pose: Numbers, at: number, out: Numbers, to = 0): void {
  const w = pose[at + 3], x = pose[at + 4], y = pose[at + 5], z = pose[at + 6];
  out[to] = 1 - 2 * (y * y + z * z);
  out[to + 1] = 2 * (x * y + w * z);
  out[to + 2] = 2 * (x * z - w * y);
  out[to + 3] = 0;
  out[to + 4] = 2 * (x * y - w * z);
  out[to + 5] = 1 - 2 * (x * x + z * z);
  out[to + 6] = 2 * (y * z + w * x);
  out[to + 7] = 0;
  out[to + 8] = 2 * (x * z + w * y);
  out[to + 9] = 2 * (y * z - w * x);
  out[to + 10] = 1 - 2 * (x * x + y * y);
  out[to + 11] = 0;
  out[to + 12] = pose[at];
  out[to + 13] = pose[at + 1];
  out[to + 14] = pose[at + 2];
  out[to + 15] = 1;
}

// C = A B of affine column-major 4 x 4 matrices that begin at a, b and c; C is neither of them.
export function multiplyAffine(A: Numbers, a: number, B: Numbers, b: number, C: Numbers, c: number): void {
  for (let j = 0; j < 16; j += 4) {
    const x = B[b + j], y = B[b + j + 1], z = B[b + j + 2], w = B[b + j + 3];
    C[c + j] = A[a] * x + A[a + 4] * y + A[a + 8] * z + A[a + 12] * w;
    C[c + j + 1] = A[a + 1] * x + A[a + 5] * y + A[a + 9] * z + A[a + 13] * w;
    C[c + j + 2] = A[a + 2] * x + A[a + 6] * y + A[a + 10] * z + A[a + 14] * w;
    C[c + j + 3] = w;
  }
}

// Poses between two frames: positions linearly, quaternions linearly along the shorter way and to
// unit length again (nlerp). `out` may be one of them.
export function blendPoses(from: Numbers, to: Numbers, s: number, out: Numbers): void {
  for (let i = 0; i + 7 <= from.length; i += 7) {
    for (let k = 0; k < 3; k++) out[i + k] = from[i + k] + s * (to[i + k] - from[i + k]);
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += from[i + k] * to[i + k];
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let k = 3; k < 7; k++) {
      const q = from[i + k] + s * (sign * to[i + k] - from[i + k]);
      out[i + k] = q;
      norm += q * q;
    }
    const scale = norm > 0 ? 1 / Math.sqrt(norm) : 1;
    for (let k = 3; k < 7; k++) out[i + k] *= scale;
  }
}
