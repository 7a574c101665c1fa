// Mechanisms of every kind in the window: they move, the page shows the engine's poses, and the pixels are where these are. A
// tiltrotor's windmill start is operated as a person would. What else is measured is printed and not judged: browsers without a
// graphics processor draw slowly.
//   node tests/program/window_models.mjs BUILD [FOLDER]      pictures of what was seen go to FOLDER
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, expect, expectSamePoses, launch, open, picture, pixelOf, press, sceneOf, serve, setField, shown, until, Viewer }
  from "./window_lib.mjs";
import { expectPlaces } from "./window_pixels.mjs";

// The model in a page of its own, and another viewer of it.
async function inWindow(browser, args, work) {
  const { child, url } = await serve(...args);
  try {
    const { page, trouble } = await open(browser, url);
    const viewer = new Viewer(url);
    await viewer.open;
    await work({ page, viewer, scene: await sceneOf(url) });
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
  const { worst, seen } = await expectPlaces(page, scene, viewer);
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
  const paused = viewer.time();
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
  const { worst, seen } = await expectPlaces(page, scene, viewer);
  console.log(`windmill: ${seen} bodies within ${worst.toFixed(1)} pixels of where the engine says`);
});

// From the request of the page to the first picture, and what drawing costs the page's own code.
const firstFrame = (browser) => inWindow(browser, ["examples/iltis.yaml", "--end", "1000"], async ({ page }) => {
  const { first } = await page.evaluate(() => window.sarrusTest.stats());
  console.log(`iltis: first picture ${first.toFixed(0)} ms after the page was asked for`);
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
  await inWindow(browser, [file, "--end", "1000"], async ({ page, scene }) => {
    const { drawn, cpu } = await page.evaluate(async () => {
      let drawn = 0;
      const end = performance.now() + 3000;
      while (performance.now() < end) await new Promise((done) => requestAnimationFrame(() => done(drawn++)));
      return { drawn, cpu: window.sarrusTest.stats().cpu.sort((a, b) => a - b) };
    });
    expect(cpu.length > 0, "nothing was drawn");
    console.log(`${scene.bodies.length} bodies: ${(drawn / 3).toFixed(1)} frames a second; the page's own code takes ` +
      `${cpu[0].toFixed(2)} ms of a frame at least, ${cpu[cpu.length >> 1].toFixed(2)} ms in the middle (60 frames a second leave 16.7)`);
    await picture(page, "many");
  });
}

const scratch = mkdtempSync(join(tmpdir(), "sarrus-window-"));
const browser = await launch();
try {
  await windmill(browser);
  await watch(browser, "pyramid", "heap");
  await watch(browser, "iltis", "iltis");
  await watch(browser, "peaucellier", "loop");
  await watch(browser, "flexible_arm", "beam");
  await firstFrame(browser);
  await frameRate(browser, scratch);
  console.log(`${count.checks} checks in ${await browser.version()}`);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
