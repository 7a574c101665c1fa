// Scenes and messages: read when right, refused with a reason when wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AutoViewer } from "../../src/autoview";
import { SceneError } from "../../src/json";
import { readMessage } from "../../src/messages";
import { firstPlots } from "../../src/plotdata";
import { Player } from "../../src/player";
import { decodeFrame } from "../../src/frame";
import { drawnAlike, readScene, upOf } from "../../src/scene";
import { layoutOf } from "../../src/source";
import { encodeFrame } from "../mock/encode";
import { heap, zoo } from "../mock/models";

const copy = (): Record<string, unknown> => JSON.parse(JSON.stringify(zoo().scene)) as Record<string, unknown>;

test("a scene with everything in it is read", () => {
  const scene = readScene(copy());
  assert.equal(scene.bodies.length, 13);
  assert.equal(scene.links.length, 5);
  assert.equal(scene.end, undefined);
  assert.deepEqual(upOf(scene), [-0, -0, 1]);
  assert.deepEqual(firstPlots(scene, 2).map((p) => p.ys), [[0, 1], [2, 3]]);
});

test("what messages tell makes no other scene, all else does", () => {
  const scene = readScene(copy());
  const told = (s: Record<string, unknown>): void => {
    for (const list of ["inputs", "parameters"]) for (const k of s[list] as { value: number }[]) k.value += 1;
    for (const body of s["bodies"] as { pose: number[] }[]) body.pose = [1, 2, 3, 0, 1, 0, 0];
    s["start"] = 7, s["speed"] = 2, s["events"] = [];
  };
  const other: ((s: Record<string, unknown>) => void)[] = [
    (s) => ((s["bodies"] as { mass: number }[])[2].mass = 77),
    (s) => ((s["outputs"] as { name: string }[])[0].name = "another"),
    (s) => (s["parameters"] as unknown[]).push({ name: "more", value: 1, unit: "" }),
    (s) => (s["reach"] = 1234),
    (s) => (s["ground"] = []),
  ];
  const changed = (change: (s: Record<string, unknown>) => void): boolean => {
    const s = copy();
    change(s);
    return !drawnAlike(scene, readScene(s));
  };
  assert.equal(changed(told), false);
  for (const change of other) assert.equal(changed(change), true, change.toString());
});

const wrong: [string, (s: Record<string, unknown>) => void][] = [
  ["version", (s) => (s["sarrus"] = 2)],
  ["bodies", (s) => (s["bodies"] = 3)],
  ["a parent that is not there", (s) => ((s["bodies"] as { parent: number }[])[0].parent = 99)],
  ["an unknown shape", (s) => (s["ground"] = [{ kind: "torus", role: "ground" }])],
  ["a mesh that names a vertex too many", (s) => (s["ground"] = [{ kind: "mesh", role: "body", vertices: [0, 0, 0], triangles: [0, 0, 1] }])],
  ["a grid with too few heights", (s) => (s["ground"] = [{ kind: "grid", role: "ground", x: [0, 1], y: [0, 1], z: [0] }])],
  ["a pose of six numbers", (s) => ((s["bodies"] as { pose: number[] }[])[0].pose = [0, 0, 0, 1, 0, 0])],
  ["a quaternion of zero", (s) => ((s["bodies"] as { pose: number[] }[])[0].pose = [0, 0, 0, 0, 0, 0, 0])],
  ["a link to nowhere", (s) => (s["links"] = [{ kind: "rod", role: "link", a: [50, 0, 0, 0], b: [-1, 0, 0, 0] }])],
];
for (const [name, spoil] of wrong) {
  test(`a scene is refused: ${name}`, () => {
    const s = copy();
    spoil(s);
    assert.throws(() => readScene(s), SceneError);
  });
}

test("messages of the server", () => {
  assert.deepEqual(readMessage('{"type":"done","id":7}'), { type: "done", id: 7 });
  assert.deepEqual(readMessage('{"type":"log","time":1,"text":"x"}'), { type: "log", entry: { time: 1, text: "x" } });
  assert.deepEqual(readMessage('{"type":"later"}'), { type: "unknown" });
  const state = readMessage('{"type":"state","running":true,"speed":2,"inputs":[1,null],"parameters":[]}');
  assert.ok(state.type === "state" && state.running && Number.isNaN(state.inputs[1]));
  assert.throws(() => readMessage("[1]"), SceneError);
});

test("a player keeps, looks back, and begins anew at a reset", () => {
  const model = zoo();
  const scene = readScene(model.scene), layout = layoutOf(scene);
  const frame = (t: number, sequence: number): ReturnType<typeof decodeFrame> =>
    decodeFrame(encodeFrame({ ...model.frame(t, {}), sequence }), 0, layout);
  const player = new Player(scene);
  for (let i = 0; i < 10; i++) player.receive(frame(i / 10, i));
  assert.equal(player.shown()?.time, 0.9);
  player.receive(frame(0.9, 10));
  assert.equal(player.series.length, 10);
  player.seek(0.25);
  const shown = player.shown();
  assert.equal(shown?.frame.time, 0.2);
  const expected = (frame(0.2, 0).poses[9] + frame(0.3, 0).poses[9]) / 2;
  assert.ok(Math.abs((shown?.poses[9] ?? NaN) - expected) < 1e-6);
  player.nudge(1);
  assert.equal(player.shown()?.time, 0.3);
  player.receive(frame(0, 11));
  assert.equal(player.history.length, 1);
  assert.equal(player.following, true);
});

test("a view that nobody touched widens, and goes with what leaves", () => {
  const scene = readScene(heap(8).scene);
  const poses = scene.bodies.flatMap((b) => b.pose);
  const viewer = new AutoViewer(scene);
  assert.equal(viewer.look(poses, () => []).kind, "keep");
  assert.equal(viewer.look(poses.map((v, i) => (i % 7 === 0 ? v + 10 * scene.reach : v)), () => []).kind, "follow");
});
