// Mechanisms of every kind in the window: they move, the page shows the engine's poses, and the
// pixels are where these are. A tiltrotor's windmill start is operated as a person would. What else
// is measured is printed and not judged: browsers without a graphics processor draw slowly.
//   node tests/program/window_models.mjs BUILD [FOLDER [WHAT...]]     pictures go to FOLDER; WHAT:
//                                                                     windmill, coupled, heap,
//                                                                     iltis, loop, beam, first, rate,
//                                                                     more thoroughly; all but rate
//                                                                     where none is named
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt, count, expect, expectSamePoses, open, picture, pixelOf, press, sceneOf, serve, setField, shown, until, Viewer }
  from "./window_lib.mjs";
import { expectPlaces } from "./window_pixels.mjs";

const wanted = process.argv.slice(4);
const BODIES = wanted.length > 0 ? 4 : 2; // of a model, whose pixels are looked at

// The model in a page of its own, and another viewer of it.
async function inWindow(browser, args, work, hash) {
  const { child, url } = await serve(...args);
  try {
    const { page, trouble, cpu } = await open(browser, url, hash);
    const atFirst = await cpu();
    const viewer = new Viewer(url);
    await viewer.open;
    await work({ page, viewer, cpu, atFirst, scene: await sceneOf(url) });
    expect(trouble.length === 0, `${args[0]}: ${trouble.join("; ")}`);
    viewer.socket.close();
    await page.close();
  } finally {
    child.kill("SIGINT");
  }
}

async function pauseAndCompare(page, viewer, scene, name) {
  await press(page, " ", viewer, "pause");
  await expectSamePoses(page, viewer);
  await picture(page, name);
  const { worst, seen } = await expectPlaces(page, scene, viewer, BODIES);
  console.log(`${name}: ${seen} bodies within ${worst.toFixed(1)} pixels of where the engine says`);
}

const watch = (browser, model, name) => inWindow(browser, [`examples/${model}.yaml`, "--end", "1000"], async ({ page, viewer, scene }) => {
  const from = await shown(page);
  await until(`${name} moves`, () => viewer.time() > from.time + 0.3);
  await until(`${name} moves on the page`, async () => (await shown(page)).time > from.time + 0.3);
  await pauseAndCompare(page, viewer, scene, name);
}, "#full");

// Wind on, the rotor begins to turn and settles; another wanted speed, pause, step, pull, looking
// back.
const windmill = (browser) => inWindow(browser, ["examples/tiltrotor.yaml", "--set", "gust=1", "--end", "1000"], async ({ page, viewer, scene }) => {
  const from = await shown(page);
  const rotor = scene.outputs.findIndex((o) => o.name === "shaft.wz"), wind = scene.outputs.findIndex((o) => o.name === "wind");
  await until("the rotor turns", () => viewer.output(rotor) > 60);
  await picture(page, "windmill-start");
  await setField(page, "speed", "40");
  await until("there is less wind", () => viewer.log().includes("parameter speed = 40") && viewer.output(wind) < 50);
  // the page goes on with its curves, and with what is typed, when a parameter has changed
  await setField(page, "Omega", "65");
  await until("another speed is wanted", () => viewer.log().includes("parameter Omega = 65"));
  await until("the rotor follows the governor", () => viewer.output(rotor) < 71);
  const before = viewer.output(rotor);
  await until("it settles", () => Math.abs(viewer.output(rotor) - 65) < Math.max(3, 0.5 * Math.abs(before - 65)), 300);
  await picture(page, "windmill-settled");
  // a page that was slow to open has seen little of a quick machine's run
  await until("there is something to look back at", async () => (await shown(page)).time > from.time + 0.3);
  await page.locator("canvas.view").focus();
  await press(page, " ", viewer, "pause");
  await expectSamePoses(page, viewer);
  await page.keyboard.press(".");
  // frames that were on their way when it was paused are a sixtieth of a second apart
  await until("one step of 1 ms", () => Math.abs(viewer.moved - 1e-3) < 1e-6);
  const paused = viewer.time();
  await page.keyboard.press("p");
  const at = await pixelOf(page, scene.bodies.findIndex((b) => b.name === "pylon"));
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y - 20, { steps: 4 });
  await until("a pull", () => viewer.log().some((t) => t.startsWith("pull at")));
  await picture(page, "windmill-pull");
  await page.mouse.up();
  await until("the release", () => viewer.log().includes("release"));
  await page.keyboard.press("p");
  await page.keyboard.press("Home");
  await until("what was is replayed", async () => (await shown(page)).time < paused - 0.1);
  await picture(page, "windmill-replay");
  await page.keyboard.press("End");
  await expectSamePoses(page, viewer);
  const { worst, seen } = await expectPlaces(page, scene, viewer, BODIES);
  console.log(`windmill: ${seen} bodies within ${worst.toFixed(1)} pixels of where the engine says`);
}, "#full");

// Simulators side by side: one scene with the tree by simulator; pause, an exchange alone, reset.
const coupled = (browser) => inWindow(browser, ["examples/coupled/helicopter.yaml", "--end", "1000"], async ({ page, viewer, scene }) => {
  const bodies = scene.parts.map((part) => part.scene.bodies.length);
  await until("the coupled simulators move", () => viewer.time() > 0.3);
  expect(viewer.bodies() === bodies.reduce((a, b) => a + b), "a frame of each simulator");
  const headings = await page.locator(".heading.part").allTextContents();
  expect(headings.join(" ") === scene.parts.map((part) => part.name).join(" "), `the tree has ${headings}`);
  expect((await page.locator(".row .mark.body").count()) === viewer.bodies(), "the tree has all bodies");
  const controls = await page.locator(".knob:visible").evaluateAll((rows) => rows.map((row) => row.dataset.name));
  expect(controls.includes("airframe.forward") && !controls.some((name) => name.startsWith("tail.m_")), `controls: ${controls}`);
  await press(page, " ", viewer, "pause");
  // what was late is made up for
  await until("it stands still", async () => {
    const before = viewer.time();
    await new Promise((done) => setTimeout(done, 500));
    return viewer.time() === before;
  });
  await expectSamePoses(page, viewer);
  const paused = viewer.time();
  await page.keyboard.press(".");
  await until("one exchange of 2 ms", () => Math.abs(viewer.time() - paused - 2e-3) < 1e-6);
  await expectSamePoses(page, viewer);
  await picture(page, "coupled");
  viewer.send({ type: "reset" });
  await until("it is reset", () => viewer.time() < 0.1);
});

// From the request of the page to the first picture, and what drawing costs the page's own code.
const firstFrame = (browser) => inWindow(browser, ["examples/iltis.yaml", "--end", "1000"], async ({ page, atFirst }) => {
  const { first } = await page.evaluate(() => window.sarrusTest.stats());
  console.log(`iltis: first picture ${first.toFixed(0)} ms after the page was asked for; CPU time of the page's thread until then ` +
    `${atFirst.tasks.toFixed(0)} ms, of which scripts ${atFirst.scripts.toFixed(0)} ms`);
});

function manyBodies(n) {
  const lines = ["sarrus: 1", "name: many", "bodies:"];
  for (let i = 0; i < n; i++) lines.push(`  b${i}: {box: [0.1, 0.1, 0.1], mass: 1, at: [${(i % 25) * 0.2}, ${Math.floor(i / 25) * 0.2}, 1]}`);
  lines.push("joints:");
  for (let i = 0; i < n; i++) lines.push(`  j${i}: {free: [ground, b${i}], at: [${(i % 25) * 0.2}, ${Math.floor(i / 25) * 0.2}, 1]}`);
  lines.push("gravity: [0, 0, -0.05]", "outputs: [energy]");
  return lines.join("\n") + "\n";
}

async function frameRate(browser, scratch) {
  const file = join(scratch, "many.yaml");
  writeFileSync(file, manyBodies(500));
  await inWindow(browser, [file, "--end", "1000"], async ({ page, scene, cpu }) => {
    const before = await cpu();
    const { drawn, least, seconds } = await page.evaluate(async () => {
      let n = 0;
      const begin = performance.now();
      while (performance.now() < begin + 5000) await new Promise((done) => requestAnimationFrame(() => done(n++)));
      return { drawn: n, seconds: (performance.now() - begin) / 1000, least: Math.min(...window.sarrusTest.stats().cpu) };
    });
    const after = await cpu();
    expect(drawn > 0 && Number.isFinite(least), "nothing was drawn");
    const share = (what) => ((0.1 * (after[what] - before[what])) / seconds).toFixed(1);
    console.log(`${scene.bodies.length} bodies: ${(drawn / seconds).toFixed(1)} frames a second drawn here; the page's own ` +
      `code takes ${least.toFixed(2)} ms to draw one at least (60 a second leave 16.7); its thread ${share("tasks")} % of a core, ` +
      `scripts ${share("scripts")} %`);
    await picture(page, "many");
  });
}

const LONG = ["rate"]; // when it is named
const scratch = mkdtempSync(join(tmpdir(), "sarrus-window-"));
const parts = {
  windmill,
  coupled,
  heap: (browser) => watch(browser, "pyramid", "heap"),
  iltis: (browser) => watch(browser, "iltis", "iltis"),
  loop: (browser) => watch(browser, "peaucellier", "loop"),
  beam: (browser) => watch(browser, "flexible_arm", "beam"),
  first: firstFrame,
  rate: (browser) => frameRate(browser, scratch),
};
try {
  for (const [name, part] of Object.entries(parts))
    if (wanted.length === 0 ? !LONG.includes(name) : wanted.includes(name)) await attempt(name, part);
  console.log(`${count.checks} checks`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
