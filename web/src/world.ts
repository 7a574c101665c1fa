// The picture: mechanism, ground, arrows, traces and ghosts, seen by the camera.
import { Box3, Raycaster, Vector2, Vector3 } from "three";
import { Arrows } from "./arrows";
import { AutoViewer } from "./autoview";
import { OrbitCamera } from "./camera";
import type { Frame } from "./frame";
import { JointAxes } from "./jointaxes";
import { Look } from "./look";
import { Mechanism, type Picked } from "./mechanism";
import { sample, type Player, type Shown } from "./player";
import { transform, type Vec3 } from "./pose";
import { History } from "./ring";
import { upOf, type Scene } from "./scene";
import { Stage } from "./stage";
import { Terrain } from "./terrain";
import { Traces } from "./traces";

export const GHOSTS = [0xd08bd8, 0x6fc7a8, 0xe0a36a, 0x7fa8e8];
const NORMALS: Record<string, Vec3> = { xy: [0, 0, 1], xz: [0, -1, 0], yz: [1, 0, 0] };
const SECOND: Record<string, Vec3> = { xy: [0, 1, 0], xz: [0, 0, 1], yz: [0, 0, 1] };

interface Ghost {
  mechanism: Mechanism;
  history: History<Frame>;
  poses: Float32Array;
}

// Up and the direction of the front view: of a plane mechanism across its plane.
function directions(scene: Scene): { up: Vec3; front: Vec3 | undefined } {
  const up = upOf(scene), front = NORMALS[scene.plane];
  if (!front) return { up, front: undefined };
  const along = up[0] * front[0] + up[1] * front[1] + up[2] * front[2];
  return { up: Math.abs(along) > 0.9 ? SECOND[scene.plane] : up, front };
}

export class World {
  readonly camera = new OrbitCamera();
  readonly stage: Stage;
  readonly mechanism: Mechanism;
  readonly arrows: Arrows;
  follow = -1; // body that the camera goes with
  auto = true; // the view keeps the mechanism in it until somebody chooses another
  firstDraw = 0; // ms since the page was asked for
  cpu = 0; // ms of the last update and draw
  placing = 0; // ms of the last update
  private readonly traces: Traces;
  private readonly axes: JointAxes;
  private terrain: Terrain | undefined;
  private readonly ghosts: Ghost[];
  private readonly ray = new Raycaster();
  private readonly viewer: AutoViewer;
  private lookSeen = -1;
  private cameraSeen = -1;
  private playerSeen = -1;
  private traceSeen = -1; // number of the last frame in the traces
  private followed: Vec3 | undefined;
  private drawn: Shown | undefined;
  private drewLast = false;
  private began = false;
  private lastTick = 0;
  private places = 0;

  constructor(private readonly canvas: HTMLCanvasElement, readonly scene: Scene, readonly player: Player,
    readonly look: Look, others: readonly (readonly Frame[])[]) {
    const { up, front } = directions(scene);
    this.stage = new Stage(canvas, up, scene.reach, scene.bodies.length);
    this.camera.setWorld(up, front, scene.reach);
    this.viewer = new AutoViewer(scene);
    this.mechanism = new Mechanism(scene);
    this.arrows = new Arrows(scene);
    this.traces = new Traces(scene);
    this.axes = new JointAxes(scene);
    this.ghosts = others.map((frames, i) => {
      const history = new History<Frame>(Infinity);
      for (const frame of frames) history.push(frame);
      const mechanism = new Mechanism(scene, GHOSTS[i % GHOSTS.length]);
      return { mechanism, history, poses: new Float32Array(7 * scene.bodies.length) };
    });
    this.stage.scene.add(this.mechanism.object, this.arrows.object, this.traces.object, this.axes.object,
      ...this.ghosts.map((g) => g.mechanism.object));
    player.onReset = () => {
      this.traceSeen = -1;
      this.arrows.reset();
      this.traces.rebuild(0, (i) => player.history.at(i));
    };
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.stage.resize(clientWidth, clientHeight);
    this.camera.resize(clientWidth, clientHeight);
    if (this.terrain && !this.camera.moved) this.fit();
  }

  // Corners of what the frame shows now, of all bodies or one.
  private points(only?: number): Vector3[] {
    const out: Vector3[] = [];
    const add = (x: number, y: number, z: number): void => {
      if (Number.isFinite(x + y + z)) out.push(new Vector3(x, y, z));
    };
    this.mechanism.solids.eachCorner(add, only);
    const poses = this.drawn?.poses;
    this.scene.bodies.forEach((body, i) => {
      if (!poses || (only !== undefined && only !== i)) return;
      add(...transform(poses, 7 * i, body.com, [0, 0, 0]));
    });
    for (const link of only === undefined ? this.scene.links : []) {
      for (const end of [link.a, link.b]) if (end.body < 0) add(...end.point);
    }
    return out;
  }

  fit(only?: number): void {
    const points = this.points(only);
    if (points.length > 0) this.camera.fit(points, only === undefined ? 1.12 : 2.2);
    if (only !== undefined) this.camera.moved = true;
  }

  // The first frame: the view is made to fit, and the grid goes below everything.
  private begin(): void {
    const box = new Box3().setFromPoints(this.points());
    const up = new Vector3(...upOf(this.scene));
    const lowest = new Vector3();
    if (!box.isEmpty()) {
      const centre = box.getCenter(new Vector3()), half = box.getSize(new Vector3()).multiplyScalar(0.5);
      const down = Math.abs(half.x * up.x) + Math.abs(half.y * up.y) + Math.abs(half.z * up.z);
      lowest.copy(centre).addScaledVector(up, -down * 1.02);
      // a grid at zero height is the nicer one where it is just below
      const height = lowest.dot(up);
      if (height > 0 && height < this.scene.reach) lowest.addScaledVector(up, -height);
    }
    this.terrain = this.makeTerrain(lowest);
    this.stage.scene.add(this.terrain.object);
    this.terrain.arrange(this.look);
    if (this.drawn) this.keepInView(this.drawn.poses);
  }

  // Of a plane mechanism the grid is behind it.
  private makeTerrain(lowest: Vector3): Terrain {
    const { up, front } = directions(this.scene);
    if (!front) return new Terrain(this.scene, lowest, new Vector3(...up));
    const normal = new Vector3(...front);
    return new Terrain(this.scene, normal.clone().multiplyScalar(-0.3 * this.scene.reach), normal);
  }

  private arrange(): void {
    const { look } = this;
    for (const part of [this.mechanism, this.traces, ...this.ghosts.map((g) => g.mechanism)]) part.arrange(look);
    this.terrain?.arrange(look);
    this.stage.paint(look.palette, look.shows("shadows"));
  }

  private updateTraces(shown: Shown): void {
    const { history } = this.player;
    if (this.player.following) {
      if (this.traceSeen === -2) this.traces.rebuild(history.length, (i) => history.at(i));
      else this.extendTraces();
      this.traceSeen = shown.frame.sequence;
      return;
    }
    this.traceSeen = -2;
    this.traces.rebuild(history.indexAt(shown.time) + 1, (i) => history.at(i));
  }

  // All frames that came since the last that was drawn.
  private extendTraces(): void {
    const { history } = this.player;
    let first = history.length;
    while (first > 0 && history.at(first - 1).sequence > this.traceSeen) first--;
    for (let i = first; i < history.length; i++) this.traces.push(history.at(i));
  }

  private updateFollow(poses: Float32Array): void {
    const body = this.follow;
    if (body < 0) {
      this.followed = undefined;
      return;
    }
    const at: Vec3 = [poses[7 * body], poses[7 * body + 1], poses[7 * body + 2]];
    if (!at.every(Number.isFinite)) return;
    if (this.followed) this.camera.target.add(new Vector3(at[0] - this.followed[0], at[1] - this.followed[1], at[2] - this.followed[2]));
    else this.camera.target.set(...at);
    this.followed = at;
    this.camera.touch();
  }

  private place(shown: Shown): void {
    const { frame, poses } = shown;
    this.mechanism.update(poses, frame, this.look);
    for (const g of this.ghosts) {
      if (g.history.length === 0) continue;
      const other = sample(g.history, shown.time, g.poses);
      g.mechanism.update(other.poses, other.frame, this.look);
    }
    this.arrows.update(frame, this.look);
    this.axes.update(poses, frame, this.look);
    this.updateTraces(shown);
    this.updateFollow(poses);
    this.drawn = shown;
    const untouched = this.auto && !this.camera.moved && this.follow < 0;
    const often = this.scene.bodies.length < 100 || this.places++ % 10 === 0;
    if (this.terrain && untouched && often) this.keepInView(poses);
  }

  private keepInView(poses: Float32Array): void {
    const wish = this.viewer.look(poses, () => this.points());
    if (wish.kind === "widen") this.camera.fit(wish.points, 1.12);
    if (wish.kind !== "follow") return;
    this.fit();
    this.follow = wish.body;
    this.followed = [poses[7 * wish.body], poses[7 * wish.body + 1], poses[7 * wish.body + 2]];
    this.onFollow();
  }

  onFollow: () => void = () => undefined;

  // Draws when something is new; tells whether it did.
  draw(now: number): boolean {
    const drew = this.drawIfNew(now);
    if (drew && !this.began) this.firstDraw = performance.now();
    this.drewLast = drew && this.began;
    this.began ||= drew;
    this.lastTick = now;
    return drew;
  }

  private drawIfNew(now: number): boolean {
    const began = performance.now();
    const shown = this.player.shown();
    if (!shown) return false;
    const looks = this.look.version !== this.lookSeen, moved = this.player.version !== this.playerSeen;
    if (looks) this.arrange();
    if (looks || moved || !this.terrain) this.place(shown);
    this.drawn = shown;
    if (!this.terrain) this.begin();
    if (!looks && !moved && this.camera.version === this.cameraSeen) return false;
    const camera = this.camera.update();
    this.refine();
    this.placing = performance.now() - began;
    this.terrain?.follow(this.camera.target, this.camera.distance);
    this.stage.light(this.camera.target, this.camera.distance * 0.45);
    this.stage.render(camera, this.drewLast ? now - this.lastTick : 0);
    [this.lookSeen, this.playerSeen, this.cameraSeen] = [this.look.version, this.player.version, this.camera.version];
    this.cpu = performance.now() - began;
    return true;
  }

  private refine(): void {
    const { error, edges, ratio } = this.stage.quality.rung;
    const pixels = this.camera.pixels(), sharp = Math.min(ratio, window.devicePixelRatio || 1);
    for (const m of [this.mechanism, ...this.ghosts.map((g) => g.mechanism)]) {
      m.refine(pixels, error / sharp, edges);
    }
  }

  private aim(x: number, y: number): Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    this.ray.setFromCamera(new Vector2((2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height), this.camera.update());
    return this.ray;
  }

  pick(x: number, y: number): Picked | undefined {
    return this.mechanism.pick(this.aim(x, y));
  }

  // The point under the pointer in the plane through `through` that faces the eye.
  pointAt(x: number, y: number, through: Vector3): Vector3 {
    const { ray } = this.aim(x, y);
    const { out } = this.camera.axes();
    const slope = ray.direction.dot(out);
    const s = Math.abs(slope) > 1e-9 ? through.clone().sub(ray.origin).dot(out) / slope : 0;
    return ray.origin.clone().addScaledVector(ray.direction, s);
  }

  pose(body: number): number[] | undefined {
    const poses = this.drawn?.poses;
    return poses ? [...poses.slice(7 * body, 7 * body + 7)] : undefined;
  }

  // Pixels from the top left of the picture.
  project(body: number, point: Vec3 = [0, 0, 0]): { x: number; y: number } | undefined {
    const poses = this.drawn?.poses;
    this.camera.update();
    return poses ? this.camera.project(transform(poses, 7 * body, point, [0, 0, 0])) : undefined;
  }

  shownNow(): Shown | undefined {
    return this.drawn;
  }

  dispose(): void {
    this.mechanism.dispose();
    for (const g of this.ghosts) g.mechanism.dispose();
    this.stage.renderer.dispose();
  }
}
