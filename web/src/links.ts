// What is between two points: rods, hydraulic cylinders, springs as coils, dampers, stops, bars.
import {
  BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshLambertMaterial, type Intersection, type Raycaster,
} from "three";
import { coilIndices, coilTriangles, coilVertices, writeCoil, type CoilShape } from "./coil";
import { isOn, type Frame } from "./frame";
import { categoryOf, colorOf, type Look } from "./look";
import { rotate, transform, type Numbers, type Vec3 } from "./pose";
import { RodSet, rodGeometry } from "./rods";
import type { Link, LinkEnd, Scene } from "./scene";

const BARREL = 0.55; // length of a cylinder's barrel, of the length at the start

export function endPoint(end: LinkEnd, poses: Numbers): Vec3 {
  return end.body < 0 ? [...end.point] : transform(poses, 7 * end.body, end.point, [0, 0, 0]);
}

// Both ends in ground axes. With an axis the line ends at b and is parallel to it.
export function linkEnds(link: Link, poses: Numbers): [Vec3, Vec3] {
  const a = endPoint(link.a, poses), b = endPoint(link.b, poses);
  if (!link.axis) return [a, b];
  const n: Vec3 = link.a.body < 0 ? [...link.axis] : rotate(poses, 7 * link.a.body, link.axis, [0, 0, 0]);
  const size = Math.hypot(...n) || 1;
  const s = n.reduce((sum, c, i) => sum + (c / size) * (b[i] - a[i]), 0) / size;
  return [[b[0] - s * n[0], b[1] - s * n[1], b[2] - s * n[2]], b];
}

const between = (a: Vec3, b: Vec3, s: number): Vec3 => [
  a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]),
];

function coilShape(count: number): CoilShape {
  if (count > 300) return { turns: 6, perTurn: 8, sides: 3 };
  return count > 60 ? { turns: 7, perTurn: 12, sides: 5 } : { turns: 8, perTurn: 18, sides: 6 };
}

export class Links {
  readonly object = new Group();
  private readonly rods: RodSet;
  private readonly owner: number[] = []; // link of each rod in this frame
  private readonly start: number[]; // lengths at the start
  private readonly springs: number[];
  private readonly slot: number[] = []; // number among the springs
  private readonly shape: CoilShape;
  private readonly coils: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly material: MeshLambertMaterial;
  private readonly skip: Set<number>; // bars that a bent beam stands for

  constructor(private readonly scene: Scene, private readonly ghost?: number) {
    const style = ghost === undefined ? {} : { transparent: true, opacity: 0.25, depthWrite: false };
    this.material = new MeshLambertMaterial(style);
    this.rods = new RodSet(rodGeometry(14), this.material, 2 * scene.links.length, this.object);
    const first = scene.bodies.flatMap((b) => b.pose);
    this.start = scene.links.map((l) => {
      const [a, b] = linkEnds(l, first);
      return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    });
    this.springs = scene.links.flatMap((l, i) => (l.kind === "spring" ? [i] : []));
    this.springs.forEach((link, k) => (this.slot[link] = k));
    this.shape = coilShape(this.springs.length);
    this.coils = new Mesh(this.coilGeometry(), new MeshLambertMaterial({ vertexColors: true, ...style }));
    this.coils.frustumCulled = false;
    this.object.add(this.coils);
    const beams = scene.beams.map((b) => new Set(b.bodies));
    this.skip = new Set(scene.links.flatMap((l, i) =>
      l.kind === "bar" && beams.some((b) => b.has(l.a.body) && b.has(l.b.body)) ? [i] : []));
  }

  private coilGeometry(): BufferGeometry {
    const n = this.springs.length;
    const g = new BufferGeometry();
    const vertices = 3 * n * coilVertices(this.shape);
    for (const name of ["position", "normal", "color"]) {
      g.setAttribute(name, new BufferAttribute(new Float32Array(vertices), 3));
    }
    const index = new Uint32Array(n * coilIndices(this.shape));
    for (let k = 0; k < n; k++) coilTriangles(this.shape, k, index);
    g.setIndex(new BufferAttribute(index, 1));
    return g;
  }

  arrange(look: Look): void {
    this.rods.mesh.castShadow = this.coils.castShadow = this.ghost === undefined && look.shows("shadows");
    this.object.visible = true;
    const color = new Color();
    const out = this.coils.geometry.getAttribute("color") as BufferAttribute;
    this.springs.forEach((link, k) => {
      color.setHex(this.color(link, look));
      const per = coilVertices(this.shape);
      for (let i = k * per; i < (k + 1) * per; i++) out.setXYZ(i, color.r, color.g, color.b);
    });
    out.needsUpdate = true;
  }

  private color(i: number, look: Look): number {
    if (this.ghost !== undefined) return this.ghost;
    const link = this.scene.links[i];
    const body = link.a.body >= 0 ? link.a.body : link.b.body;
    if (look.isSelected("link", i) || (link.role === "body" && look.isSelected("body", body))) return look.palette.selected;
    return colorOf(link.role, body, look.palette);
  }

  update(poses: Numbers, frame: Frame, look: Look): void {
    this.rods.begin();
    this.owner.length = 0;
    this.scene.links.forEach((link, i) => {
      const there = isOn(frame, link.bit) && look.shows(categoryOf(link.role)) && !this.skip.has(i) &&
        !(look.hidden.has(link.a.body) || look.hidden.has(link.b.body));
      const [a, b] = linkEnds(link, poses);
      if (link.kind === "spring") this.coil(i, a, there ? b : a, there);
      else if (there) this.parts(link, i, a, b, look);
    });
    this.rods.end();
    for (const name of ["position", "normal"]) this.coils.geometry.getAttribute(name).needsUpdate = true;
  }

  private coil(i: number, a: Vec3, b: Vec3, there: boolean): void {
    const r = there ? this.scene.links[i].radius || this.scene.unit * 2 : 0;
    const { position, normal } = this.coils.geometry.attributes;
    writeCoil(this.shape, this.slot[i], a, b, r * 0.86, r * 0.14,
      position.array as Float32Array, normal.array as Float32Array);
  }

  private rod(i: number, a: Vec3, b: Vec3, radius: number, color: number): void {
    this.rods.add(a, b, radius, color);
    this.owner.push(i);
  }

  private parts(link: Link, i: number, a: Vec3, b: Vec3, look: Look): void {
    const r = link.radius || this.scene.unit;
    const color = this.color(i, look);
    if (link.kind === "rod" || link.kind === "bar") {
      this.rod(i, a, b, r, color);
      return;
    }
    const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const bright = this.ghost ?? look.palette.joint;
    if (link.kind === "stop") {
      this.rod(i, a, b, 0.35 * r, bright);
      this.rod(i, between(a, b, Math.max(0, 1 - (2 * r) / (length || 1))), b, r, color);
      return;
    }
    // barrel from a, piston rod from there to b
    const barrel = Math.min(0.97, (BARREL * this.start[i]) / (length || 1));
    this.rod(i, a, between(a, b, barrel), r, color);
    this.rod(i, a, b, 0.45 * r, bright);
  }

  pick(ray: Raycaster): { link: number; hit: Intersection } | undefined {
    const hits: { link: number; hit: Intersection }[] = [];
    for (const hit of ray.intersectObject(this.rods.mesh, false)) {
      if (hit.instanceId !== undefined) hits.push({ link: this.owner[hit.instanceId], hit });
    }
    this.coils.geometry.boundingSphere = null;
    for (const hit of ray.intersectObject(this.coils, false)) {
      const triangle = hit.faceIndex ?? 0;
      hits.push({ link: this.springs[Math.floor((3 * triangle) / coilIndices(this.shape))], hit });
    }
    return hits.sort((p, q) => p.hit.distance - q.hit.distance)[0];
  }

  dispose(): void {
    this.rods.dispose();
    this.coils.geometry.dispose();
    this.coils.material.dispose();
    this.material.dispose();
  }
}
