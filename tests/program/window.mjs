// The window as people use it: the program, its page and a real browser, operated by a script.
//   node tests/program/window.mjs BUILD [FOLDER]      pictures of what was seen go to FOLDER
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt, build, count, expect, expectSamePoses, open, picture, pixelOf, poseOf, press, sceneOf, serve, setField, shown, top, until, Viewer }
  from "./window_lib.mjs";

// Pause, step, input, parameter, pull, reset, as a person would.
async function operate(browser) {
  const { child, url } = await serve("examples/pd_arm.yaml", "--end", "1000");
  try {
    const { page, trouble } = await open(browser, url);
    const viewer = new Viewer(url);
    await viewer.open;
    await until("it moves", () => viewer.time() > 0.2);
    await press(page, " ", viewer, "pause");
    await expectSamePoses(page, viewer);
    await setField(page, "reach", "0.5");
    await until("the input is set", () => viewer.log().includes("input reach = 0.5"));
    // with the mouse, at the mass centre of the last body; it is taken hold of at rest, where it
    // does not run away
    const scene = await sceneOf(url);
    const body = scene.bodies.length - 1;
    const at = await pixelOf(page, body, scene.bodies[body].com);
    await page.keyboard.down("Control");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 40, at.y - 30, { steps: 4 });
    await until("somebody pulls", () => viewer.log().some((t) => t.startsWith("pull at")));
    const before = viewer.time();
    await page.evaluate(() => document.activeElement?.blur());
    viewer.send({ type: "run" });
    await until("it goes on", () => viewer.time() > before + 0.2);
    await picture(page, "pull");
    await page.mouse.up();
    await page.keyboard.up("Control");
    await until("it is released", () => viewer.log().includes("release"));
    viewer.send({ type: "reset", id: 1 });
    await until("it is reset", () => viewer.log().includes("reset"));
    expect(trouble.length === 0, trouble.join("; "));
    viewer.socket.close();
    await page.close();
  } finally {
    child.kill("SIGINT");
  }
}

// One file, from disk, without a network.
async function offline(browser, scratch) {
  const file = join(scratch, "iltis.html");
  const made = spawnSync(join(build, "sarrus"), ["view", "examples/iltis.yaml", "--html", file, "--end", "1.5", "--page",
    join(top, "web/dist/index.html")], { cwd: top, encoding: "utf8" });
  expect(made.status === 0, made.stderr);
  const context = await browser.newContext({ offline: true });
  const asked = [];
  const page = await context.newPage();
  page.on("request", (r) => !/^(file|data|blob):/.test(r.url()) && asked.push(r.url()));
  const trouble = [];
  page.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
  page.on("pageerror", (e) => trouble.push(String(e)));
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => window.sarrusTest?.frame() !== undefined, undefined, { timeout: 180000 });
  const from = await poseOf(page, 0);
  if (!(await shown(page)).running) await page.keyboard.press(" ");
  await until("the file plays", async () => (await shown(page)).time > 0.5);
  const to = await poseOf(page, 0);
  expect(Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) > 0.1, "the car stands still");
  expect(asked.length === 0, `asked for ${asked.join(" ")}`);
  expect(trouble.length === 0, trouble.join("; "));
  await picture(page, "offline");
  await context.close();
}

const scratch = mkdtempSync(join(tmpdir(), "sarrus-window-"));
try {
  await attempt("operate", operate);
  await attempt("offline", (browser) => offline(browser, scratch));
  console.log(`${count.checks} checks`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
