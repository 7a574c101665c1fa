// A view that nobody touched keeps the mechanism in it: it widens to where bodies have been, and goes
// with a vehicle that leaves.
import { Box3, Vector3 } from "three";
import type { Numbers } from "./pose";
import type { Scene } from "./scene";

const LEAVES = 1.5; // of the reach: how far the middle of the masses goes before the view goes with it
const FARTHEST = 1.6; // of the reach: how far from the middle the view widens

export type AutoView = { kind: "keep" } | { kind: "widen"; points: Vector3[] } | { kind: "follow"; body: number };

export class AutoViewer {
  private readonly seen = new Box3();
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

  // Corners of the box of all that was seen, when it became notably larger.
  look(poses: Numbers, points: () => Vector3[]): AutoView {
    const { reach } = this.scene;
    const gone = this.middle(poses).sub(this.start).length();
    if (gone > LEAVES * reach && this.heaviest >= 0) return { kind: "follow", body: this.heaviest };
    const before = this.seen.clone().expandByScalar(0.04 * reach);
    let grew = this.seen.isEmpty();
    for (const p of points()) {
      if (p.distanceTo(this.start) > FARTHEST * reach) continue;
      grew ||= !before.containsPoint(p);
      this.seen.expandByPoint(p);
    }
    if (!grew || this.seen.isEmpty()) return { kind: "keep" };
    const { min, max } = this.seen;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => new Vector3(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z));
    return { kind: "widen", points: corners };
  }
}
