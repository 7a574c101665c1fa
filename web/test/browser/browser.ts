// A browser for tests: Chromium of the system, without a display.
import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";

const PLACES = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findChromium(): string | undefined {
  return PLACES.find((p): p is string => p !== undefined && p !== "" && existsSync(p));
}

export async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium");
  return chromium.launch({
    executablePath, headless: true,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

export interface Opened {
  page: Page;
  trouble: string[]; // errors in the console
}

export async function open(browser: Browser, url: string, size = { width: 1280, height: 800 }, scheme: "dark" | "light" = "dark"): Promise<Opened> {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, deviceScaleFactor: 1 });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on("console", (m) => {
    if (m.type() === "error" || (m.type() === "warning" && !/GPU stall|swiftshader|WebGL-/i.test(m.text()))) trouble.push(m.text());
  });
  page.on("pageerror", (e) => trouble.push(String(e)));
  await page.goto(url);
  await page.waitForFunction(() => window.sarrusTest?.frame() !== undefined, undefined, { timeout: 20000 });
  return { page, trouble };
}
