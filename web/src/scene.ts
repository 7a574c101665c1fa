// The scene: what there is to see and to set (docs/window-protocol.md), checked when it is read.
import { flag, index, list, maybe, number, numbers, object, SceneError, text, type Json } from "./json";
import { joinScenes, type Part } from "./parts";
import type { Vec3 } from "./pose";

export const SHAPES = ["box", "ellipsoid", "cylinder", "capsule", "mesh", "plate", "plane", "grid"] as const;
export type ShapeKind = (typeof SHAPES)[number];
export const ROLES = ["body", "joint", "support", "ground", "wheel", "spring", "damper", "link"] as const;
export type Role = (typeof ROLES)[number];
export const LINKS = ["rod", "actuator", "spring", "damper", "stop", "bar"] as const;
export type LinkKind = (typeof LINKS)[number];

export interface Shape {
  kind: ShapeKind;
  role: Role;
  name: string;
  pose: number[];
  size: number[];
  pale: boolean;
  vertices: number[];
  triangles: number[];
  x: number[];
  y: number[];
  z: number[];
  bit?: number;
}

export interface Body {
  name: string;
  parent: number;
  mass: number;
  pose: number[];
  com: Vec3;
  fixed: boolean;
  shapes: Shape[];
  part?: number; // of coupled simulators
}

export interface LinkEnd {
  body: number;
  point: Vec3;
}

export interface Link {
  kind: LinkKind;
  role: Role;
  name: string;
  a: LinkEnd;
  b: LinkEnd;
  axis?: Vec3;
  radius: number;
  bit?: number;
  part?: number;
}

export interface Joint {
  name: string;
  kind: string;
  a: number;
  b: number;
  pose: number[];
  loop: boolean;
  bit?: number;
  part?: number;
}

export interface Place {
  name: string;
  body: number;
  point: Vec3;
}

export interface Output {
  name: string;
  unit: string;
}

export interface Knob {
  name: string;
  value: number;
  min?: number;
  max?: number;
  unit: string;
  driven?: boolean; // by something else than this window
}

export interface SceneEvent {
  time: number;
  name: string;
  on: boolean;
}

export interface Scene {
  name: string;
  mode: "live" | "replay";
  start: number;
  end?: number;
  step?: number;
  gravity: Vec3;
  plane: "xy" | "xz" | "yz" | "";
  reach: number;
  unit: number;
  bodies: Body[];
  ground: Shape[];
  links: Link[];
  beams: { name: string; bodies: number[] }[];
  joints: Joint[];
  traces: Place[];
  outputs: Output[];
  inputs: Knob[];
  parameters: Knob[];
  events: SceneEvent[];
  runs: string[];
  switches: number;
  speed: number;
  readonly: boolean;
  parts: Part[]; // coupled simulators; none: it is one
}

// Do both look alike? Values of inputs and parameters, the speed and events are told by messages,
// and where bodies are by frames.
export function drawnAlike(a: Scene, b: Scene): boolean {
  const still = (knobs: Knob[]): Knob[] => knobs.map((k) => ({ ...k, value: 0 }));
  const bodies = (s: Scene): unknown[] => s.bodies.map((body) => ({ ...body, pose: [] }));
  const drawn = (s: Scene): string => JSON.stringify(
    { ...s, start: 0, speed: 1, bodies: bodies(s), inputs: still(s.inputs), parameters: still(s.parameters), events: [] });
  return drawn(a) === drawn(b);
}

const MODES = ["live", "replay"] as const;
const IDENTITY = [0, 0, 0, 1, 0, 0, 0];

function oneOf<T extends string>(value: string, known: readonly T[], what: string): T {
  const found = known.find((k) => k === value);
  if (found === undefined) throw new SceneError(`no ${what} '${value}' is known (${known.join(", ")})`);
  return found;
}

// A unit quaternion, also when the file's is a bit off.
function pose(o: Json): number[] {
  if (o["pose"] === undefined) return [...IDENTITY];
  const p = numbers(o, "pose", 7);
  const norm = Math.hypot(p[3], p[4], p[5], p[6]);
  if (!(norm > 0)) throw new SceneError("pose: its quaternion is zero");
  return p.map((v, i) => (i < 3 ? v : v / norm));
}

function vec3(o: Json, key: string, otherwise: Vec3): Vec3 {
  if (o[key] === undefined) return [...otherwise];
  const [x, y, z] = numbers(o, key, 3);
  return [x, y, z];
}

function bit(o: Json): { bit?: number } {
  const value = maybe(o, "switch");
  return value === undefined ? {} : { bit: value };
}

function checkMesh(s: Shape): void {
  if (s.vertices.length % 3 !== 0 || s.triangles.length % 3 !== 0) {
    throw new SceneError(`${s.name}: vertices and triangles come in threes`);
  }
  const count = s.vertices.length / 3;
  if (s.triangles.some((i) => !Number.isInteger(i) || i < 0 || i >= count)) {
    throw new SceneError(`${s.name}: a triangle names a vertex that is not there`);
  }
}

function readShape(value: unknown): Shape {
  const o = object(value, "shape");
  const s: Shape = {
    kind: oneOf(text(o, "kind"), SHAPES, "shape"), role: oneOf(text(o, "role", "body"), ROLES, "role"),
    name: text(o, "name"), pose: pose(o), size: numbers(o, "size"), pale: flag(o, "pale"),
    vertices: numbers(o, "vertices"), triangles: numbers(o, "triangles"),
    x: numbers(o, "x"), y: numbers(o, "y"), z: numbers(o, "z"), ...bit(o),
  };
  checkMesh(s);
  if (s.kind === "grid" && (s.x.length < 2 || s.y.length < 2 || s.z.length !== s.x.length * s.y.length)) {
    throw new SceneError(`${s.name}: a grid of ${s.x.length} x ${s.y.length} has ${s.z.length} heights`);
  }
  while (s.size.length < 3) s.size.push(0);
  return s;
}

function readBody(value: unknown, count: number): Body {
  const o = object(value, "body");
  return {
    name: text(o, "name"), parent: index(o, "parent", count), mass: number(o, "mass", 0), pose: pose(o),
    com: vec3(o, "com", [0, 0, 0]), fixed: flag(o, "fixed"), shapes: list(o, "shapes").map(readShape),
  };
}

function readEnd(o: Json, key: string, count: number): LinkEnd {
  const [body, x, y, z] = numbers(o, key, 4);
  return { body: index({ body }, "body", count), point: [x, y, z] };
}

function readLink(value: unknown, count: number): Link {
  const o = object(value, "link");
  return {
    kind: oneOf(text(o, "kind"), LINKS, "link"), role: oneOf(text(o, "role", "link"), ROLES, "role"),
    name: text(o, "name"), a: readEnd(o, "a", count), b: readEnd(o, "b", count),
    radius: number(o, "radius", 0), ...bit(o),
    ...(o["axis"] === undefined ? {} : { axis: vec3(o, "axis", [0, 0, 1]) }),
  };
}

function readJoint(value: unknown, count: number): Joint {
  const o = object(value, "joint");
  return {
    name: text(o, "name"), kind: text(o, "kind"), a: index(o, "a", count), b: index(o, "b", count),
    pose: pose(o), loop: flag(o, "loop"), ...bit(o),
  };
}

function readPlace(value: unknown, count: number): Place {
  const o = object(value, "point");
  return { name: text(o, "name"), body: index(o, "body", count), point: vec3(o, "point", [0, 0, 0]) };
}

function readKnob(value: unknown): Knob {
  const o = object(value, "value");
  const min = maybe(o, "min"), max = maybe(o, "max");
  return {
    name: text(o, "name"), value: number(o, "value", 0), unit: text(o, "unit"),
    ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }), ...(flag(o, "driven") ? { driven: true } : {}),
  };
}

function readBeam(value: unknown, count: number): { name: string; bodies: number[] } {
  const o = object(value, "beam");
  return { name: text(o, "name"), bodies: numbers(o, "bodies").map((body) => index({ body }, "body", count)) };
}

function readEvent(value: unknown): SceneEvent {
  const o = object(value, "event");
  return { time: number(o, "time", 0), name: text(o, "name"), on: flag(o, "on") };
}

function readParts(o: Json): Scene {
  const parts = list(o, "parts").map((value) => {
    const part = object(value, "part");
    const scene = object(part["scene"], "scene");
    if (scene["parts"] !== undefined) throw new SceneError("a part has parts");
    return { name: text(part, "name"), scene: readScene(scene) };
  });
  if (parts.length === 0) throw new SceneError("scene: it has no parts");
  return joinScenes({ name: text(o, "name"), mode: oneOf(text(o, "mode", "live"), MODES, "mode") }, parts);
}

export function readScene(value: unknown): Scene {
  const o = object(value, "scene");
  if (o["sarrus"] !== 1) throw new SceneError("scene: not of version 1");
  if (o["parts"] !== undefined) return readParts(o);
  const count = list(o, "bodies").length;
  const end = maybe(o, "end"), step = maybe(o, "step");
  return {
    name: text(o, "name"), mode: oneOf(text(o, "mode", "live"), MODES, "mode"),
    start: number(o, "start", 0), ...(end === undefined ? {} : { end }), ...(step === undefined ? {} : { step }),
    gravity: vec3(o, "gravity", [0, 0, 0]), plane: oneOf(text(o, "plane"), ["xy", "xz", "yz", ""] as const, "plane"),
    reach: Math.max(1e-6, number(o, "reach", 1)), unit: Math.max(1e-7, number(o, "unit", 0.01)),
    bodies: list(o, "bodies").map((b) => readBody(b, count)), ground: list(o, "ground").map(readShape),
    links: list(o, "links").map((l) => readLink(l, count)), beams: list(o, "beams").map((b) => readBeam(b, count)),
    joints: list(o, "joints").map((j) => readJoint(j, count)),
    traces: list(o, "traces").map((p) => readPlace(p, count)),
    outputs: list(o, "outputs").map((v) => {
      const output = object(v, "output");
      return { name: text(output, "name"), unit: text(output, "unit") };
    }),
    inputs: list(o, "inputs").map(readKnob), parameters: list(o, "parameters").map(readKnob),
    events: list(o, "events").map(readEvent), runs: list(o, "runs").map((r) => text(object(r, "run"), "name")),
    switches: number(o, "switches", 0), speed: number(o, "speed", 1), readonly: flag(o, "readonly"), parts: [],
  };
}

// The direction that is up: against gravity; in a plane its second axis; otherwise z.
export function upOf(scene: Pick<Scene, "gravity" | "plane">): Vec3 {
  const [x, y, z] = scene.gravity;
  const size = Math.hypot(x, y, z);
  if (size > 0) return [-x / size, -y / size, -z / size];
  return scene.plane === "xy" ? [0, 1, 0] : [0, 0, 1];
}
