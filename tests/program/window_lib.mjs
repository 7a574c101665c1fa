// What the scripts that operate the window share: the program, another viewer by the protocol
// alone, the page in a browser. Exit status 77: something that this needs is not there, and the
// last line says what.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

export const top = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
export const build = resolve(process.argv[2] ?? "build");
export const folder = process.argv[3];

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

const launch = () => chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

// Runs a part of a script with a browser of its own. Browsers crash and machines stall: what fails
// is tried again, twice at most, and said. What is wrong in the page or the engine fails again.
export async function attempt(name, part) {
  for (let tries = 1; ; tries++) {
    const browser = await launch();
    try {
      return await part(browser);
    } catch (error) {
      console.log(`${name}: try ${tries} failed: ${error.message}`);
      if (tries === 3) throw error;
    } finally {
      await browser.close().catch(() => {});
    }
  }
}

export const count = { checks: 0 };
export function expect(condition, words) {
  count.checks++;
  if (!condition) throw new Error(words);
}

// ---- the program --------------------------------------------------------------------------------

export async function serve(...args) {
  const child = spawn(join(build, "sarrus"), ["view", ...args, "--no-open", "--page", join(top, "web/dist/index.html")],
    { cwd: top, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const url = await new Promise((done, fail) => {
    child.stdout.on("data", (d) => {
      text += d;
      const line = /^http:\S+/m.exec(text);
      if (line) done(line[0]);
    });
    child.on("exit", (status, signal) => fail(new Error(`sarrus view ${args.join(" ")} ended with ${status ?? signal}: ${text}`)));
  });
  return { child, url };
}

// Another viewer, by the protocol alone: the newest frame.
export class Viewer {
  constructor(url) {
    const u = new URL(url);
    this.texts = [];
    this.socket = new WebSocket(`ws://${u.host}/live${u.search}`);
    this.socket.binaryType = "nodebuffer";
    this.socket.on("message", (data, binary) => (binary ? this.take(data) : this.texts.push(JSON.parse(data))));
    this.open = new Promise((done, fail) => this.socket.on("open", done).on("error", fail));
  }
  send(command) {
    this.socket.send(JSON.stringify(command));
  }
  take(data) {
    const before = this.time();
    this.last = data;
    if (before !== undefined && this.time() !== before) this.moved = this.time() - before;
  }
  time() {
    return this.last?.readDoubleLE(16);
  }
  // Of coupled simulators a message has a frame of each: where they begin.
  frames() {
    const begins = [];
    for (let at = 0; at < this.last.length; at += this.last.readUInt32LE(at + 52)) begins.push(at);
    return begins;
  }
  pose(body) {
    for (const at of this.frames()) {
      const count = this.last.readUInt32LE(at + 36);
      if (body < count) return Array.from({ length: 7 }, (_, k) => this.last.readFloatLE(at + 128 + 28 * body + 4 * k));
      body -= count;
    }
    throw new Error("there is no such body");
  }
  bodies() {
    return this.frames().reduce((n, at) => n + this.last.readUInt32LE(at + 36), 0);
  }
  // Outputs lie behind the poses, which are padded to 8 bytes.
  output(index) {
    return this.last?.readDoubleLE(128 + Math.ceil((28 * this.bodies()) / 8) * 8 + 8 * index);
  }
  log() {
    return this.texts.flatMap((t) => (t.type === "log" ? [t.text] : t.type === "hello" ? t.log.map((l) => l.text) : []));
  }
}

export const sceneOf = async (url) => (await fetch(url.replace("/?", "/scene.json?"))).json();

const PATIENCE = 180; // s; a busy machine is slow, and not wrong

export async function until(words, condition, seconds = PATIENCE) {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    if (await condition()) {
      count.checks++;
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`waited for ${seconds} s: ${words}`);
}

// ---- the page -----------------------------------------------------------------------------------

// CPU time of the page's thread so far, in ms: all tasks, and scripts alone. Other programs do not
// count.
async function meter(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => 1000 * metrics.find((m) => m.name === name).value;
    return { tasks: of("TaskDuration"), scripts: of("ScriptDuration") };
  };
}

// hash: "#full" for pictures whose pixels are compared, which must not change with how quick the
// machine is.
export async function open(browser, url, hash = "") {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  page.setDefaultTimeout(1000 * PATIENCE);
  const cpu = await meter(page);
  const trouble = [];
  page.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
  page.on("pageerror", (e) => trouble.push(String(e)));
  await page.goto(url + hash);
  await page.waitForFunction(() => window.sarrusTest?.frame() !== undefined);
  return { page, trouble, cpu };
}

// For a moment there is none: when a parameter changes, the page fetches the scene again.
export const shown = (page) => page.evaluate(() => window.sarrusTest?.frame() ?? { time: NaN });
export const poseOf = (page, body) => page.evaluate((b) => window.sarrusTest.pose(b), body);

// On the page; the picture does not fill it.
export async function pixelOf(page, body, point) {
  const at = await page.evaluate(([b, p]) => window.sarrusTest.project(b, p), [body, point]);
  const box = await page.locator("canvas.view").boundingBox();
  return at && box && { x: box.x + at.x, y: box.y + at.y };
}

export async function picture(page, name) {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

// At rest the page shows what the other viewer was sent.
export async function expectSamePoses(page, viewer) {
  await until("the page shows the newest frame", async () => Math.abs((await shown(page)).time - viewer.time()) < 1e-9);
  for (let b = 0; b < viewer.bodies(); b++) {
    const [here, there] = [await poseOf(page, b), viewer.pose(b)];
    for (let k = 0; k < 3; k++)
      expect(Math.abs(here[k] - there[k]) < 1e-5 * (1 + Math.abs(there[k])), `body ${b} is at ${there}, the page has ${here}`);
  }
}

// The pause is waited for at the other viewer.
export async function press(page, key, viewer, words) {
  await page.keyboard.press(key);
  await until(`${words} by '${key}'`, () => viewer.log().includes(words));
}

export async function setField(page, name, value) {
  const field = page.locator(`.knob[data-name="${name}"] input.number`);
  await field.fill(value);
  await field.press("Enter");
  await field.blur();
}
