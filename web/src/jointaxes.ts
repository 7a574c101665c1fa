// Joints: a thin axis through each, drawn over everything, and the one that is selected.
import { Group, MeshBasicMaterial } from "three";
import { isOn, type Frame } from "./frame";
import type { Look } from "./look";
import { rotate, transform, type Numbers, type Vec3 } from "./pose";
import { RodSet, rodGeometry } from "./rods";
import type { Joint, Scene } from "./scene";

const POINTS = new Set(["spherical", "ball", "free", "fixed", "universal", "gimbal"]);

// Where a joint is and along what, in ground axes.
export function jointLine(joint: Joint, poses: Numbers): { at: Vec3; axis: Vec3 } {
  const at: Vec3 = [joint.pose[0], joint.pose[1], joint.pose[2]];
  const axis = rotate(joint.pose, 0, [0, 0, 1], [0, 0, 0]);
  if (joint.b < 0) return { at, axis };
  return {
    at: transform(poses, 7 * joint.b, at, [0, 0, 0]),
    axis: rotate(poses, 7 * joint.b, axis, [0, 0, 0]),
  };
}

export class JointAxes {
  readonly object = new Group();
  private readonly rods: RodSet;

  constructor(private readonly scene: Scene) {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.85, depthTest: false });
    this.rods = new RodSet(rodGeometry(8), material, scene.joints.length, this.object);
    this.rods.mesh.renderOrder = 5;
  }

  update(poses: Numbers, frame: Frame, look: Look): void {
    this.rods.begin();
    this.scene.joints.forEach((joint, i) => {
      const chosen = look.isSelected("joint", i);
      if (!chosen && (!look.shows("axes") || joint.kind === "free" || !isOn(frame, joint.bit))) return;
      const { at, axis } = jointLine(joint, poses);
      const half = (POINTS.has(joint.kind) ? 0.02 : 0.07) * this.scene.reach;
      const ends = [-half, half].map((s) => [0, 1, 2].map((k) => at[k] + s * axis[k]) as Vec3);
      const radius = (POINTS.has(joint.kind) ? 0.008 : 0.0025) * this.scene.reach;
      this.rods.add(ends[0], ends[1], radius * (chosen ? 1.6 : 1), chosen ? look.palette.selected : look.palette.joint);
    });
    this.rods.end();
  }
}
