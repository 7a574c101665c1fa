// Frames: what was written is read, and nothing else is believed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFrame, decodeFrames, FrameError, isOn, type Layout } from "../../src/frame";
import { concat, encodeFrame, type MockFrame } from "../mock/encode";
import { random } from "./random";

const next = random();
const count = (most: number): number => Math.floor(next() * (most + 1));
const some = (n: number): number[] => Array.from({ length: n }, () => Math.fround(2 * next() - 1));

function anyFrame(): { frame: MockFrame; layout: Layout } {
  const bodies = count(9), outputs = count(7), switches = count(70);
  const frame = {
    sequence: count(1e6), time: next(), poses: some(7 * bodies), outputs: some(outputs), arrows: some(8 * count(5)), switches,
    energies: [next(), next(), next(), next()] as [number, number, number, number], stepTime: next(), overruns: count(9),
  };
  return { frame, layout: { bodies, outputs, switches } };
}

test("a frame of any size is read as it was written", () => {
  for (let i = 0; i < 200; i++) {
    const { frame, layout } = anyFrame();
    const f = decodeFrame(encodeFrame(frame), 0, layout);
    assert.equal(f.sequence, frame.sequence);
    assert.equal(f.time, frame.time);
    assert.deepEqual([...f.poses], frame.poses);
    assert.deepEqual([...f.outputs], frame.outputs);
    assert.deepEqual([...f.arrows], frame.arrows);
    assert.deepEqual([f.kinetic, f.potential, f.work, f.unexplained], frame.energies);
    assert.equal(f.overruns, frame.overruns);
    if (layout.switches > 0) assert.equal(isOn(f, layout.switches - 1), true);
  }
});

test("frames one behind the other, and a last one that was cut off", () => {
  const { frame, layout } = anyFrame();
  const file = concat([0, 1, 2].map((k) => encodeFrame({ ...frame, time: k })));
  assert.deepEqual(decodeFrames(file.buffer as ArrayBuffer, layout).map((f) => f.time), [0, 1, 2]);
  const cut = file.slice(0, file.length - 8);
  assert.deepEqual(decodeFrames(cut.buffer as ArrayBuffer, layout).map((f) => f.time), [0, 1]);
});

test("hostile bytes are refused by a FrameError, never read beyond their end", () => {
  for (let i = 0; i < 3000; i++) {
    const { frame, layout } = anyFrame();
    let bytes = new Uint8Array(encodeFrame(frame));
    const kind = count(3);
    if (kind === 0) bytes = bytes.slice(0, count(bytes.length));
    else if (kind === 1) for (let k = 0; k <= count(4); k++) bytes[count(Math.min(127, bytes.length - 1))] = count(255);
    else if (kind === 2) new DataView(bytes.buffer).setUint32(36 + 4 * count(4), 0xffffffff - count(1e6), true);
    else bytes = Uint8Array.from({ length: count(400) }, () => count(255));
    try {
      const f = decodeFrame(bytes.buffer as ArrayBuffer, 0, layout);
      assert.equal(f.poses.length, 7 * layout.bodies);
      assert.ok(Number.isFinite(f.time));
    } catch (error) {
      assert.ok(error instanceof FrameError, String(error));
    }
  }
});

test("frames of another scene are refused with both numbers", () => {
  const { frame, layout } = anyFrame();
  assert.throws(() => decodeFrame(encodeFrame(frame), 0, { ...layout, bodies: layout.bodies + 1 }), /bodies, the scene has/);
});
