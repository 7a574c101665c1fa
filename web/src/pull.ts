// Pulling at a body: a spring from the point that was taken hold of to the pointer.
import { Vector3 } from "three";
import type { Operator } from "./operator";
import { invert, transform, type Vec3 } from "./pose";
import type { World } from "./world";

const PAUSE = 33; // ms between messages

export class Pull {
  private body = -1;
  private point: Vec3 = [0, 0, 0]; // in the body's frame
  private x = 0;
  private y = 0;
  private sentAt = -Infinity;
  private timer = 0;

  constructor(private readonly world: World, private readonly operator: Operator) {}

  get active(): boolean {
    return this.body >= 0;
  }

  // Takes hold of what is at this place of the page; false: nothing that can be pulled.
  begin(x: number, y: number): boolean {
    const picked = this.world.pick(x, y);
    const pose = picked && picked.body >= 0 ? this.world.pose(picked.body) : undefined;
    if (!picked || !pose || !this.operator.canOperate) return false;
    this.body = picked.body;
    this.world.camera.moved = true; // the view stays as it is
    invert(pose, 0, [picked.point.x, picked.point.y, picked.point.z], this.point);
    this.world.look.select({ kind: "body", index: picked.body });
    this.move(x, y);
    return true;
  }

  move(x: number, y: number): void {
    [this.x, this.y] = [x, y];
    clearTimeout(this.timer);
    const wait = PAUSE - (performance.now() - this.sentAt);
    if (wait > 0) this.timer = window.setTimeout(() => this.send(), wait);
    else this.send();
  }

  // To the pointer, in the plane through the point that faces the eye.
  private send(): void {
    const pose = this.body >= 0 ? this.world.pose(this.body) : undefined;
    if (!pose) return;
    this.sentAt = performance.now();
    const held = transform(pose, 0, this.point, [0, 0, 0]);
    const to = this.world.pointAt(this.x, this.y, new Vector3(...held));
    this.operator.pull(this.body, [...this.point], [to.x, to.y, to.z]);
  }

  end(): void {
    if (this.body < 0) return;
    clearTimeout(this.timer);
    this.body = -1;
    this.operator.release();
  }
}
