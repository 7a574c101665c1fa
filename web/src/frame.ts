// Frames: what moves, in binary (docs/window-protocol.md). Nothing is believed before it was
// checked: lengths against the buffer, counts against the scene.

export const HEADER = 128;
const MAGIC = 0x46524153; // "SARF"
const VERSION = 1;
export const ARROW = 8; // numbers of an arrow

export const Flag = { running: 1, ended: 2, failed: 4, pulled: 8, late: 16 } as const;
export const ArrowKind = { contact: 0, applied: 1, pull: 2, torque: 3 } as const;

export interface Frame {
  sequence: number;
  time: number;
  wall: number;
  flags: number;
  kinetic: number;
  potential: number;
  work: number;
  unexplained: number;
  stepTime: number; // CPU time of the longest step since the last frame [s]
  stepLength: number;
  steps: number;
  overruns: number;
  speed: number;
  poses: Float32Array; // 7 of each body
  outputs: Float64Array;
  arrows: Float32Array; // 8 of each arrow
  switches: Uint32Array;
  bytes: number;
}

// What a frame must agree with.
export interface Layout {
  bodies: number;
  outputs: number;
  switches: number;
}

export class FrameError extends Error {}

function refuse(why: string): never {
  throw new FrameError(`frame: ${why}`);
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

// The frame that begins at `at`; its arrays are views of the buffer.
export function decodeFrame(buffer: ArrayBuffer, at: number, layout: Layout): Frame {
  if (at % 8 !== 0) refuse(`begins at byte ${at}, not at a multiple of 8`);
  if (buffer.byteLength - at < HEADER) refuse(`${buffer.byteLength - at} bytes, a header has ${HEADER}`);
  const head = new DataView(buffer, at, HEADER);
  if (head.getUint32(0, true) !== MAGIC) refuse("does not begin with SARF");
  const version = head.getUint32(4, true);
  if (version !== VERSION) refuse(`version ${version}, this page reads ${VERSION}`);
  const [bodies, outputs, arrows, switches, bytes] = [36, 40, 44, 48, 52].map((o) => head.getUint32(o, true));
  if (bodies !== layout.bodies) refuse(`${bodies} bodies, the scene has ${layout.bodies}`);
  if (outputs !== layout.outputs) refuse(`${outputs} outputs, the scene has ${layout.outputs}`);
  if (switches !== layout.switches) refuse(`${switches} switches, the scene has ${layout.switches}`);
  const posesAt = HEADER;
  const outputsAt = posesAt + padded(28 * bodies);
  const arrowsAt = outputsAt + 8 * outputs;
  const switchesAt = arrowsAt + 4 * ARROW * arrows;
  const end = switchesAt + padded(4 * Math.ceil(switches / 32));
  if (bytes !== end) refuse(`says ${bytes} bytes, its counts make ${end}`);
  if (bytes > buffer.byteLength - at) refuse(`cut off: ${buffer.byteLength - at} of ${bytes} bytes`);
  const f64 = (offset: number): number => head.getFloat64(offset, true);
  const u64 = (offset: number): number => Number(head.getBigUint64(offset, true));
  const time = f64(16);
  if (!Number.isFinite(time)) refuse("its time is not a number");
  return {
    sequence: u64(8), time, wall: f64(24), flags: head.getUint32(32, true),
    kinetic: f64(56), potential: f64(64), work: f64(72), unexplained: f64(80),
    stepTime: f64(88), stepLength: f64(96), steps: u64(104), overruns: u64(112), speed: f64(120),
    poses: new Float32Array(buffer, at + posesAt, 7 * bodies),
    outputs: new Float64Array(buffer, at + outputsAt, outputs),
    arrows: new Float32Array(buffer, at + arrowsAt, ARROW * arrows),
    switches: new Uint32Array(buffer, at + switchesAt, Math.ceil(switches / 32)),
    bytes,
  };
}

// All frames of a file, one behind the other. A last one that is cut off is left out. layout: of
// all, or of those that take turns.
export function decodeFrames(buffer: ArrayBuffer, layout: Layout | readonly Layout[]): Frame[] {
  const frames: Frame[] = [], turns = layout instanceof Array ? layout : [layout];
  for (let at = 0; at < buffer.byteLength; ) {
    const left = buffer.byteLength - at;
    const total = left >= HEADER ? new DataView(buffer, at).getUint32(52, true) : HEADER;
    if (total > left && frames.length > 0) break;
    const frame = decodeFrame(buffer, at, turns[frames.length % turns.length]);
    frames.push(frame);
    at += frame.bytes;
  }
  return frames;
}

export function isOn(frame: Pick<Frame, "switches">, bit: number | undefined): boolean {
  return bit === undefined || ((frame.switches[bit >>> 5] >>> (bit & 31)) & 1) === 1;
}
