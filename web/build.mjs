// Bundles src/ into one self-contained dist/index.html: script and style inside, nothing to load.
//   node build.mjs
// A Content-Security-Policy with the hashes of both is written into the page, so that it holds for
// a page that is served and for a file opened from disk alike.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    charset: "ascii",
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

// Text within <script> must not hold its end, nor what begins a comment in html.
function inScript(text) {
  return text.replace(/<\/(script|head)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const script = inScript(await bundle("src/main.ts"));
const style = await bundle("src/style.css");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = readFileSync(join(root, "src/index.html"), "utf8")
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script);

const heads = page.split("</head>").length - 1;
if (heads !== 1) throw new Error(`the page has ${heads} ends of its head, but data goes before one`);
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist/index.html"), page);
console.log(`dist/index.html: ${(page.length / 1024).toFixed(0)} kB`);
