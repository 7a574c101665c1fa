// What a picture costs, without a graphics processor: draw calls and triangles, the script's time
// for a frame, frames a second drawn in software.
//   npm run measure [-- BODIES...]       SECONDS=20 of watching; PICTURES=FOLDER keeps a picture of each
import { join } from "node:path";
import { heap } from "../mock/models";
import { MockServer } from "../mock/server";
import { findChromium, launch, open } from "../browser/browser";

const seconds = Number(process.env["SECONDS"] ?? 20);
const given = process.argv.slice(2).map(Number);
const middle = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

async function measure(bodies: number): Promise<void> {
  const browser = await launch();
  const server = new MockServer(heap(bodies));
  const { page, trouble } = await open(browser, await server.listen());
  const drawn: string[] = [];
  const look = () => page.evaluate(() => window.sarrusTest?.stats());
  const first = await look();
  // by halves: the first while the picture finds what this machine can take, the second behind it
  for (let half = 0; half < 2; half++) {
    const before = (await look())?.drawn ?? 0;
    const began = performance.now();
    await page.waitForTimeout((1000 * seconds) / 2);
    const after = (await look())?.drawn ?? 0;
    drawn.push(((1000 * (after - before)) / (performance.now() - began)).toFixed(1));
  }
  const last = await look();
  if (!first || !last) throw new Error("nothing is drawn");
  const at = (s: typeof last): string => `${s.calls} draw calls, ${s.triangles} triangles (level ${s.level})`;
  console.log(`${bodies} bodies: at first ${at(first)}; then ${at(last)}`);
  console.log(`  script of a frame: median ${middle(last.cpu).toFixed(2)} ms, least ${Math.min(...last.cpu).toFixed(2)} ms, ` +
    `of which placing ${middle(last.update).toFixed(2)} ms; ${drawn[0]} frames/s at first, ${drawn[1]} later`);
  const pictures = process.env["PICTURES"];
  if (pictures) await page.screenshot({ path: join(pictures, `measure-${bodies}.png`), timeout: 120000 });
  if (trouble.length > 0) throw new Error(trouble.join("; "));
  await browser.close();
  await server.close();
}

if (!findChromium()) console.log("not measured: no Chromium is installed (set CHROMIUM to one)");
else for (const bodies of given.length > 0 ? given : [100, 500, 1000]) await measure(bodies);
