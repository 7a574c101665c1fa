// Where bodies are in the picture: the box around the pixels that change when one body alone is
// shown, against the box around its shapes where the engine's pose, as another viewer was sent it,
// puts them.
import { expect } from "./window_lib.mjs";

const NEAR = 3; // pixels

// ---- geometry of poses [x, y, z, qw, qx, qy, qz] ------------------------------------------------

function turn([w, x, y, z], p) {
  const t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])];
  return [p[0] + w * t[0] + y * t[2] - z * t[1], p[1] + w * t[1] + z * t[0] - x * t[2], p[2] + w * t[2] + x * t[1] - y * t[0]];
}

const move = (pose, p) => turn(pose.slice(3), p).map((c, k) => c + pose[k]);
const moveBack = (pose, p) => turn([pose[3], -pose[4], -pose[5], -pose[6]], p.map((c, k) => c - pose[k]));

// ---- outlines of shapes -------------------------------------------------------------------------

function* ball(rx, ry, rz) {
  for (let i = 0; i <= 40; i++) {
    const a = (Math.PI * i) / 40;
    for (let k = 0; k < 64; k++) {
      const b = (Math.PI * k) / 32;
      yield [rx * Math.sin(a) * Math.cos(b), ry * Math.sin(a) * Math.sin(b), rz * Math.cos(a)];
    }
  }
}

function* outline(shape) {
  const [a, b, c] = shape.size ?? [];
  const v = shape.vertices ?? [];
  switch (shape.kind) {
    case "box":
      for (let i = 0; i < 8; i++) yield [i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c];
      return;
    case "ellipsoid": yield* ball(a, b, c); return;
    case "capsule":
      for (const p of ball(a, a, a)) yield [p[0], p[1], p[2] + (p[2] < 0 ? -b : b)];
      return;
    case "cylinder":
      for (let k = 0; k < 128; k++)
        for (const z of [-b, b]) yield [a * Math.cos((Math.PI * k) / 64), a * Math.sin((Math.PI * k) / 64), z];
      return;
    case "plate":
      for (let i = 0; i < v.length; i += 3) for (const z of [-a, a]) yield [v[i], v[i + 1], z];
      return;
    default:
      for (let i = 0; i < v.length; i += 3) yield [v[i], v[i + 1], v[i + 2]];
  }
}

const isSolid = (shape) => !["joint", "support", "spring", "damper", "link", "ground"].includes(shape.role);

// By the engine's poses alone: `viewer` has the frame. The page is asked for its camera only,
// through another body's frame.
async function expected(page, scene, viewer, body) {
  const other = body === 0 ? scene.bodies.length - 1 : 0;
  const points = [];
  for (const shape of scene.bodies[body].shapes.filter(isSolid))
    for (const p of outline(shape)) {
      const inBody = shape.pose ? move(shape.pose, p) : p;
      points.push(moveBack(viewer.pose(other), move(viewer.pose(body), inBody)));
    }
  return page.evaluate(([b, list]) => {
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const p of list) {
      const at = window.sarrusTest.project(b, p);
      if (!at) return undefined;
      box.left = Math.min(box.left, at.x), box.right = Math.max(box.right, at.x);
      box.top = Math.min(box.top, at.y), box.bottom = Math.max(box.bottom, at.y);
    }
    return list.length ? box : undefined;
  }, [other, points]);
}

// ---- pixels -------------------------------------------------------------------------------------

const shot = async (page) => {
  await page.waitForTimeout(300);
  return (await page.locator("canvas.view").screenshot()).toString("base64");
};

const changed = (page, first, second) => page.evaluate(async ([a, b]) => {
  const pixels = async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width, canvas.height = image.height;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const p = await pixels(a), q = await pixels(b);
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity, count: 0 };
  for (let i = 0; i < p.data.length; i += 4) {
    let far = 0;
    for (let k = 0; k < 3; k++) far += Math.abs(p.data[i + k] - q.data[i + k]);
    if (far < 24) continue;
    const x = (i / 4) % p.width, y = Math.floor(i / 4 / p.width);
    box.left = Math.min(box.left, x), box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y), box.bottom = Math.max(box.bottom, y + 1);
    box.count++;
  }
  return box;
}, [first, second]);

// Nothing but bodies in the picture, and none of those.
async function clear(page) {
  await page.getByRole("tab", { name: "Display" }).click();
  for (const name of ["Joints", "Springs, dampers, rods", "Ground and roads", "Forces and moments", "Traces of points", "Grid", "Shadows", "Edges"]) {
    const box = page.getByLabel(name, { exact: true });
    if ((await box.count()) > 0 && (await box.isChecked())) await box.uncheck();
  }
  await page.getByRole("tab", { name: "Tree" }).click();
  await toggle(page);
}

// The eyes of the tree; of one body, or of all.
const toggle = (page, name) => page.evaluate((n) => {
  for (const b of document.querySelectorAll(".tree .row button[aria-label^=\"Hide \"]"))
    if (n === undefined || b.getAttribute("aria-label") === `Hide ${n}`) b.click();
}, name);

// Up to `most` bodies of a page that is at rest, those that are large enough to be seen. Returns
// the largest distance.
export async function expectPlaces(page, scene, viewer, most = 4) {
  await page.keyboard.press("f");
  await clear(page);
  const { width, height } = await page.locator("canvas.view").boundingBox();
  let worst = 0, seen = 0;
  const order = scene.bodies.map((_, i) => (7 * i + 3) % scene.bodies.length); // from all over the list
  for (const body of new Set([...order, ...scene.bodies.keys()])) {
    const e = seen < most && (await expected(page, scene, viewer, body));
    if (!e || e.right - e.left < 6 || e.bottom - e.top < 4) continue;
    if (e.left < 4 || e.top < 4 || e.right > width - 4 || e.bottom > height - 4) continue;
    const without = await shot(page);
    await toggle(page, scene.bodies[body].name);
    const found = await changed(page, without, await shot(page));
    await toggle(page, scene.bodies[body].name);
    const off = Math.max(...["left", "top", "right", "bottom"].map((k) => Math.abs(found[k] - e[k])));
    worst = Math.max(worst, off);
    seen++;
    expect(off <= NEAR, `${scene.name}, body '${scene.bodies[body].name}' is drawn at ${JSON.stringify(found)}, expected ${JSON.stringify(e)}`);
  }
  expect(seen > 0, `${scene.name}: no body is in the picture`);
  return { worst, seen };
}
