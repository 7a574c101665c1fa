// Mechanisms that move by formula: one of each thing there is to draw, and heaps of bodies.
import type { MockFrame } from "./encode";

export interface Model {
  scene: Record<string, unknown>;
  frame(time: number, knobs: Record<string, number>): Omit<MockFrame, "sequence" | "flags">;
}

const pose = (x: number, y: number, z: number, axis: "x" | "y" | "z" = "y", angle = 0): number[] => {
  const q = [Math.cos(angle / 2), 0, 0, 0];
  q[1 + "xyz".indexOf(axis)] = Math.sin(angle / 2);
  return [x, y, z, ...q];
};

const NODES = 7;

// Arm with a spring, a damper, a cylinder, a beam, wheels, a mesh, terrain.
function zooPoses(t: number, k: Record<string, number>): number[] {
  const wave = (k["wind"] ?? 3) / 6;
  const beam = Array.from({ length: NODES }, (_, i) => {
    const s = i / (NODES - 1);
    return pose(1.2, -0.8 + 1.6 * s, 0.9 + 0.25 * s * s * Math.sin(3 * t), "x", 0);
  });
  return [
    pose(0, 0, 1, "y", 0.7 * Math.sin(2 * t)),
    pose(Math.sin(0.7 * Math.sin(2 * t)) * -0.6, 0, 1 - 0.6 * Math.cos(0.7 * Math.sin(2 * t)), "y", wave * Math.sin(3 * t)),
    pose(-1, 0, 0.55 + 0.12 * Math.sin(4 * t)),
    pose(-1, 0.8, 0.22, "y", 2 * t),
    pose(0, 1.1, 0.8, "z", 6 * t),
    pose(0.6, -0.9, 0.25 + 0.05 * Math.abs(Math.sin(5 * t))),
    ...beam,
  ].flat();
}

const tetrahedron = {
  kind: "mesh", role: "body", name: "wedge", vertices: [-0.2, -0.2, 0, 0.2, -0.2, 0, 0, 0.25, 0, 0, 0, 0.35],
  triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
};
const blade = (angle: number): Record<string, unknown> => ({
  kind: "plate", role: "body", name: "rotor", size: [0.008, 0.002], vertices: [0.06, -0.04, 0, 0.6, -0.05, 0, 0.6, 0.05, 0, 0.06, 0.04, 0],
  pose: [0, 0, 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)],
});

function hills(): Record<string, unknown> {
  const x = Array.from({ length: 41 }, (_, i) => -4 + i * 0.2), y = Array.from({ length: 31 }, (_, i) => 1.6 + i * 0.1);
  const z = y.flatMap((v) => x.map((u) => 0.1 + 0.08 * Math.sin(2 * u) * Math.cos(3 * v)));
  return { kind: "grid", role: "ground", name: "road", x, y, z };
}

export function zoo(): Model {
  const first = zooPoses(0, {});
  const names = ["upper", "lower", "carriage", "wheel", "rotor", "wedge", ...Array.from({ length: NODES }, (_, i) => `blade.${i + 1}`)];
  const shapes: Record<string, unknown>[][] = [
    [{ kind: "box", role: "body", name: "upper", size: [0.05, 0.05, 0.3], pose: [0, 0, -0.3, 1, 0, 0, 0] },
      { kind: "cylinder", role: "joint", name: "shoulder", size: [0.05, 0.09, 0.02], pose: pose(0, 0, 0, "x", Math.PI / 2) }],
    [{ kind: "capsule", role: "body", name: "lower", size: [0.05, 0.22], pose: [0, 0, -0.27, 1, 0, 0, 0] },
      { kind: "ellipsoid", role: "body", name: "lower", size: [0.12, 0.08, 0.08], pose: [0, 0, -0.5, 1, 0, 0, 0] }],
    [{ kind: "box", role: "body", name: "carriage", size: [0.25, 0.2, 0.06] }],
    [{ kind: "cylinder", role: "wheel", name: "wheel", size: [0.22, 0.08, 0.1], pose: pose(0, 0, 0, "x", Math.PI / 2) }],
    [{ kind: "cylinder", role: "body", name: "rotor", size: [0.07, 0.05, 0] }, ...[0, 2.0944, 4.18879].map(blade)],
    [tetrahedron],
    ...Array.from({ length: NODES }, () => []),
  ];
  return {
    scene: {
      sarrus: 1, name: "Zoo", mode: "live", start: 0, end: null, step: 0.001, gravity: [0, 0, -9.81], plane: "", reach: 3, unit: 0.025,
      bodies: names.map((name, i) => ({ name, parent: name === "lower" ? 0 : -1, mass: 1 + i, pose: first.slice(7 * i, 7 * i + 7), com: [0, 0, 0], shapes: shapes[i] })),
      ground: [{ kind: "plane", role: "ground", name: "floor" }, hills()],
      links: [
        { kind: "spring", role: "spring", name: "spring", a: [-1, -1.1, 0, 0], b: [2, -0.1, 0, -0.06], radius: 0.06 },
        { kind: "damper", role: "damper", name: "damper", a: [-1, -0.9, 0, 0], b: [2, 0.1, 0, -0.06], radius: 0.04 },
        { kind: "actuator", role: "link", name: "cylinder", a: [-1, 0.5, 0, 0.3], b: [0, 0, 0, -0.5], radius: 0.035 },
        { kind: "rod", role: "link", name: "tie", a: [2, 0.25, 0.2, 0], b: [3, 0, -0.1, 0], radius: 0.015, switch: 0 },
        { kind: "stop", role: "spring", name: "buffer", a: [-1, -1, -0.4, 0], b: [-1, -1, -0.4, 0.3], radius: 0.05 },
      ],
      beams: [{ name: "blade", bodies: Array.from({ length: NODES }, (_, i) => 6 + i) }],
      joints: [
        { name: "shoulder", kind: "revolute", a: -1, b: 0, pose: pose(0, 0, 0, "x", Math.PI / 2) },
        { name: "elbow", kind: "revolute", a: 0, b: 1, pose: pose(0, 0, 0, "x", Math.PI / 2) },
        { name: "axle", kind: "revolute", a: -1, b: 3, pose: pose(0, 0, 0, "x", Math.PI / 2), loop: true },
      ],
      points: [], traces: [{ name: "lower.tip", body: 1, point: [0, 0, -0.55] }],
      outputs: [{ name: "shoulder.q", unit: "rad" }, { name: "elbow.q", unit: "rad" }, { name: "lower.x", unit: "m" }, { name: "lower.z", unit: "m" }, { name: "none", unit: "" }],
      inputs: [{ name: "wind", value: 3, min: 0, max: 10, unit: "m/s" }], parameters: [{ name: "gain", value: 12 }, { name: "damping", value: 0.4 }],
      events: [], runs: [], switches: 1, speed: 1, readonly: false,
    },
    frame: (t, k) => {
      const poses = zooPoses(t, k);
      const contact = [0, 5, 0.6, -0.9, 0, 20 * Math.sin(7 * t), 0, 90 + 30 * Math.sin(9 * t)];
      return {
        time: t, poses, switches: 1, energies: [2 + Math.sin(t), 5, 0.1 * t, 1e-7 * t],
        outputs: [0.7 * Math.sin(2 * t), ((k["wind"] ?? 3) / 6) * Math.sin(3 * t), poses[7], poses[9], NaN],
        arrows: [...contact, 1, 4, 0, 1.1, 0.8, 0, 0, 60, 3, 4, 0, 1.1, 0.9, 0, 0, 5 + Math.sin(t)],
      };
    },
  };
}

// n boxes and balls that lie about and shake, each on a contact.
export function heap(n: number, gap = 0.24): Model {
  const side = Math.ceil(Math.cbrt(n));
  const place = (i: number): [number, number, number] => [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
  const poses = (t: number): number[] => Array.from({ length: n }, (_, i) => {
    const [x, y, z] = place(i);
    return pose(gap * x + 0.02 * Math.sin(3 * t + i), gap * y, 0.12 + gap * z + 0.02 * Math.cos(5 * t + i), "z", 0.3 * Math.sin(t + i));
  }).flat();
  const first = poses(0);
  const shape = (i: number): Record<string, unknown> => i % 3 === 0
    ? { kind: "ellipsoid", role: "body", size: [0.1, 0.1, 0.1] } : { kind: "box", role: "body", size: [0.1, 0.1, i % 3 === 1 ? 0.1 : 0.06] };
  return {
    scene: {
      ...zoo().scene, name: `Heap of ${n}`, reach: 1.25 * gap * side, unit: 0.02, links: [], beams: [], joints: [], traces: [], inputs: [], parameters: [], switches: 0,
      ground: [{ kind: "plane", role: "ground", name: "floor" }], outputs: [{ name: "height", unit: "m" }],
      bodies: Array.from({ length: n }, (_, i) => ({ name: `stone${i + 1}`, parent: -1, mass: 1, pose: first.slice(7 * i, 7 * i + 7), com: [0, 0, 0], shapes: [shape(i)] })),
    },
    frame: (t) => {
      const p = poses(t);
      const arrows = Array.from({ length: n }, (_, i) => [0, i, p[7 * i], p[7 * i + 1], p[7 * i + 2] - 0.1, 0, 0, 9.81 * (1 + Math.sin(t + i))]).flat();
      return { time: t, poses: p, switches: 0, outputs: [p[7 * (n - 1) + 2]], arrows };
    },
  };
}
