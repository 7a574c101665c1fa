// One run of the mechanism: solids, links and beams at the poses of a frame. Other runs are ghosts.
import { Group, type Raycaster, type Vector3 } from "three";
import { Beams } from "./beams";
import type { Frame } from "./frame";
import { Links } from "./links";
import type { Look, Selection } from "./look";
import { poseMatrix, type Numbers } from "./pose";
import type { Scene } from "./scene";
import { Solids, type PixelsAt } from "./solids";

export interface Picked {
  selection: Selection;
  body: number; // that can be pulled; -1: none
  point: Vector3;
}

export class Mechanism {
  readonly object = new Group();
  readonly solids: Solids;
  private readonly links: Links;
  private readonly beams: Beams;
  private readonly matrices: Float64Array;
  private readonly seen: Float32Array; // poses at the last update
  private readonly moved: Uint8Array; // bodies whose pose is another since

  constructor(private readonly scene: Scene, readonly ghost?: number) {
    this.solids = new Solids(scene, ghost);
    this.links = new Links(scene, ghost);
    this.beams = new Beams(scene, ghost);
    this.matrices = new Float64Array(16 * (scene.bodies.length + 1));
    poseMatrix([0, 0, 0, 1, 0, 0, 0], 0, this.matrices, 16 * scene.bodies.length);
    this.seen = new Float32Array(7 * scene.bodies.length).fill(NaN);
    this.moved = new Uint8Array(scene.bodies.length);
    this.object.add(this.solids.object, this.links.object, this.beams.object);
  }

  arrange(look: Look): void {
    this.solids.arrange(look);
    this.links.arrange(look);
    this.beams.arrange(look);
    if (this.ghost !== undefined) this.object.visible = look.shows("ghosts");
  }

  update(poses: Numbers, frame: Frame, look: Look): void {
    const { seen, moved } = this;
    for (let i = 0; i < moved.length; i++) {
      moved[i] = 0;
      for (let k = 7 * i; k < 7 * i + 7; k++) {
        if (seen[k] === poses[k]) continue;
        seen[k] = poses[k];
        moved[i] = 1;
      }
      if (moved[i]) poseMatrix(poses, 7 * i, this.matrices, 16 * i);
    }
    this.solids.update(this.matrices, frame, moved);
    this.links.update(poses, frame, look);
    this.beams.update(poses);
  }

  refine(pixelsAt: PixelsAt, error: number, edges: boolean): void {
    this.solids.refine(pixelsAt, error, edges);
  }

  pick(ray: Raycaster): Picked | undefined {
    const solid = this.solids.pick(ray), link = this.links.pick(ray);
    if (link && (!solid || link.hit.distance < solid.hit.distance)) {
      const l = this.scene.links[link.link];
      const body = l.a.body >= 0 ? l.a.body : l.b.body;
      const selection: Selection = l.role === "body" && body >= 0 ? { kind: "body", index: body } : { kind: "link", index: link.link };
      return { selection, body: l.role === "body" ? body : -1, point: link.hit.point };
    }
    if (!solid) return undefined;
    const { shape, body } = solid.item;
    const joint = shape.role === "joint" ? this.scene.joints.findIndex((j) => j.name === shape.name) : -1;
    const selection: Selection = joint >= 0 ? { kind: "joint", index: joint } : body >= 0 ? { kind: "body", index: body } : undefined;
    return { selection, body, point: solid.hit.point };
  }

  dispose(): void {
    this.solids.dispose();
    this.links.dispose();
    this.beams.dispose();
  }
}
