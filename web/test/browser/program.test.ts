// The page with the program itself: the windmill start of a tiltrotor is operated by hand. Needs a
// built program: SARRUS names it, or it is ../build/sarrus.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { findChromium, launch, open } from "./browser";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = process.env["SARRUS"] ?? join(root, "build/sarrus");
const skip = !findChromium() ? "no Chromium is installed (set CHROMIUM to one)"
  : existsSync(program) ? false : `no program at ${program} (set SARRUS to it)`;

function view(...args: string[]): { child: ChildProcess; address: Promise<string> } {
  const child = spawn(program, ["view", ...args, "--no-open", "--page", join(root, "web/dist/index.html")], { cwd: root });
  const address = new Promise<string>((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += String(data);
      const line = /http:\S+/.exec(text);
      if (line) found(line[0]);
    });
    child.on("exit", () => failed(new Error(`the program ended: ${text}`)));
  });
  return { child, address };
}

const time = (page: Page): Promise<number> => page.evaluate(() => window.sarrusTest?.frame()?.time ?? -1);
const output = (page: Page, index: number): Promise<number> => page.evaluate((i) => window.sarrusTest?.outputs()[i] ?? NaN, index);

async function until(what: string, ask: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await ask()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited in vain for ${what}`);
}

async function set(page: Page, name: string, value: string): Promise<void> {
  const field = page.locator(`.knob[data-name="${name}"] .number`);
  await field.fill(value);
  await field.press("Enter");
  await field.blur();
}

async function outputIndex(page: Page, name: string): Promise<number> {
  const scene = await page.evaluate(async () => {
    const answer = await fetch(`/scene.json${location.search}`);
    return (await answer.json()) as { outputs: { name: string }[] };
  });
  return scene.outputs.findIndex((o) => o.name === name);
}

test("windmill start of a tiltrotor: wind, gain, pause, step, pull, looking back", { skip, timeout: 240000 }, async () => {
  const { child, address } = view("examples/tiltrotor.yaml", "--set", "gust=1", "--end", "1000");
  const browser = await launch();
  try {
    const { page, trouble } = await open(browser, await address, { width: 900, height: 640 });
    const wind = await outputIndex(page, "wind"), rotor = await outputIndex(page, "shaft.wz");
    await until("the rotor turns", async () => (await output(page, rotor)) > 60 && (await time(page)) > 0.2);
    // less wind: the rotor slows down before the governor follows
    await set(page, "speed", "40");
    await until("the wind is another", async () => Math.abs((await output(page, wind)) - 40) < 10.1);
    assert.match((await page.locator(".log").textContent()) ?? "", /speed = 40/);
    await set(page, "Omega", "65");
    await until("the rotor follows the governor", async () => (await output(page, rotor)) < 71);
    await page.locator("canvas.view").focus();
    await page.keyboard.press("Space");
    await until("a pause", async () => (await page.evaluate(() => window.sarrusTest?.frame()?.running)) === false);
    await page.waitForTimeout(800);
    const paused = await time(page);
    await page.keyboard.press(".");
    await until("one step of 1 ms", async () => Math.abs((await time(page)) - paused - 1e-3) < 1e-6);
    // a pull with the tool is in the log
    await page.keyboard.press("p");
    const hub = await page.evaluate(() => window.sarrusTest?.project(window.sarrusTest.bodyIndex("pylon")));
    const box = await page.locator("canvas.view").boundingBox();
    assert.ok(hub && box);
    const [x, y] = [box.x + hub.x, box.y + hub.y];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 20, { steps: 4 });
    await until("the pull in the log", async () => /pull/.test((await page.locator(".log").textContent()) ?? ""));
    await page.mouse.up();
    // looking back: the line of time goes to what was
    await page.keyboard.press("Home");
    await until("the past", async () => (await time(page)) < paused);
    assert.equal(await page.locator(".status").textContent(), "looking back");
    if (process.env["PICTURES"]) await page.screenshot({ path: join(process.env["PICTURES"], "tiltrotor.png") });
    assert.deepEqual(trouble, []);
  } finally {
    await browser.close();
    child.kill("SIGINT");
  }
});
