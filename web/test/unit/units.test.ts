import assert from "node:assert/strict";
import { test } from "node:test";
import { EnergyScale } from "../../src/energy";
import { nextSpeed, SPEEDS } from "../../src/operator";
import { finitePairs, range, resample } from "../../src/resample";
import { clock, figure, niceCeil, parseNumber, shown, sliderRange, withUnit } from "../../src/units";
import { random } from "./random";

test("figures are short and lose nothing that matters", () => {
  assert.equal(figure(0), "0");
  assert.equal(figure(-0.012345), "\u22120.01235");
  assert.equal(figure(123456), "123456");
  assert.equal(figure(1.5e9), "1.5e9");
  assert.equal(figure(2e-7), "2e-7");
  assert.equal(figure(NaN), "\u2013");
  const next = random(5);
  for (let i = 0; i < 500; i++) {
    const value = (next() - 0.5) * 10 ** Math.floor(24 * next() - 12);
    const back = Number(figure(value).replace("\u2212", "-"));
    assert.ok(Math.abs(back - value) <= 6e-4 * Math.abs(value), `${value} became ${figure(value)}`);
  }
});

test("units get the prefix that leaves 1 to 1000", () => {
  assert.equal(withUnit(0.00123, "s"), "1.23\u202fms");
  assert.equal(withUnit(25e-6, "s"), "25\u202f\u00b5s");
  assert.equal(withUnit(12345, "N"), "12.3\u202fkN");
  assert.equal(withUnit(0, "J"), "0\u202fJ");
  assert.equal(withUnit(1.7e-14, "J"), "1.7e-14\u202fJ");
  assert.equal(withUnit(999.9, "N", 4), "999.9\u202fN");
});

test("angles in degrees, other units as they are", () => {
  assert.deepEqual(shown("rad/s", true), { factor: 180 / Math.PI, unit: "\u00b0/s" });
  assert.deepEqual(shown("radish", true), { factor: 1, unit: "radish" });
  assert.deepEqual(shown("rad", false), { factor: 1, unit: "rad" });
});

test("what people type", () => {
  for (const [text, value] of [["1,5", 1.5], [" 2e3 ", 2000], ["\u22124", -4], [".5", 0.5]] as const) assert.equal(parseNumber(text), value);
  for (const text of ["", "abc", "1.2.3", "0x10", "Infinity", "1e999"]) assert.equal(parseNumber(text), undefined);
});

test("nice numbers are 1, 2 or 5, and not below", () => {
  const next = random(9);
  for (let i = 0; i < 300; i++) {
    const value = next() * 10 ** Math.floor(20 * next() - 10);
    const nice = niceCeil(value);
    assert.ok(nice >= value * (1 - 1e-9) && nice <= 2.51 * value);
  }
  assert.equal(niceCeil(0), 1);
  assert.equal(niceCeil(NaN), 1);
});

test("sliders have their value within their ends", () => {
  for (const value of [0, 3, -3, 1e-9, 1e12]) {
    const [low, high] = sliderRange(value);
    assert.ok(low <= value && value <= high && low < high);
  }
  assert.deepEqual(sliderRange(3, 0, 10), [0, 10]);
  assert.deepEqual(sliderRange(12, 0, 10), [0, 12]);
});

test("the clock", () => {
  assert.equal(clock(1.25), "1.250");
  assert.equal(clock(62.5), "1:02.500");
  assert.equal(clock(59.9996), "1:00.000");
  assert.equal(clock(-0.5), "\u22120.500");
});

test("speeds go up and down a ladder that ends", () => {
  let speed = SPEEDS[0];
  for (let i = 0; i < SPEEDS.length + 3; i++) speed = nextSpeed(speed, true);
  assert.equal(speed, 0);
  for (let i = 0; i < SPEEDS.length + 3; i++) speed = nextSpeed(speed, false);
  assert.equal(speed, SPEEDS[0]);
  assert.equal(nextSpeed(0.3, true), 0.5);
});

test("a run at the times of another", () => {
  assert.deepEqual([...resample([0, 1, 2], [0, 10, 30], [-1, 0, 0.5, 1.5, 2, 3])], [NaN, 0, 5, 20, 30, NaN]);
  assert.deepEqual([...resample([], [], [1])], [NaN]);
  assert.deepEqual(finitePairs([1, NaN, 3], [4, 5, NaN]), [[1], [4]]);
  const [low, high] = range([[1, NaN, 3]]);
  assert.ok(low < 1 && high > 3);
  assert.deepEqual(range([[NaN]]), [0, 1]);
});

test("what is not known is not called explained", () => {
  const scale = new EnergyScale();
  assert.ok(Number.isNaN(scale.ratio({ kinetic: 5, potential: 1, work: NaN, unexplained: NaN, steps: 0 })));
  assert.equal(scale.ratio({ kinetic: 5, potential: 1, work: 0, unexplained: 0, steps: 0 }), 0);
});

test("unexplained energy is told of the largest that moved", () => {
  const scale = new EnergyScale();
  const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-12, `${a}, not ${b}`);
  near(scale.ratio({ kinetic: 0, potential: -5, work: 0, unexplained: 0, steps: 0 }), 0);
  near(scale.ratio({ kinetic: 10, potential: -15, work: 0, unexplained: 1e-3, steps: 10 }), 1e-4);
  near(scale.ratio({ kinetic: 0, potential: -5, work: 0, unexplained: -1e-3, steps: 20 }), 1e-4);
});

test("rounding of a heap at rest is not unexplained energy", () => {
  const scale = new EnergyScale();
  assert.equal(scale.ratio({ kinetic: 1e-29, potential: 44.64, work: -2e-7, unexplained: -4e-11, steps: 6210 }), 0);
  assert.ok(scale.ratio({ kinetic: 1e-29, potential: 44.64, work: -2e-7, unexplained: -4e-11, steps: 62 }) > 1e-4);
});
