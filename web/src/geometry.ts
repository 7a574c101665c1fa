// Geometry of shapes. Shapes that differ in size only share one: a unit geometry and a scale.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, LatheGeometry,
  SphereGeometry, Vector2,
} from "three";
import type { Shape, ShapeKind } from "./scene";

export interface SharedGeometry {
  key: string;
  scale: [number, number, number];
}

// Segments of round shapes by detail, the finest first: around, and from pole to pole.
const SEGMENTS: readonly { around: number; poles: number }[] = [
  { around: 32, poles: 18 }, { around: 20, poles: 12 }, { around: 12, poles: 7 },
];
const ROUND = new Set<ShapeKind>(["ellipsoid", "cylinder", "capsule"]);

// The coarsest detail whose outline is within `error` pixels of a circle of `radius` pixels: a
// polygon of n corners is inside of it by up to r (1 - cos(pi/n)).
export function detailFor(radius: number, error: number): number {
  let detail = SEGMENTS.length - 1;
  while (detail > 0 && radius * (1 - Math.cos(Math.PI / SEGMENTS[detail].around)) > error) detail--;
  return detail;
}

// The radius of what is round about a shape [m]; 0: nothing is, it has one detail only.
export function roundness(s: Shape): number {
  if (!ROUND.has(s.kind)) return 0;
  return s.kind === "ellipsoid" ? Math.max(...s.size) : s.size[0];
}

const round = (value: number): string => value.toPrecision(5);

// A fingerprint of numbers (FNV-1a over their bytes), to find the same mesh again.
export function fingerprint(values: readonly number[]): string {
  const bytes = new Uint8Array(new Float32Array(values).buffer);
  let h = 0x811c9dc5;
  for (const b of bytes) h = Math.imul(h ^ b, 0x01000193);
  return `${values.length}:${(h >>> 0).toString(16)}`;
}

export function sharedGeometry(s: Shape): SharedGeometry {
  const [a, b, c] = s.size;
  switch (s.kind) {
    case "box": return { key: "box", scale: [a, b, c] };
    case "ellipsoid": return { key: "ball", scale: [a, b, c] };
    case "cylinder": return { key: c > 0 ? `tube ${(c / a).toFixed(3)}` : "cylinder", scale: [a, a, b] };
    case "capsule": return { key: `capsule ${round(a)} ${round(b)}`, scale: [1, 1, 1] };
    case "plate": return { key: `plate ${round(a)} ${fingerprint(s.vertices)}`, scale: [1, 1, 1] };
    default:
      return { key: `mesh ${fingerprint(s.vertices)} ${fingerprint(s.triangles)}`, scale: [1, 1, 1] };
  }
}

const alongZ = (g: BufferGeometry): BufferGeometry => g.rotateX(Math.PI / 2);

// A hollow cylinder of radius 1 and half length 1 along z.
function tube(bore: number, around: number): BufferGeometry {
  const corners: [number, number][] = [[bore, -1], [1, -1], [1, 1], [bore, 1], [bore, -1]];
  // each side for itself, so that its normals are its own
  const sides = corners.slice(1).map((to, i) => {
    const side = new LatheGeometry([new Vector2(...corners[i]), new Vector2(...to)], around);
    return side;
  });
  return alongZ(merge(sides));
}

// Positions and normals of several geometries as one.
export function merge(parts: readonly BufferGeometry[]): BufferGeometry {
  const position: number[] = [], normal: number[] = [], index: number[] = [];
  for (const part of parts) {
    const base = position.length / 3;
    position.push(...part.getAttribute("position").array);
    normal.push(...part.getAttribute("normal").array);
    const triangles = part.getIndex();
    if (triangles) for (const i of triangles.array) index.push(base + i);
    else for (let i = 0; i < part.getAttribute("position").count; i++) index.push(base + i);
  }
  const out = new BufferGeometry();
  out.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  out.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  out.setIndex(index);
  return out;
}

// Triangles of a convex polygon in z = 0 that is 2 h thick.
export function plateTriangles(corners: readonly number[], h: number): number[] {
  const n = corners.length / 3;
  const at = (i: number, z: number): number[] => [corners[3 * (i % n)], corners[3 * (i % n) + 1], z];
  let area = 0;
  for (let i = 0; i < n; i++) {
    const [x, y] = at(i, 0), [u, v] = at(i + 1, 0);
    area += x * v - u * y;
  }
  const out: number[] = [];
  const triangle = (a: number[], b: number[], c: number[]): void => {
    if (area >= 0) out.push(...a, ...b, ...c);
    else out.push(...a, ...c, ...b);
  };
  for (let i = 1; i + 1 < n; i++) {
    triangle(at(0, h), at(i, h), at(i + 1, h));
    triangle(at(0, -h), at(i + 1, -h), at(i, -h));
  }
  for (let i = 0; i < n; i++) {
    triangle(at(i, -h), at(i + 1, -h), at(i + 1, h));
    triangle(at(i, -h), at(i + 1, h), at(i, h));
  }
  return out;
}

function faceted(position: readonly number[]): BufferGeometry {
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  g.computeVertexNormals();
  return g;
}

function meshGeometry(s: Shape): BufferGeometry {
  const corner = (i: number): number[] => s.vertices.slice(3 * i, 3 * i + 3);
  return faceted(s.triangles.flatMap(corner));
}

export function makeGeometry(s: Shape, detail = 0): BufferGeometry {
  const [a, b, c] = s.size, { around, poles } = SEGMENTS[detail];
  switch (s.kind) {
    case "box": return new BoxGeometry(2, 2, 2);
    case "ellipsoid": return new SphereGeometry(1, around, poles);
    case "cylinder": return c > 0 ? tube(Math.min(0.99, c / a), around) : alongZ(new CylinderGeometry(1, 1, 2, around));
    case "capsule": return alongZ(new CapsuleGeometry(a, 2 * b, poles >> 1, around));
    case "plate": return faceted(plateTriangles(s.vertices, a));
    default: return meshGeometry(s);
  }
}

// Edges where faces meet at an angle; undefined: there are none to see.
export function edgesOf(key: string, geometry: BufferGeometry): BufferGeometry | undefined {
  if (key === "ball" || key.startsWith("capsule")) return undefined;
  if (geometry.getAttribute("position").count > 60000) return undefined;
  const edges = new EdgesGeometry(geometry, 35);
  return edges.getAttribute("position").count > 0 ? edges : undefined;
}
