// A view that nobody touched keeps the mechanism in it: it widens to where bodies have been, and
// goes with a vehicle that leaves.
import { Vector3 } from "three";
import type { Numbers } from "./pose";
import type { Scene } from "./scene";

const LEAVES = 1.5; // of the reach: how far the middle of the masses goes before the view goes with it
const FARTHEST = 1.6; // of the reach: how far from the middle the view widens

// Towards faces, edges and corners of a cube: enough to know a cloud of points by its outermost.
const DIRECTIONS: readonly Vector3[] = Array.from({ length: 27 }, (_, i) => i).filter((i) => i !== 13)
  .map((i) => new Vector3((i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1).normalize());

export type AutoView = { kind: "keep" } | { kind: "widen"; points: Vector3[] } | { kind: "follow"; body: number };

export class AutoViewer {
  private readonly farthest = DIRECTIONS.map(() => -Infinity); // along each direction
  private readonly outermost: Vector3[] = [];
  private shown = DIRECTIONS.map(() => -Infinity); // what the view was made for
  private readonly start: Vector3;
  private readonly heaviest: number;
  private readonly mass: number;

  constructor(private readonly scene: Scene) {
    this.mass = scene.bodies.reduce((sum, b) => sum + b.mass, 0);
    this.heaviest = scene.bodies.reduce((best, b, i) => (best < 0 || b.mass > scene.bodies[best].mass ? i : best), -1);
    this.start = this.middle(scene.bodies.flatMap((b) => b.pose));
  }

  private middle(poses: Numbers): Vector3 {
    const sum = new Vector3();
    if (!(this.mass > 0)) return sum;
    this.scene.bodies.forEach((b, i) => {
      sum.x += b.mass * poses[7 * i];
      sum.y += b.mass * poses[7 * i + 1];
      sum.z += b.mass * poses[7 * i + 2];
    });
    return sum.divideScalar(this.mass);
  }

  // The outermost points of all that was seen, when one is notably farther out than before.
  look(poses: Numbers, points: () => Vector3[]): AutoView {
    const { reach } = this.scene;
    const gone = this.middle(poses).sub(this.start).length();
    if (gone > LEAVES * reach && this.heaviest >= 0) return { kind: "follow", body: this.heaviest };
    let grew = false;
    for (const p of points()) {
      if (p.distanceTo(this.start) > FARTHEST * reach) continue;
      DIRECTIONS.forEach((d, i) => {
        const out = d.dot(p);
        if (out <= this.farthest[i]) return;
        grew ||= out > this.shown[i] + 0.04 * reach;
        this.farthest[i] = out;
        this.outermost[i] = p;
      });
    }
    if (!grew) return { kind: "keep" };
    this.shown = [...this.farthest];
    return { kind: "widen", points: [...this.outermost] };
  }
}
