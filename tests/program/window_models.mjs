// Mechanisms of every kind in the window: they move, the page shows the engine's poses, and the pixels are where these are. A
// tiltrotor's windmill start is operated as a person would. What else is measured is printed and not judged: browsers without a
// graphics processor draw slowly.
//   node tests/program/window_models.mjs BUILD [FOLDER [WHAT...]]     pictures go to FOLDER; WHAT: windmill, heap, iltis, loop, beam,
//                                                                     first, rate, more thoroughly; all but windmill and rate where none is named
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, expect, expectSamePoses, launch, open, picture, pixelOf, press, sceneOf, serve, setField, shown, until, Viewer }
  from "./window_lib.mjs";
import { expectPlaces } from "./window_pixels.mjs";

const wanted = process.argv.slice(4);
const BODIES = wanted.length > 0 ? 4 : 2; // of a model, whose pixels are looked at

// The model in a page of its own, and another viewer of it.
async function inWindow(browser, args, work) {
  const { child, url } = await serve(...args);
  try {
    const { page, trouble, cpu } = await open(browser, url);
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
});

// Wind on, the rotor begins to turn and settles; another wanted speed, pause, step, pull, looking back.
const windmill = (browser) => inWindow(browser, ["examples/tiltrotor.yaml", "--set", "gust=1", "--end", "1000"], async ({ page, viewer, scene }) => {
  const rotor = scene.outputs.findIndex((o) => o.name === "shaft.wz"), wind = scene.outputs.findIndex((o) => o.name === "wind");
  await until("the rotor turns", () => viewer.output(rotor) > 60);
  await picture(page, "windmill-start");
  await setField(page, "speed", "40");
  await until("there is less wind", () => Math.abs(viewer.output(wind) - 40) < 10.1);
  await setField(page, "Omega", "65");
  await until("the rotor follows the governor", () => viewer.output(rotor) < 71);
  const before = viewer.output(rotor);
  await until("it settles", () => Math.abs(viewer.output(rotor) - 65) < Math.max(3, 0.5 * Math.abs(before - 65)), 120);
  await picture(page, "windmill-settled");
  await page.locator("canvas.view").focus();
  await press(page, " ", viewer, "pause");
  await expectSamePoses(page, viewer);
  let paused = -1;  // frames that were on their way come after the word of the pause
  await until("it stands", async () => {
    paused = viewer.time();
    await new Promise((done) => setTimeout(done, 300));
    return viewer.time() === paused;
  });
  await page.keyboard.press(".");
  await until("one step of 1 ms", () => Math.abs(viewer.time() - paused - 1e-3) < 1e-6);
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

const LONG = ["rate", "windmill"]; // minutes on a busy machine: when they are named
const scratch = mkdtempSync(join(tmpdir(), "sarrus-window-"));
const browser = await launch();
try {
  const parts = {
    windmill: () => windmill(browser),
    heap: () => watch(browser, "pyramid", "heap"),
    iltis: () => watch(browser, "iltis", "iltis"),
    loop: () => watch(browser, "peaucellier", "loop"),
    beam: () => watch(browser, "flexible_arm", "beam"),
    first: () => firstFrame(browser),
    rate: () => frameRate(browser, scratch),
  };
  for (const [name, part] of Object.entries(parts))
    if (wanted.length === 0 ? !LONG.includes(name) : wanted.includes(name)) await part();
  console.log(`${count.checks} checks in ${await browser.version()}`);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
