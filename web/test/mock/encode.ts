// Frames as the server writes them, for tests of the page without one.
export interface MockFrame {
  sequence: number;
  time: number;
  flags?: number;
  energies?: [number, number, number, number];
  stepTime?: number;
  overruns?: number;
  poses: number[];
  outputs: number[];
  arrows: number[];
  switches: number; // how many; all are on
}

const padded = (n: number): number => Math.ceil(n / 8) * 8;

export function encodeFrame(f: MockFrame): ArrayBuffer {
  const bodies = f.poses.length / 7, words = Math.ceil(f.switches / 32);
  const outputsAt = 128 + padded(4 * f.poses.length);
  const arrowsAt = outputsAt + 8 * f.outputs.length;
  const switchesAt = arrowsAt + 4 * f.arrows.length;
  const total = switchesAt + padded(4 * words);
  const buffer = new ArrayBuffer(total);
  const v = new DataView(buffer);
  v.setUint32(0, 0x46524153, true);
  v.setUint32(4, 1, true);
  v.setBigUint64(8, BigInt(f.sequence), true);
  [f.time, f.time].forEach((x, i) => v.setFloat64(16 + 8 * i, x, true));
  [f.flags ?? 1, bodies, f.outputs.length, f.arrows.length / 8, f.switches, total].forEach((x, i) => v.setUint32(32 + 4 * i, x, true));
  [...(f.energies ?? [1, 2, 0, 1e-9]), f.stepTime ?? 25e-6, 1e-3].forEach((x, i) => v.setFloat64(56 + 8 * i, x, true));
  v.setBigUint64(104, BigInt(Math.round(f.time * 1000)), true);
  v.setBigUint64(112, BigInt(f.overruns ?? 0), true);
  v.setFloat64(120, 1, true);
  new Float32Array(buffer, 128, f.poses.length).set(f.poses);
  new Float64Array(buffer, outputsAt, f.outputs.length).set(f.outputs);
  new Float32Array(buffer, arrowsAt, f.arrows.length).set(f.arrows);
  new Uint32Array(buffer, switchesAt, words).fill(0xffffffff);
  return buffer;
}

export function concat(buffers: readonly ArrayBuffer[]): Uint8Array {
  const out = new Uint8Array(buffers.reduce((n, b) => n + b.byteLength, 0));
  let at = 0;
  for (const b of buffers) {
    out.set(new Uint8Array(b), at);
    at += b.byteLength;
  }
  return out;
}
