// The camera: turns about a target, with any direction up; perspective or orthographic.
import { Box3, OrthographicCamera, PerspectiveCamera, Vector3, type Camera } from "three";
import { frameAbout } from "./coil";
import type { Vec3 } from "./pose";

export type NamedView = "front" | "back" | "left" | "right" | "top" | "bottom" | "home";

const FIELD = (35 * Math.PI) / 180; // of view, up and down
const STEEPEST = Math.PI / 2 - 1e-4;

export class OrbitCamera {
  readonly target = new Vector3();
  distance = 5;
  yaw = 0; // about `up`, 0: seen from the front
  pitch = 0.35;
  orthographic = false;
  version = 0; // counts changes
  moved = false; // by hand, since it was made to fit
  private readonly perspective = new PerspectiveCamera();
  private readonly parallel = new OrthographicCamera();
  private readonly up = new Vector3(0, 0, 1);
  private readonly front = new Vector3(0, -1, 0); // from the target to the eye at yaw 0
  private readonly side = new Vector3(1, 0, 0); // to the right at yaw 0
  private width = 1;
  private height = 1;
  private reach = 1;
  private home = { yaw: 0.6, pitch: 0.35 };

  get camera(): Camera {
    return this.orthographic ? this.parallel : this.perspective;
  }

  // Up, the direction from the mechanism to the eye in the front view, and the size of things.
  setWorld(up: Readonly<Vec3>, front: Readonly<Vec3> | undefined, reach: number): void {
    this.up.set(...up);
    const across: Vec3 = Math.abs(up[2]) > 0.9 ? [0, -1, 0] : (frameAbout([...up])[0] as Vec3);
    const standard: Vec3 = Math.abs(up[1]) > 0.9 ? [0, 0, 1] : across;
    this.front.set(...(front ?? standard));
    this.front.addScaledVector(this.up, -this.front.dot(this.up)).normalize();
    this.side.copy(this.up).cross(this.front).normalize();
    this.reach = reach;
    this.home = front ? { yaw: 0, pitch: 0 } : { yaw: 0.6, pitch: 0.35 };
    this.orthographic = front !== undefined;
    this.view("home");
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.touch();
  }

  touch(): void {
    this.version++;
  }

  view(name: NamedView): void {
    const turn = Math.PI / 2;
    const views: Record<NamedView, [number, number]> = {
      front: [0, 0], back: [2 * turn, 0], right: [turn, 0], left: [-turn, 0],
      top: [0, STEEPEST], bottom: [0, -STEEPEST], home: [this.home.yaw, this.home.pitch],
    };
    [this.yaw, this.pitch] = views[name];
    this.touch();
  }

  // As close as it can be with all points in the view, and some room: with x, y across the view and
  // z towards the eye, a point is in it at distance d when |x| <= (d - z) tan(field / 2), and y
  // alike.
  fit(points: readonly Vector3[], room: number): void {
    const box = new Box3().setFromPoints([...points]);
    box.getCenter(this.target);
    const { out, right, up } = this.axes();
    const tan = Math.tan(FIELD / 2) / room, wide = (tan * this.width) / this.height;
    let distance = 0.02 * this.reach;
    const p = new Vector3();
    for (const point of points) {
      p.copy(point).sub(this.target);
      const depth = this.orthographic ? 0 : p.dot(out);
      distance = Math.max(distance, Math.abs(p.dot(right)) / wide + depth, Math.abs(p.dot(up)) / tan + depth);
    }
    this.distance = distance;
    this.moved = false;
    this.touch();
  }

  turn(dx: number, dy: number): void {
    this.moved = true;
    this.yaw -= dx;
    this.pitch = Math.min(STEEPEST, Math.max(-STEEPEST, this.pitch + dy));
    this.touch();
  }

  // By pixels, so that what is under the pointer stays there.
  pan(dx: number, dy: number): void {
    this.moved = true;
    const scale = this.metresPerPixel();
    const { right, up } = this.axes();
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    this.touch();
  }

  // factor < 1 comes closer; what is at (x, y), -1..1 from the middle, stays where it is.
  zoom(factor: number, x = 0, y = 0): void {
    this.moved = true;
    const next = Math.min(1e4 * this.reach, Math.max(1e-3 * this.reach, this.distance * factor));
    const half = Math.tan(FIELD / 2) * (this.distance - next);
    const { right, up } = this.axes();
    this.target.addScaledVector(right, x * half * (this.width / this.height)).addScaledVector(up, y * half);
    this.distance = next;
    this.touch();
  }

  metresPerPixel(): number {
    return (2 * Math.tan(FIELD / 2) * this.distance) / this.height;
  }

  // Pixels for a metre at a place, as a function of it; 0: behind the eye.
  pixels(): (x: number, y: number, z: number) => number {
    const { out } = this.axes(), { target: t, distance } = this;
    const flat = 1 / this.metresPerPixel();
    if (this.orthographic) return () => flat;
    return (x, y, z) => {
      const depth = distance - ((x - t.x) * out.x + (y - t.y) * out.y + (z - t.z) * out.z);
      return depth > 0 ? (flat * distance) / depth : 0;
    };
  }

  // From the target to the eye, and the picture's axes, in ground axes.
  axes(): { out: Vector3; right: Vector3; up: Vector3 } {
    const level = this.front.clone().multiplyScalar(Math.cos(this.yaw)).addScaledVector(this.side, Math.sin(this.yaw));
    const out = level.clone().multiplyScalar(Math.cos(this.pitch)).addScaledVector(this.up, Math.sin(this.pitch));
    const right = this.up.clone().cross(level).normalize();
    return { out, right, up: out.clone().cross(right) };
  }

  // Brings the camera of three.js to where this one is.
  update(): Camera {
    const { out, up } = this.axes();
    const camera = this.camera;
    camera.up.copy(up);
    camera.position.copy(this.target).addScaledVector(out, this.distance);
    camera.lookAt(this.target);
    const far = this.distance + 60 * this.reach;
    if (this.orthographic) {
      const half = Math.tan(FIELD / 2) * this.distance;
      const wide = (half * this.width) / this.height;
      Object.assign(this.parallel, { left: -wide, right: wide, top: half, bottom: -half, near: -far, far });
      this.parallel.updateProjectionMatrix();
    } else {
      Object.assign(this.perspective, {
        fov: (FIELD * 180) / Math.PI, aspect: this.width / this.height,
        near: Math.max(this.distance * 0.01, 1e-4 * this.reach), far,
      });
      this.perspective.updateProjectionMatrix();
    }
    camera.updateMatrixWorld();
    return camera;
  }

  // Pixels from the top left of the picture; behind the eye: undefined.
  project(point: Readonly<Vec3>): { x: number; y: number } | undefined {
    const p = new Vector3(...point).project(this.camera);
    if (p.z > 1 || p.z < -1) return undefined;
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height };
  }
}
