// A window to look at without the program: node test/run.mjs mock [bodies of a heap]
import { heap, zoo } from "./models";
import { MockServer } from "./server";

const bodies = Number(process.argv[2] ?? 0);
const server = new MockServer(bodies > 0 ? heap(bodies) : zoo());
console.log(await server.listen(Number(process.env["PORT"] ?? 0)));
