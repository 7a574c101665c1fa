import assert from "node:assert/strict";
import { test } from "node:test";
import { History, SeriesRing } from "../../src/ring";
import { random } from "./random";

test("a ring holds the newest rows in order", () => {
  const next = random(3);
  for (let run = 0; run < 50; run++) {
    const capacity = 1 + Math.floor(40 * next()), rows = Math.floor(120 * next());
    const ring = new SeriesRing(3, capacity);
    for (let i = 0; i < rows; i++) ring.push([i], [i * 2, i * 3]);
    assert.equal(ring.length, Math.min(capacity, rows));
    for (let k = 0; k < ring.length; k++) {
      const i = rows - ring.length + k;
      assert.deepEqual([0, 1, 2].map((c) => ring.at(k, c)), [i, 2 * i, 3 * i]);
    }
    for (const wanted of [-1, rows / 2, rows + 5]) {
      const found = ring.lowerBound(0, wanted);
      assert.ok(found === ring.length || ring.at(found, 0) >= wanted);
      assert.ok(found === 0 || ring.at(found - 1, 0) < wanted);
    }
  }
});

test("a short row is filled with no value, a long one is cut", () => {
  const ring = new SeriesRing(2, 3);
  ring.push([1]);
  ring.push([1, 2, 3]);
  assert.ok(Number.isNaN(ring.at(0, 1)));
  assert.equal(ring.at(1, 1), 2);
});

test("columns are thinned out to what was asked for", () => {
  const ring = new SeriesRing(1, 1000);
  for (let i = 0; i < 1000; i++) ring.push([i]);
  const column = ring.column(0, 0, 1000, 100);
  assert.equal(column.length, 100);
  assert.equal(column[1], 10);
  assert.equal(ring.column(0, 990, 1000, 100).length, 10);
  assert.equal(ring.column(0, 5, 5, 100).length, 0);
});

test("a history stays within its bytes, forgets the oldest, begins anew when time goes back", () => {
  const history = new History<{ time: number; bytes: number }>(1000);
  for (let i = 0; i < 5000; i++) history.push({ time: i, bytes: 10 });
  assert.equal(history.length, 100);
  assert.equal(history.at(0).time, 4900);
  assert.equal(history.indexAt(4950.5), 50);
  assert.equal(history.indexAt(-5), 0);
  assert.equal(history.indexAt(1e9), 99);
  history.replaceLast({ time: 4999, bytes: 20 });
  assert.equal(history.last()?.bytes, 20);
  history.push({ time: 0, bytes: 10 });
  assert.equal(history.length, 1);
});
