// Dependencies are pinned, and the lock file names versions and checksums only: no address of a
// host.
import { readFileSync } from "node:fs";

const wanted = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const text = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
const trouble = [];
if (/"resolved"/.test(text)) trouble.push('package-lock.json has "resolved" addresses');
for (const [name, version] of Object.entries({ ...wanted.dependencies, ...wanted.devDependencies })) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) trouble.push(`${name}: '${version}' is not one exact version`);
}
for (const line of trouble) console.error(`check-lock: ${line}`);
process.exitCode = trouble.length > 0 ? 1 : 0;
