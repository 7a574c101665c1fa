// Bundles tests with esbuild and runs them with node's own runner.
//   node test/run.mjs unit | browser | mock | measure
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const what = process.argv[2] ?? "unit";
const out = join(here, "../build", what);
const program = { mock: "serve.ts", measure: "measure.ts" }[what];
const source = program ? [program] : readdirSync(join(here, what)).filter((f) => f.endsWith(".test.ts"));
await build({
  entryPoints: source.map((f) => join(here, what, f)),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  packages: "external",
  outdir: out,
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});
const files = source.map((f) => join(out, f.replace(/\.ts$/, ".mjs")));
const args = program ? [files[0], ...process.argv.slice(3)] : ["--test", "--test-concurrency=1", ...process.argv.slice(3), ...files];
const done = spawnSync(process.execPath, args, { stdio: "inherit", cwd: join(here, "..") });
process.exitCode = done.status ?? 1;
