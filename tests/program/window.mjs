// The window as people use it: the program, its page and a real browser, operated by a script. Exit status 77: something that this
// needs is not there, and the last line says what.
//   node tests/program/window.mjs BUILD [FOLDER]      pictures of what was seen go to FOLDER
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const top = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const build = resolve(process.argv[2] ?? "build");
const folder = process.argv[3];

function skip(what) {
  console.log(`not tested: ${what}`);
  process.exit(77);
}

const chromiumPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((p) => p && existsSync(p));
if (!chromiumPath) skip("there is no Chromium (Debian: chromium)");
if (!existsSync(join(top, "web/node_modules/playwright-core"))) skip("web/node_modules is not there: run 'npm ci' in web/");
if (!existsSync(join(top, "web/dist/index.html"))) skip("the page is not built: cmake --build build --target web");
const require = createRequire(join(top, "web/package.json"));
const { chromium } = require("playwright-core");
const WebSocket = require("ws");

let checks = 0;
function expect(condition, words) {
  checks++;
  if (!condition) throw new Error(words);
}

// ---- the program ----------------------------------------------------------------------------------------

async function serve(...args) {
  const child = spawn(join(build, "sarrus"), ["view", ...args, "--no-open", "--page", join(top, "web/dist/index.html")],
    { cwd: top, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const url = await new Promise((done, fail) => {
    child.stdout.on("data", (d) => {
      text += d;
      const line = /^http:\S+/m.exec(text);
      if (line) done(line[0]);
    });
    child.on("exit", () => fail(new Error(`sarrus view ${args.join(" ")} ended: ${text}`)));
  });
  return { child, url };
}

// Another viewer, by the protocol alone: the newest frame.
class Viewer {
  constructor(url) {
    const u = new URL(url);
    this.frames = [];
    this.texts = [];
    this.socket = new WebSocket(`ws://${u.host}/live${u.search}`);
    this.socket.binaryType = "nodebuffer";
    this.socket.on("message", (data, binary) => (binary ? (this.last = data) : this.texts.push(JSON.parse(data))));
    this.open = new Promise((done, fail) => this.socket.on("open", done).on("error", fail));
  }
  send(command) {
    this.socket.send(JSON.stringify(command));
  }
  time() {
    return this.last?.readDoubleLE(16);
  }
  sequence() {
    return this.last && Number(this.last.readBigUInt64LE(8));
  }
  pose(body) {
    return Array.from({ length: 7 }, (_, k) => this.last.readFloatLE(128 + 28 * body + 4 * k));
  }
  bodies() {
    return this.last.readUInt32LE(36);
  }
  log() {
    return this.texts.flatMap((t) => (t.type === "log" ? [t.text] : t.type === "hello" ? t.log.map((l) => l.text) : []));
  }
}

async function until(words, condition, seconds = 60) {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    if (await condition()) {
      checks++;
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`waited for ${seconds} s: ${words}`);
}

// ---- the page ---------------------------------------------------------------------------------------------

async function open(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  const trouble = [];
  page.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
  page.on("pageerror", (e) => trouble.push(String(e)));
  await page.goto(url);
  await page.waitForFunction(() => window.sarrusTest?.frame() !== undefined, undefined, { timeout: 60000 });
  return { page, trouble };
}

const shown = (page) => page.evaluate(() => window.sarrusTest.frame());
const poseOf = (page, body) => page.evaluate((b) => window.sarrusTest.pose(b), body);

// On the page; the picture does not fill it.
async function pixelOf(page, body, point) {
  const at = await page.evaluate(([b, p]) => window.sarrusTest.project(b, p), [body, point]);
  const box = await page.locator("canvas.view").boundingBox();
  return at && box && { x: box.x + at.x, y: box.y + at.y };
}

async function picture(page, name) {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

// At rest the page shows what the other viewer was sent.
async function expectSamePoses(page, viewer) {
  await until("the page shows the newest frame", async () => Math.abs((await shown(page)).time - viewer.time()) < 1e-9);
  for (let b = 0; b < viewer.bodies(); b++) {
    const [here, there] = [await poseOf(page, b), viewer.pose(b)];
    for (let k = 0; k < 3; k++)
      expect(Math.abs(here[k] - there[k]) < 1e-5 * (1 + Math.abs(there[k])), `body ${b} is at ${there}, the page has ${here}`);
  }
}

// The pause is waited for at the other viewer.
async function press(page, key, viewer, words) {
  await page.keyboard.press(key);
  await until(`${words} by '${key}'`, () => viewer.log().includes(words));
}

async function watch(browser, model, name) {
  const { child, url } = await serve(model, "--end", "1000");
  try {
    const { page, trouble } = await open(browser, url);
    const viewer = new Viewer(url);
    await viewer.open;
    await until(`${name} moves`, () => viewer.time() > 0.3);
    await until(`${name} moves on the page`, async () => (await shown(page)).time > 0.3);
    await press(page, " ", viewer, "pause");
    await expectSamePoses(page, viewer);
    const pixel = await pixelOf(page, 0);
    expect(pixel === undefined || Number.isFinite(pixel.x + pixel.y), "no place in the picture");
    await picture(page, name);
    expect(trouble.length === 0, `${name}: ${trouble.join("; ")}`);
    viewer.socket.close();
    await page.close();
  } finally {
    child.kill("SIGINT");
  }
}

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
    const field = page.locator('.knob[data-name="reach"] input.number');
    await field.fill("0.5");
    await field.press("Enter");
    await until("the input is set", () => viewer.log().includes("input reach = 0.5"));
    // with the mouse, at the mass centre of the last body; it is taken hold of at rest, where it does not run away
    const scene = await (await fetch(url.replace("/?", "/scene.json?"))).json();
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
  await page.waitForFunction(() => window.sarrusTest?.frame() !== undefined, undefined, { timeout: 60000 });
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
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
try {
  await operate(browser);
  await watch(browser, "examples/tiltrotor.yaml", "rotor");
  await watch(browser, "examples/pyramid.yaml", "heap");
  await watch(browser, "examples/iltis.yaml", "iltis");
  await watch(browser, "examples/peaucellier.yaml", "loop");
  await watch(browser, "examples/flexible_arm.yaml", "beam");
  await offline(browser, scratch);
  console.log(`${checks} checks in ${await browser.version()}`);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
