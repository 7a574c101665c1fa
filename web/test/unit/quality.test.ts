// Adaptive quality: down where frames are slow, up again where they are quick, never to and fro.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LADDER, Quality } from "../../src/quality";
import { random } from "./random";

// A machine that takes `cost(level)` ms for a frame; levels that were left, and their times.
function play(quality: Quality, cost: (level: number) => number, seconds: number): number[] {
  const changes: number[] = [];
  for (let t = 0; t < 1000 * seconds; ) {
    const gap = Math.max(1000 / 60, cost(quality.level));
    t += gap;
    if (quality.frame(gap)) changes.push(t);
  }
  return changes;
}

test("slow frames take all away within seconds, quick ones give it back", () => {
  const quality = new Quality();
  play(quality, () => 200, 15);
  assert.equal(quality.level, LADDER.length - 1);
  play(quality, () => 5, 60);
  assert.equal(quality.level, 0);
});

test("frames of 30 a second and pauses change nothing", () => {
  for (const gap of [0, 33]) {
    const quality = new Quality(2);
    for (let i = 0; i < 5000; i++) assert.equal(quality.frame(gap), false);
  }
});

test("a machine for which one level is too much tries it ever more rarely", () => {
  const next = random(3);
  for (let run = 0; run < 20; run++) {
    const limit = 1 + Math.floor(next() * (LADDER.length - 1)); // the first level that is quick
    const quality = new Quality(limit);
    const changes = play(quality, (level) => (level < limit ? 60 + 100 * next() : 10), 3600);
    assert.ok(changes.length < 40, `${changes.length} changes in an hour`);
    assert.ok(quality.level === limit || quality.level === limit - 1);
  }
});
