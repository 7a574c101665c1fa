// Coupled simulators joined: every index, bit and name is where that of the single scene is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFrame, isOn, type Frame } from "../../src/frame";
import { joinFrames } from "../../src/parts";
import { readScene, type Scene } from "../../src/scene";
import { framesOf, layoutOf, newestOf } from "../../src/source";
import { concat, encodeFrame } from "../mock/encode";
import { heap, zoo, type Model } from "../mock/models";
import { random } from "./random";

const next = random(11);
const models = (): Model[] => Array.from({ length: 1 + Math.floor(3 * next()) }, () => (next() < 0.5 ? zoo() : heap(1 + Math.floor(9 * next()))));

function set(parts: readonly Model[]): { whole: Scene; single: Scene[] } {
  const value = { sarrus: 1, name: "set", mode: "live", parts: parts.map((m, k) => ({ name: `s${k}`, scene: m.scene })) };
  return { whole: readScene(value), single: parts.map((m) => readScene(m.scene)) };
}

test("what is of a body, an output or a switch is of the same one in the joined scene", () => {
  for (let run = 0; run < 40; run++) {
    const parts = models();
    const { whole, single } = set(parts);
    const encoded = parts.map((m, k) => encodeFrame({ ...m.frame(3 * next(), {}), sequence: 5 + k, flags: 1 }));
    const frames = encoded.map((b, k) => decodeFrame(b, 0, layoutOf(single[k])));
    const joined = newestOf(whole, concat(encoded).buffer as ArrayBuffer);
    assert.deepEqual(joined, { ...joinFrames(frames, whole.parts) });
    let body = 0, output = 0, arrow = 0, link = 0;
    single.forEach((scene, k) => {
      const f: Frame = frames[k];
      scene.bodies.forEach((b, i) => {
        const there = whole.bodies[body + i];
        assert.equal(there.name, `s${k}.${b.name}`);
        assert.equal(there.part, k);
        assert.equal(there.parent, b.parent < 0 ? -1 : b.parent + body);
        assert.deepEqual(joined.poses.slice(7 * (body + i), 7 * (body + i) + 7), f.poses.slice(7 * i, 7 * i + 7));
      });
      scene.links.forEach((l, i) => {
        const there = whole.links[link + i];
        assert.equal(there.b.body, l.b.body < 0 ? -1 : l.b.body + body);
        assert.equal(isOn(joined, there.bit), isOn(f, l.bit));
      });
      scene.outputs.forEach((o, i) => {
        assert.equal(whole.outputs[output + i].name, `s${k}.${o.name}`);
        assert.ok(Object.is(joined.outputs[output + i], f.outputs[i]));
      });
      for (let i = 0; i < f.arrows.length; i += 8) {
        assert.equal(joined.arrows[arrow + i + 1], f.arrows[i + 1] < 0 ? -1 : f.arrows[i + 1] + body);
        assert.deepEqual(joined.arrows.slice(arrow + i + 2, arrow + i + 8), f.arrows.slice(i + 2, i + 8));
      }
      body += scene.bodies.length;
      output += scene.outputs.length;
      arrow += f.arrows.length;
      link += scene.links.length;
    });
    assert.equal(whole.bodies.length, body);
    assert.ok(whole.ground.filter((s) => s.kind === "plane").length === 1, "the floor is drawn once");
  }
});

test("a file has the frames of all parts in turns; one that is cut off is left out", () => {
  const parts = [zoo(), heap(3)];
  const { whole } = set(parts);
  const all = concat([0, 1, 2].flatMap((t) => parts.map((m) => encodeFrame({ ...m.frame(t, {}), time: t, sequence: t }))));
  const frames = framesOf(whole, all.slice().buffer as ArrayBuffer);
  assert.deepEqual(frames.map((f) => f.time), [0, 1, 2]);
  assert.equal(framesOf(whole, all.slice(0, all.length - 8).buffer as ArrayBuffer).length, 2);
  assert.throws(() => newestOf(whole, encodeFrame({ ...zoo().frame(0, {}), sequence: 1 })), /each simulator/);
});

for (const [name, parts] of [["none", []], ["parts of parts", [{ name: "a", scene: { sarrus: 1, parts: [] } }]], ["no scene", [{ name: "a" }]]] as const) {
  test(`a set is refused: ${name}`, () => {
    assert.throws(() => readScene({ sarrus: 1, name: "", mode: "live", parts }));
  });
}
