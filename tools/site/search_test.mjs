// What people look for is found first: node tools/site/search_test.mjs SITE
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const site = process.argv[2];
const element = { addEventListener() {}, childNodes: [], dataset: { root: "" } };
const window = {};
const document = { querySelector: () => element, addEventListener() {}, body: element, head: element };
runInNewContext(readFileSync(new URL("search.js", import.meta.url), "utf8"), { window, document, console });
runInNewContext(readFileSync(`${site}/search-index.js`, "utf8"), { window });

const wanted = [
  ["redundant constraints", "docs/theory/reactions.html"],
  ["closed loops", "docs/loops.html"],
  ["sar_step", "api/sim.html#sar_step"],
  ["gallery", "docs/gallery.html"],
  ["pitt peters", "docs/rotorcraft.html"],
  ["restitution material", "docs/"],
  ["Featherstone", "docs/"],
  ["exit status", "docs/command-line.html#exit-status"],
];
let bad = 0;
for (const [query, place] of wanted) {
  const { words, score } = window.sarrusSearch;
  const terms = words(query);
  const found = window.searchIndex.map((s) => [score(s, terms), s.at]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]);
  if (!found.slice(0, 8).some(([, at]) => at.startsWith(place))) {
    bad++;
    console.log(`search: '${query}' does not lead to ${place}, but to ${found.slice(0, 8).map(([, at]) => at).join(" ") || "nothing"}`);
  }
}
console.log(`search: ${wanted.length - bad} of ${wanted.length} queries lead where they should`);
process.exit(bad ? 1 : 0);
