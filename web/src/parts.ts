// Coupled simulators as one scene: bodies, outputs and inputs of all parts one behind the other,
// named SIMULATOR.NAME; and frames of all parts as one (docs/window-protocol.md).
import { ARROW, type Frame } from "./frame";
import type { LinkEnd, Scene, Shape } from "./scene";

export interface Part {
  name: string;
  bodies: number; // how many of the scene are its own
  outputs: number;
  switches: number;
}

interface Offsets {
  prefix: string;
  body: number;
  bit: number;
  part: number;
}

const moved = (body: number, by: Offsets): number => (body < 0 ? -1 : body + by.body);
const bit = (o: { bit?: number }, by: Offsets): { bit?: number } => (o.bit === undefined ? {} : { bit: o.bit + by.bit });
const shape = (s: Shape, by: Offsets): Shape => ({ ...s, name: by.prefix + s.name, ...bit(s, by) });
const end = (e: LinkEnd, by: Offsets): LinkEnd => ({ body: moved(e.body, by), point: e.point });

function shifted(s: Scene, by: Offsets): Scene {
  const name = <T extends { name: string }>(o: T): T => ({ ...o, name: by.prefix + o.name });
  const placed = <T extends { name: string; body: number }>(o: T): T => ({ ...name(o), body: moved(o.body, by) });
  return {
    ...s,
    bodies: s.bodies.map((b) => ({
      ...name(b), parent: moved(b.parent, by), part: by.part, shapes: b.shapes.map((x) => shape(x, by)),
    })),
    ground: s.ground.map((x) => shape(x, by)),
    links: s.links.map((l) => ({ ...name(l), a: end(l.a, by), b: end(l.b, by), part: by.part, ...bit(l, by) })),
    beams: s.beams.map((b) => ({ ...name(b), bodies: b.bodies.map((i) => moved(i, by)) })),
    joints: s.joints.map((j) => ({ ...name(j), a: moved(j.a, by), b: moved(j.b, by), part: by.part, ...bit(j, by) })),
    traces: s.traces.map(placed),
    outputs: s.outputs.map(name), inputs: s.inputs.map(name), parameters: s.parameters.map(name),
    events: s.events.map(name),
  };
}

// Simulators that stand on the same ground draw it once.
function once(shapes: readonly Shape[]): Shape[] {
  const seen = new Set<string>();
  return shapes.filter((s) => {
    const key = JSON.stringify({ ...s, name: "" });
    return !seen.has(key) && seen.add(key);
  });
}

// `whole`: what is said of the set itself.
export function joinScenes(whole: Pick<Scene, "name" | "mode">, parts: readonly { name: string; scene: Scene }[]): Scene {
  const by: Offsets = { prefix: "", body: 0, bit: 0, part: 0 };
  const all = parts.map(({ name, scene }, part) => {
    const out = shifted(scene, { ...by, prefix: `${name}.`, part });
    by.body += scene.bodies.length;
    by.bit += scene.switches;
    return out;
  });
  const largest = all.reduce((a, b) => (b.reach > a.reach ? b : a));
  const flat = <T>(of: (s: Scene) => readonly T[]): T[] => all.flatMap((s) => [...of(s)]);
  return {
    ...largest, ...whole,
    plane: all.every((s) => s.plane === all[0].plane) ? all[0].plane : "",
    bodies: flat((s) => s.bodies), ground: once(flat((s) => s.ground)), links: flat((s) => s.links),
    beams: flat((s) => s.beams), joints: flat((s) => s.joints), traces: flat((s) => s.traces),
    outputs: flat((s) => s.outputs), inputs: flat((s) => s.inputs), parameters: flat((s) => s.parameters),
    events: flat((s) => s.events), switches: by.bit,
    parts: parts.map(({ name, scene }) => ({
      name, bodies: scene.bodies.length, outputs: scene.outputs.length, switches: scene.switches,
    })),
  };
}

function joinSwitches(frames: readonly Frame[], parts: readonly Part[]): Uint32Array {
  const out = new Uint32Array(Math.ceil(parts.reduce((n, p) => n + p.switches, 0) / 32));
  let to = 0;
  parts.forEach((part, k) => {
    for (let i = 0; i < part.switches; i++, to++) {
      if ((frames[k].switches[i >>> 5] >>> (i & 31)) & 1) out[to >>> 5] |= 1 << (to & 31);
    }
  });
  return out;
}

function joinNumbers<T extends Float32Array | Float64Array>(out: T, lists: readonly T[]): T {
  let at = 0;
  for (const list of lists) {
    out.set(list, at);
    at += list.length;
  }
  return out;
}

// One frame of each part as one: the time is the first one's, energies add up, the longest step
// counts.
export function joinFrames(frames: readonly Frame[], parts: readonly Part[]): Frame {
  const sum = (of: (f: Frame) => number): number => frames.reduce((n, f) => n + of(f), 0);
  const most = (of: (f: Frame) => number): number => frames.reduce((n, f) => Math.max(n, of(f)), 0);
  const count = (of: (f: Frame) => { length: number }): number => sum((f) => of(f).length);
  const arrows = joinNumbers(new Float32Array(count((f) => f.arrows)), frames.map((f) => f.arrows));
  let at = 0, body = 0;
  frames.forEach((f, k) => {
    for (const stop = at + f.arrows.length; at < stop; at += ARROW) if (arrows[at + 1] >= 0) arrows[at + 1] += body;
    body += parts[k].bodies;
  });
  return {
    ...frames[0], flags: frames.reduce((flags, f) => flags | f.flags, 0),
    kinetic: sum((f) => f.kinetic), potential: sum((f) => f.potential), work: sum((f) => f.work),
    unexplained: sum((f) => f.unexplained), stepTime: most((f) => f.stepTime), stepLength: most((f) => f.stepLength),
    steps: most((f) => f.steps), overruns: sum((f) => f.overruns), arrows,
    poses: joinNumbers(new Float32Array(count((f) => f.poses)), frames.map((f) => f.poses)),
    outputs: joinNumbers(new Float64Array(count((f) => f.outputs)), frames.map((f) => f.outputs)),
    switches: joinSwitches(frames, parts), bytes: sum((f) => f.bytes),
  };
}
