// The page in a browser against the mock server: what is seen, what is sent, what is told.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { heap, zoo } from "../mock/models";
import { MockServer, selfContained, type Received } from "../mock/server";
import { findChromium, launch, open } from "./browser";

const skip = findChromium() ? false : "no Chromium is installed (set CHROMIUM to one)";
const picture = (name: string): string => join(process.env["PICTURES"] ?? mkdtempSync(join(tmpdir(), "window-")), `${name}.png`);
let browser: Browser;

before(async () => {
  if (!skip) browser = await launch();
});
after(async () => {
  if (!skip) await browser.close();
});

async function until<T>(what: string, ask: () => T | Promise<T>, ok: (value: T) => boolean): Promise<T> {
  for (let i = 0; i < 200; i++) {
    const value = await ask();
    if (ok(value)) return value;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited in vain for ${what}`);
}

const sent = (server: MockServer, type: string): Received[] => server.received.filter((m) => m.type === type);

async function withServer(server: MockServer, work: (page: Page, url: string) => Promise<void>, size?: { width: number; height: number }, scheme?: "dark" | "light"): Promise<void> {
  const url = await server.listen();
  try {
    const { page, trouble } = await open(browser, url, size, scheme);
    await work(page, url);
    assert.deepEqual(trouble, [], "the console is free of errors");
    await page.context().close();
  } finally {
    await server.close();
  }
}

// The place in the picture of a body's origin, by the pixels that differ when it is hidden.
async function middleOfChange(page: Page, change: () => Promise<void>): Promise<{ x: number; y: number; count: number }> {
  const shot = async (): Promise<string> => (await page.locator("canvas.view").screenshot()).toString("base64");
  const first = await shot();
  await change();
  await page.waitForTimeout(400);
  const second = await shot();
  return page.evaluate(async ([a, b]) => {
    const pixels = async (source: string): Promise<ImageData> => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const p = await pixels(a), q = await pixels(b);
    let low = [1e9, 1e9], high = [-1, -1], count = 0;
    for (let i = 0; i < p.data.length; i += 4) {
      if (Math.abs(p.data[i] - q.data[i]) + Math.abs(p.data[i + 1] - q.data[i + 1]) + Math.abs(p.data[i + 2] - q.data[i + 2]) < 24) continue;
      const x = (i / 4) % p.width, y = Math.floor(i / 4 / p.width);
      low = [Math.min(low[0], x), Math.min(low[1], y)];
      high = [Math.max(high[0], x), Math.max(high[1], y)];
      count++;
    }
    return { x: (low[0] + high[0] + 1) / 2, y: (low[1] + high[1] + 1) / 2, count };
  }, [first, second]);
}

test("bodies are where the frames say, within 3 pixels of the picture", { skip }, async () => {
  const server = new MockServer(heap(27, 0.7));
  server.running = false;
  server.time = 0.7;
  await withServer(server, async (page) => {
    for (const name of ["Shadows", "Edges", "Forces and moments"]) {
      await page.getByRole("tab", { name: "Display" }).click();
      await page.getByLabel(name, { exact: true }).uncheck();
    }
    await page.getByRole("tab", { name: "Tree" }).click();
    await page.keyboard.press("o");
    // balls that nothing stands in front of: those of the top layer
    for (const body of [18, 21, 24]) {
      const expected = await page.evaluate((b) => window.sarrusTest?.project(b), body);
      const row = page.locator(".row").nth(body);
      await row.hover();
      const seen = await middleOfChange(page, async () => row.getByRole("button", { name: /Hide/ }).click());
      assert.ok(expected && seen.count > 100, `body ${body} is drawn (${seen.count} pixels)`);
      assert.ok(Math.hypot(seen.x - expected.x, seen.y - expected.y) < 3, `body ${body}: drawn at ${seen.x}, ${seen.y}, expected ${expected.x}, ${expected.y}`);
    }
  });
});

test("run, pause, step, speed, reset, inputs and parameters reach the server", { skip }, async () => {
  const server = new MockServer(zoo());
  await withServer(server, async (page) => {
    await page.keyboard.press("Space");
    await until("a pause", () => sent(server, "pause").length, (n) => n === 1);
    await page.locator("#step").click();
    await until("a step", () => sent(server, "step").length, (n) => n === 1);
    await page.keyboard.press("+");
    await until("a speed", () => sent(server, "speed")[0]?.value, (v) => v === 2);
    await until("the speed in the page", () => page.locator(".speed").textContent(), (t) => t === "2\u00d7");
    await page.locator('.knob[data-name="wind"] .number').fill("7,5");
    await page.keyboard.press("Enter");
    await until("an input", () => sent(server, "input").at(-1)?.value, (v) => v === 7.5);
    const slider = page.locator('.knob[data-name="gain"] input[type="range"]');
    const box = await slider.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
    await until("a parameter", () => sent(server, "parameter").at(-1)?.value ?? 0, (v) => v > 30);
    await page.locator("#reset").click();
    await until("a reset", () => sent(server, "reset").length, (n) => n === 1);
    await until("time at zero", () => page.evaluate(() => window.sarrusTest?.frame()?.time), (t) => t === 0);
    await page.locator("#run").click();
    await until("a run", () => page.evaluate(() => window.sarrusTest?.frame()?.running), (r) => r === true);
  });
});

test("a body is selected by a click and pulled by ctrl and drag", { skip }, async () => {
  const server = new MockServer(zoo());
  server.running = false;
  await withServer(server, async (page) => {
    const carriage = await page.evaluate(() => window.sarrusTest?.project(2, [0, -0.1, 0.06]));
    const box = await page.locator("canvas.view").boundingBox();
    assert.ok(carriage && box);
    const [x, y] = [box.x + carriage.x, box.y + carriage.y];
    await page.mouse.click(x, y);
    await until("a selection", () => page.evaluate(() => window.sarrusTest?.selection()), (s) => s === "body 2");
    assert.match((await page.locator(".row.selected").textContent()) ?? "", /carriage/);
    await page.keyboard.down("Control");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 40, { steps: 8 });
    const last = await until("pulls", () => sent(server, "pull").at(-1), (p) => p?.to !== undefined && p.to[2] > 0.6);
    await page.mouse.up();
    await page.keyboard.up("Control");
    assert.equal(last?.body, 2);
    await until("a release", () => sent(server, "release").length, (n) => n >= 1);
    // the pull ends where the pointer is
    const to = last?.to ?? [];
    const at = await page.evaluate((p) => window.sarrusTest?.project(2, [p[0] + 1, p[1], p[2] - 0.55]), to);
    assert.ok(at && Math.hypot(at.x - carriage.x - 60, at.y - carriage.y + 40) < 12, JSON.stringify({ at, carriage, to }));
  });
});

test("a lost connection is told and comes back", { skip }, async () => {
  const server = new MockServer(zoo());
  const url = await server.listen();
  const { page } = await open(browser, url);
  await server.drop();
  await page.locator("#banner").waitFor();
  await until("the status", () => page.locator(".status").textContent(), (t) => t === "connection lost");
  await server.comeBack(Number(new URL(url).port));
  await page.locator("#banner").waitFor({ state: "detached", timeout: 20000 });
  await until("running", () => page.locator(".status").textContent(), (t) => t === "running");
  await page.context().close();
  await server.close();
});

test("a replay from disk moves without a network, has a time slider, events and a ghost", { skip }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), "window-")), "replay.html");
  writeFileSync(file, selfContained(zoo(), 2));
  const { page, trouble } = await open(browser, pathToFileURL(file).href);
  await page.context().setOffline(true);
  assert.deepEqual(await page.locator(".runs li").allTextContents(), ["run 0", "run 1"]);
  const time = (): Promise<number> => page.evaluate(() => window.sarrusTest?.frame()?.time ?? -1);
  const first = await time();
  await until("time to pass", time, (t) => t > first + 0.3);
  await page.keyboard.press("Space");
  await page.keyboard.press("Home");
  await page.keyboard.press("]");
  await until("the event", time, (t) => Math.abs(t - 1.5) < 1e-9);
  const before = await page.evaluate(() => window.sarrusTest?.pose(0));
  const slider = await page.locator(".timeline").boundingBox();
  assert.ok(slider);
  await page.mouse.click(slider.x + 0.8 * slider.width, slider.y + slider.height / 2);
  await until("the slider", time, (t) => Math.abs(t - 4.8) < 0.15);
  assert.notDeepEqual(await page.evaluate(() => window.sarrusTest?.pose(0)), before);
  await page.screenshot({ path: picture("replay") });
  assert.deepEqual(trouble, []);
  await page.context().close();
});

test("a wrong token is told in words", { skip }, async () => {
  const server = new MockServer(zoo());
  const url = await server.listen();
  const page = await browser.newPage();
  await page.goto(url);
  await page.route("**/scene.json*", (route) => route.fulfill({ status: 403, body: "no" }));
  await page.reload();
  await page.locator(".fatal").waitFor();
  assert.match((await page.locator(".fatal").textContent()) ?? "", /token/);
  await page.close();
  await server.close();
});

test("plots: another output, another axis across, zoom", { skip }, async () => {
  await withServer(new MockServer(zoo()), async (page) => {
    await page.getByRole("button", { name: "One more plot" }).click();
    const plot = page.locator(".plot").last();
    await plot.locator(".choices label", { hasText: "lower.z" }).click();
    await plot.locator("select").selectOption({ label: "lower.x" });
    await plot.locator(".legend .over").waitFor();
    assert.match((await plot.locator(".legend").textContent()) ?? "", /lower\.z.*over lower\.x/);
    await page.keyboard.press("Escape");
    await plot.scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    const inked = await plot.locator("canvas").evaluate((c) => {
      const canvas = c as HTMLCanvasElement;
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let n = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 2] > 200 && data[i] < 160 && data[i + 3] > 100) n++;
      return n;
    });
    assert.ok(inked > 50, `${inked} pixels of the curve`);
  });
});

for (const [name, size, scheme] of [
  ["dark", { width: 1280, height: 800 }, "dark"], ["light", { width: 1280, height: 800 }, "light"], ["narrow", { width: 390, height: 780 }, "dark"],
] as const) {
  test(`nothing is wider than the page, and help opens: ${name}`, { skip }, async () => {
    await withServer(new MockServer(zoo()), async (page) => {
      await page.waitForTimeout(1200);
      await page.screenshot({ path: picture(name) });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${over} pixels too wide`);
      await page.keyboard.press("?");
      await page.locator("dialog.help").waitFor();
      await page.screenshot({ path: picture(`${name}-help`) });
      await page.keyboard.press("Escape");
    }, size, scheme);
  });
}

test("500 bodies take few draw calls and little time of a frame", { skip }, async () => {
  await withServer(new MockServer(heap(500)), async (page) => {
    await until("frames", () => page.evaluate(() => window.sarrusTest?.stats().cpu.length ?? 0), (n) => n >= 3);
    const stats = await page.evaluate(() => window.sarrusTest?.stats());
    assert.ok(stats);
    const cpu = [...stats.cpu].sort((a, b) => a - b);
    console.log(`500 bodies: ${stats.calls} draw calls, ${stats.triangles} triangles, least frame ${cpu[0].toFixed(1)} ms of script`);
    assert.ok(stats.calls < 40, `${stats.calls} draw calls`);
  }, { width: 640, height: 480 });
});
