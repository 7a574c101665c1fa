// Forces as arrows, moments as arrows that turn. Their lengths are to one scale, which is told.
import { Group, MeshBasicMaterial, TorusGeometry, type BufferGeometry } from "three";
import { ARROW, ArrowKind, type Frame } from "./frame";
import type { Look } from "./look";
import { frameAbout } from "./coil";
import type { Vec3 } from "./pose";
import { coneGeometry, RodSet, rodGeometry } from "./rods";
import { niceCeil } from "./units";
import type { Scene } from "./scene";
import type { Palette } from "./theme";

const LONGEST = 0.35; // of the reach: the arrow of the scale's force
const FEW = 12; // bodies; among more arrows are as much shorter as bodies are smaller

// The largest of late: it grows at once and fades slowly, so that arrows do not flicker in length.
export class Scale {
  private peak = 0;

  update(largest: number): number {
    this.peak = Number.isFinite(largest) ? Math.max(largest, this.peak * 0.995) : this.peak;
    return niceCeil(this.peak);
  }

  reset(): void {
    this.peak = 0;
  }
}

function kindColor(kind: number, palette: Palette): number {
  if (kind === ArrowKind.contact) return palette.contact;
  if (kind === ArrowKind.pull) return palette.pull;
  return kind === ArrowKind.torque ? palette.torque : palette.applied;
}

// Three quarters of a ring about z, of radius 1, as high as 1: the scale of z is the radius too.
const ringGeometry = (): BufferGeometry => new TorusGeometry(1, 0.06, 6, 28, 1.5 * Math.PI);

export class Arrows {
  readonly object = new Group();
  forcePerLength = 1; // of the scale: niceCeil'ed force of the longest arrow
  largestMoment = 1;
  count = 0;
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
  private readonly shafts: RodSet;
  private readonly heads: RodSet;
  private readonly rings: RodSet;
  private readonly forces = new Scale();
  private readonly moments = new Scale();
  private readonly longest: number; // m

  constructor(private readonly scene: Scene) {
    this.longest = LONGEST * scene.reach * Math.cbrt(Math.min(1, FEW / Math.max(1, scene.bodies.length)));
    this.shafts = new RodSet(rodGeometry(7, true), this.material, 64, this.object);
    this.heads = new RodSet(coneGeometry(8), this.material, 64, this.object);
    this.rings = new RodSet(ringGeometry(), this.material, 8, this.object);
    for (const set of [this.shafts, this.heads, this.rings]) set.mesh.renderOrder = 4; // over everything
  }

  reset(): void {
    this.forces.reset();
    this.moments.reset();
  }

  update(frame: Frame, look: Look): void {
    const { arrows } = frame;
    let force = 0, moment = 0;
    for (let i = 0; i < arrows.length; i += ARROW) {
      const size = Math.hypot(arrows[i + 5], arrows[i + 6], arrows[i + 7]);
      if (arrows[i] === ArrowKind.torque) moment = Math.max(moment, size);
      else force = Math.max(force, size);
    }
    this.forcePerLength = this.forces.update(force);
    this.largestMoment = this.moments.update(moment);
    for (const set of [this.shafts, this.heads, this.rings]) set.begin();
    this.count = 0;
    if (look.shows("forces")) for (let i = 0; i < arrows.length; i += ARROW) this.add(arrows, i, look);
    for (const set of [this.shafts, this.heads, this.rings]) set.end();
  }

  private add(v: Float32Array, i: number, look: Look): void {
    const kind = v[i];
    const at: Vec3 = [v[i + 2], v[i + 3], v[i + 4]], f: Vec3 = [v[i + 5], v[i + 6], v[i + 7]];
    const size = Math.hypot(...f);
    if (!(size > 0) || !Number.isFinite(size + at[0] + at[1] + at[2])) return;
    const color = kindColor(kind, look.palette);
    const d: Vec3 = [f[0] / size, f[1] / size, f[2] / size];
    const most = this.longest * look.forceScale;
    this.count++;
    if (kind === ArrowKind.torque) this.turn(at, d, (0.4 * most * size) / this.largestMoment, color);
    else this.straight(at, d, (most * size) / this.forcePerLength, color);
  }

  // A contact force pushes: it is drawn from its point outwards, as other forces are.
  private straight(at: Vec3, d: Vec3, length: number, color: number): void {
    const thick = Math.min(0.0045 * this.scene.reach, 0.06 * length);
    const head = Math.min(0.35 * length, 6 * thick);
    const neck: Vec3 = [0, 1, 2].map((k) => at[k] + d[k] * (length - head)) as Vec3;
    const tip: Vec3 = [0, 1, 2].map((k) => at[k] + d[k] * length) as Vec3;
    this.shafts.add(at, neck, thick, color);
    this.heads.add(neck, tip, 2.6 * thick, color);
  }

  // The ring ends at 270 degrees, where it points along the second vector of the frame.
  private turn(at: Vec3, d: Vec3, radius: number, color: number): void {
    const [u, v] = frameAbout(d);
    const top: Vec3 = [0, 1, 2].map((k) => at[k] + radius * d[k]) as Vec3;
    this.rings.add(at, top, radius, color);
    const end: Vec3 = [0, 1, 2].map((k) => at[k] - radius * v[k]) as Vec3;
    const tip: Vec3 = [0, 1, 2].map((k) => end[k] + 0.45 * radius * u[k]) as Vec3;
    this.heads.add(end, tip, 0.2 * radius, color);
  }
}
